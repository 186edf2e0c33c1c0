import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/courses/learner/NextDates.module.css";
import { formatMonth } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import type { MyCourse } from "#shared/courses.ts";

/** Dates shown on the start page. */
const MOST = 6;

/** Due days of open courses that are still to come, the nearest first; what is overdue says so in the list of courses. */
export function NextDates({ courses }: { courses: MyCourse[] }) {
  const { t } = useTranslation();
  const dated = courses
    .filter(
      (course): course is MyCourse & { dueDate: string } =>
        course.dueDate !== null && course.status !== "completed" && !course.archived && !course.overdue,
    )
    .toSorted((a, b) => a.dueDate.localeCompare(b.dueDate))
    .slice(0, MOST);
  return (
    <Section title={t("courses.mine.dates")}>
      {dated.length === 0 && <p className={classes.none}>{t("courses.mine.noDates")}</p>}
      <ul className={classes.dates}>
        {dated.map(({ courseId, title, dueDate }) => (
          <li key={courseId}>
            <time dateTime={dueDate} className={classes.day}>
              <span>{dueDate.slice(8)}</span>
              {formatMonth(dueDate)}
            </time>
            <div className={classes.words}>
              <Link to={`/courses/${courseId}`}>{title}</Link>
              <p>{t("courses.mine.isDue")}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
