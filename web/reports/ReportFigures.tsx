import { useTranslation } from "react-i18next";
import { formatDue, formatDuration, formatNumber, formatPercent, share } from "#web/core/format/format.ts";
import { StatTiles, StatTile } from "#web/core/display/StatTiles.tsx";
import type { LearnerReport } from "#shared/reports.ts";

/** The five figures of a learner. */
export function ReportFigures({ summary, enrolments }: Pick<LearnerReport, "summary" | "enrolments">) {
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
  const open = enrolments.filter(({ status }) => status !== "completed").length;
  return (
    <StatTiles>
      <StatTile
        label={t("reports.stats.completed")}
        value={t("reports.stats.of", { done: formatNumber(completed), all: formatNumber(assigned) })}
        to="#courses"
        note={assigned > 0 ? formatPercent(share(completed, assigned)) : t("reports.stats.nothing")}
      />
      <StatTile
        label={t("reports.stats.overdue")}
        value={formatNumber(overdue)}
        bad={overdue > 0}
        to="#courses"
        note={
          nextDue
            ? t("reports.stats.nextDue", { day: formatDue(nextDue) })
            : open > 0
              ? t("reports.stats.noDue")
              : undefined
        }
      />
      <StatTile
        label={t("reports.stats.mean")}
        value={formatPercent(meanScore)}
        note={
          companyMeanScore === null
            ? undefined
            : t("reports.stats.companyMean", { score: formatPercent(companyMeanScore) })
        }
      />
      <StatTile
        label={t("reports.stats.active")}
        value={formatDuration(activeSeconds)}
        note={t("reports.stats.reported", { time: formatDuration(reportedSeconds) })}
      />
      <StatTile
        label={t("reports.stats.sessions")}
        value={formatNumber(sessions)}
        note={t("reports.stats.days", { count: activeDays })}
        to="#sessions"
      />
    </StatTiles>
  );
}
