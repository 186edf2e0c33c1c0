import { useTranslation } from "react-i18next";
import { formatDue, formatDuration, formatNumber, formatPercent, share } from "#web/core/format/format.ts";
import { StatTiles, StatTile } from "#web/core/display/StatTiles.tsx";
import type { LearnerReport } from "#shared/reports.ts";

/** The key figures of a learner. */
export function LearnerStats({ summary, enrolments }: Pick<LearnerReport, "summary" | "enrolments">) {
  const { t } = useTranslation();
  const {
    completed,
    assigned,
    overdue,
    nextDue,
    meanScore,
    companyMeanScore,
    activeSeconds,
    reportedSeconds,
    sessions,
    activeDays,
  } = summary;
  const hasOpenCourses = enrolments.some(({ status }) => status !== "completed");
  let dueNote = hasOpenCourses ? t("reports.stats.noDue") : undefined;
  if (nextDue) dueNote = t("reports.stats.nextDue", { day: formatDue(nextDue) });
  return (
    <StatTiles>
      <StatTile
        label={t("reports.stats.completed")}
        definition={t("reports.stats.define.completed")}
        value={t("reports.stats.of", { done: formatNumber(completed), all: formatNumber(assigned) })}
        to="#courses"
        note={assigned > 0 ? formatPercent(share(completed, assigned)) : t("reports.stats.nothing")}
      />
      <StatTile
        label={t("reports.stats.overdue")}
        definition={t("reports.stats.define.overdue")}
        value={formatNumber(overdue)}
        bad={overdue > 0}
        to="#courses"
        note={dueNote}
      />
      <StatTile
        label={t("reports.stats.mean")}
        definition={t("reports.stats.define.mean")}
        to="#courses"
        value={formatPercent(meanScore)}
        note={
          companyMeanScore === null
            ? undefined
            : t("reports.stats.companyMean", { score: formatPercent(companyMeanScore) })
        }
      />
      <StatTile
        label={t("reports.stats.active")}
        definition={t("reports.stats.define.active")}
        to="#sessions"
        value={formatDuration(activeSeconds)}
        note={t("reports.stats.reported", { time: formatDuration(reportedSeconds) })}
      />
      <StatTile
        label={t("reports.stats.sessions")}
        definition={t("reports.stats.define.sessions")}
        value={formatNumber(sessions)}
        note={t("reports.stats.days", { count: activeDays })}
        to="#sessions"
      />
    </StatTiles>
  );
}
