import { useTranslation } from "react-i18next";
import { daysUntil } from "#web/courses/daysUntil.ts";
import { formatDuration, formatDue, formatPercent } from "#web/core/format/format.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import type { MyCourse } from "#shared/courses.ts";

/** A due day closer than this is a warning. */
const SOON_DAYS = 7;

/** The one line below a title: how it ended, or when it is due. Only what is urgent gets a pill. */
export function CourseNote({ course }: { course: MyCourse }) {
  const { t } = useTranslation();
  const { status, dueDate, overdue, completedAt, scorePercent, minutes, archived } = course;
  if (status === "completed") {
    const day = completedAt
      ? t("courses.mine.completedOn", { day: formatDue(completedAt) })
      : t("courses.enrolment.completed");
    return <>{scorePercent === null ? day : `${day}, ${formatPercent(scorePercent)}`}</>;
  }
  if (archived) return <>{t("courses.mine.closed")}</>;
  const left = dueDate ? daysUntil(dueDate) : null;
  const failed = status === "failed" && (
    <Pill tone="bad">
      {scorePercent === null
        ? t("courses.enrolment.failed")
        : t("courses.mine.failedWith", { score: formatPercent(scorePercent) })}
    </Pill>
  );
  const due =
    dueDate &&
    left !== null &&
    (overdue ? (
      <Pill tone="bad">{t("courses.mine.overdueSince", { day: formatDue(dueDate) })}</Pill>
    ) : left <= SOON_DAYS ? (
      <Pill tone="warn">
        {left <= 0
          ? t("courses.mine.dueToday")
          : left === 1
            ? t("courses.mine.dueTomorrow")
            : t("courses.mine.dueIn", { day: formatDue(dueDate), count: left })}
      </Pill>
    ) : (
      <span>{t("courses.mine.due", { day: formatDue(dueDate) })}</span>
    ));
  if (failed || due)
    return (
      <>
        {failed} {due}
      </>
    );
  return <>{minutes ? t("courses.mine.about", { time: formatDuration(minutes * 60) }) : t("courses.mine.noDue")}</>;
}
