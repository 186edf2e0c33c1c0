import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatNumber } from "#web/core/format/format.ts";
import classes from "#web/team/team.module.css";
import type { ProgressOfCourse } from "#shared/team/team.ts";

const parts = ["completed", "inProgress", "notStarted", "overdue"] as const;

/** How far one's people are in each course, as a bar with its numbers in words. */
export function CourseBars({ courses }: { courses: ProgressOfCourse[] }) {
  const { t } = useTranslation();
  return (
    <>
      {courses.map((course) => (
        <div key={course.id} className={classes.course}>
          <div className={classes.courseHead}>
            <Link to={`/team/people?courseId=${course.id}`}>{course.title}</Link>
            <span className={classes.count}>
              {t("team.completedOf", { n: formatNumber(course.completed), total: formatNumber(course.assigned) })}
            </span>
          </div>
          <div
            className={classes.bar}
            role="img"
            aria-label={parts.map((part) => `${t(`team.parts.${part}`)} ${formatNumber(course[part])}`).join(", ")}
          >
            {parts.map(
              (part) => course[part] > 0 && <i key={part} data-part={part} style={{ flexGrow: course[part] }} />,
            )}
          </div>
        </div>
      ))}
      <p className={classes.legend} aria-hidden>
        {parts.map((part) => (
          <span key={part}>
            <i data-part={part} />
            {t(`team.parts.${part}`)}
          </span>
        ))}
      </p>
    </>
  );
}
