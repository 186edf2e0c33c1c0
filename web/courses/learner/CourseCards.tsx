import { Button, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { CourseCard } from "#web/courses/learner/CourseCard.tsx";
import classes from "#web/courses/learner/CourseCards.module.css";
import { pathOf } from "#web/courses/learner/paths/nextStep.ts";
import { queryFor } from "#web/core/api/api.ts";
import { Section } from "#web/core/layout/Section.tsx";
import type { MyCourse } from "#shared/courses/enrolments.ts";
import { paths } from "#shared/paths/paths.ts";

const views = ["todo", "completed", "all"] as const;
type View = (typeof views)[number];
const isDone = ({ status, archived }: MyCourse) => status === "completed" || archived;

/** Sorted by due date, then by last activity; completed courses at the end. */
const byUrgency = (list: MyCourse[]) =>
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
  /** Id of a course that is shown elsewhere on the page. */
  excluded?: string | undefined;
};

/** The courses of a learner as cards, with a filter stored in the URL. */
export function CourseCards({ title, courses, excluded }: Props) {
  const { t } = useTranslation();
  const { data: own } = useQuery(queryFor(paths.mine));
  const [params, setParams] = useSearchParams();
  const view: View = views.find((candidate) => candidate === params.get("show")) ?? "all";
  const inView = (wanted: View) =>
    courses.filter((course) => wanted === "all" || isDone(course) === (wanted === "completed"));
  const shown = byUrgency(inView(view).filter(({ courseId }) => courseId !== excluded));
  const emptyTexts: Record<View, string> = {
    todo: t("courses.mine.noneTodo"),
    completed: t("courses.mine.noneCompleted"),
    all: t("courses.mine.noMore"),
  };
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
            <CourseCard key={course.courseId} course={course} path={pathOf(own?.items ?? [], course.courseId)} />
          ))}
        </ul>
      ) : (
        <div className={classes.none}>
          {emptyTexts[view]}
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
