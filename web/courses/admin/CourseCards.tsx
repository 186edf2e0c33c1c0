import { Button, SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { CourseCard } from "#web/courses/admin/CourseCard.tsx";
import classes from "#web/courses/admin/CourseCards.module.css";
import { Section } from "#web/core/layout/Section.tsx";
import type { MyCourse } from "#shared/courses.ts";

const views = ["todo", "completed", "all"] as const;
type View = (typeof views)[number];
const isDone = ({ status, archived }: MyCourse) => status === "completed" || archived;

/** Most urgent first: overdue and due soon, then what was begun, then the rest; completed ones at the end. */
const inOrder = (list: MyCourse[]) =>
  list.toSorted(
    (a, b) =>
      Number(isDone(a)) - Number(isDone(b)) ||
      (isDone(a)
        ? (b.completedAt ?? "").localeCompare(a.completedAt ?? "")
        : (a.dueDate ?? "9").localeCompare(b.dueDate ?? "9")) ||
      (b.lastActivityAt ?? "").localeCompare(a.lastActivityAt ?? "") ||
      a.title.localeCompare(b.title),
  );

type Props = {
  title: string;
  courses: MyCourse[];
  /** Shown elsewhere on the page, unless somebody filters. */ apart?: string | undefined;
};

/** The courses of a learner as cards, with a filter in the address. */
export function CourseCards({ title, courses, apart }: Props) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const view: View = views.find((one) => one === params.get("show")) ?? "all";
  const inView = (one: View) => courses.filter((course) => one === "all" || isDone(course) === (one === "completed"));
  const shown = inOrder(inView(view).filter(({ courseId }) => courseId !== apart));
  const choose = (next: string) => setParams(next === "all" ? {} : { show: next }, { preventScrollReset: true });

  return (
    <Section
      title={title}
      side={
        <SegmentedControl
          aria-label={t("courses.mine.show")}
          value={view}
          onChange={choose}
          data={views.map((value) => ({ value, label: t(`courses.mine.${value}`) }))}
        />
      }
    >
      {shown.length > 0 ? (
        <ul className={classes.cards}>
          {shown.map((course) => (
            <CourseCard key={course.courseId} course={course} />
          ))}
        </ul>
      ) : (
        <div className={classes.nothing}>
          {view === "completed"
            ? t("courses.mine.noneCompleted")
            : view === "todo"
              ? t("courses.mine.noneTodo")
              : t("courses.mine.noMore")}
          {view !== "all" && courses.length > 1 && (
            <Button variant="subtle" onClick={() => choose("all")}>
              {t("courses.mine.showAll")}
            </Button>
          )}
        </div>
      )}
    </Section>
  );
}
