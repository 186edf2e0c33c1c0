import { useTranslation } from "react-i18next";
import { daysUntil } from "#web/courses/daysUntil.ts";
import { formatDate, formatDuration, formatDue, formatPercent } from "#web/core/format/format.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import classes from "#web/courses/learner/CourseNote.module.css";
import type { MyCourse } from "#shared/courses/enrolments.ts";

/** Due dates within this number of days are shown as a warning. */
const SOON_DAYS = 7;

/** The line below the title of a course: its result, or when it is due. Only urgent dates and failures get a pill. */
export function CourseNote({ course }: { course: MyCourse }) {
  const { t } = useTranslation();
  const { status, dueDate, completedAt, scorePercent, minutes, archived, exemptUntil } = course;
  if (status === "completed") {
    const day = completedAt
      ? t("courses.mine.completedOn", { day: formatDue(completedAt) })
      : t("courses.enrolment.completed");
    const shown = scorePercent === null ? day : `${day}, ${formatPercent(scorePercent)}`;
    return (
      <>
        {course.setByAdmin ? t("courses.enrolment.setByAdmin", { status: shown }) : shown}
        {course.validUntil && (
          <span className={classes.line}>
            {t("requirements.mine.validUntil", { day: formatDate(course.validUntil) })}
          </span>
        )}
      </>
    );
  }
  if (archived) return <>{t("courses.mine.closed")}</>;
  if (exemptUntil) return <>{t("requirements.mine.exempt", { day: formatDate(exemptUntil) })}</>;
  if (status !== "failed" && !dueDate && !course.isRenewal)
    return <>{minutes ? t("courses.mine.about", { time: formatDuration(minutes * 60) }) : t("courses.mine.noDue")}</>;
  return (
    <>
      {status === "failed" && (
        <Pill tone="bad">
          {scorePercent === null
            ? t("courses.enrolment.failed")
            : t("courses.mine.failedWith", { score: formatPercent(scorePercent) })}
        </Pill>
      )}{" "}
      {dueDate && <DueNote dueDate={dueDate} overdue={course.overdue} />}
      {course.isRenewal && <RenewalNote course={course} />}
    </>
  );
}

/** Why a completed course is to be repeated. */
function RenewalNote({ course: { validUntil } }: { course: MyCourse }) {
  const { t } = useTranslation();
  const day = validUntil && formatDate(validUntil);
  const text = day
    ? t(daysUntil(validUntil) < 0 ? "requirements.mine.renewExpired" : "requirements.mine.renew", { day })
    : t("requirements.mine.renewNow");
  return <span className={classes.line}>{text}</span>;
}

/** When a course is due; marked if that is soon or past. */
export function DueNote({ dueDate, overdue }: { dueDate: string; overdue: boolean }) {
  const { t } = useTranslation();
  const day = formatDue(dueDate);
  if (overdue) return <Pill tone="bad">{t("courses.mine.overdueSince", { day })}</Pill>;
  const days = daysUntil(dueDate);
  if (days > SOON_DAYS) return <span>{t("courses.mine.due", { day })}</span>;
  let text = t("courses.mine.dueIn", { day, count: days });
  if (days <= 0) text = t("courses.mine.dueToday");
  if (days === 1) text = t("courses.mine.dueTomorrow");
  return <Pill tone="warn">{text}</Pill>;
}
