import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/courses/learner/UpcomingDates.module.css";
import { formatDate, formatDue, isThisYear } from "#web/core/format/format.ts";
import { DayMark } from "#web/core/display/DayMark.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import type { MyCourse } from "#shared/courses/enrolments.ts";

const MAX_DATES = 6;

type Props = {
  courses: MyCourse[];
  /** The learner; null without a company, whose days and reminders the outlook shows. */
  userId: string | null;
};

/** The due dates of open courses, earliest first, so that overdue courses come first. */
export function UpcomingDates({ courses, userId }: Props) {
  const { t } = useTranslation();
  const upcoming = courses
    .filter(
      (course): course is MyCourse & { dueDate: string } =>
        course.dueDate !== null && course.status !== "completed" && !course.archived,
    )
    .toSorted((a, b) => a.dueDate.localeCompare(b.dueDate))
    .slice(0, MAX_DATES);
  const stateOf = (dueDate: string, overdue: boolean) => {
    if (overdue) return t("courses.mine.overdueSince", { day: formatDue(dueDate) });
    return isThisYear(dueDate) ? t("courses.mine.isDue") : t("courses.mine.due", { day: formatDate(dueDate) });
  };
  return (
    <Section title={t("courses.mine.dates")}>
      {upcoming.length === 0 && <p className={classes.none}>{t("courses.mine.noDates")}</p>}
      <ul className={classes.dates}>
        {upcoming.map(({ courseId, title, dueDate, overdue }) => (
          <li key={courseId}>
            <DayMark day={dueDate} />
            <div className={classes.words}>
              <Link to={`/courses/${courseId}`}>{title}</Link>
              <p data-bad={overdue || undefined}>{stateOf(dueDate, overdue)}</p>
            </div>
          </li>
        ))}
      </ul>
      {userId && (
        <Link to={`/learners/outlook/${userId}`} className={classes.more}>
          {t("courses.mine.openOutlook")}
        </Link>
      )}
    </Section>
  );
}
