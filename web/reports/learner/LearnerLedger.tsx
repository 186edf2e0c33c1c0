import { useTranslation } from "react-i18next";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatDue, formatDuration, formatNumber, formatPercent } from "#web/core/format/format.ts";
import { useReportLink } from "#web/reports/figures/useReportLink.ts";
import type { LearnerReport, Report } from "#shared/reports/reports.ts";
import { roundPercent, shareOf } from "#shared/core/percent.ts";

type Props = { report: Report; summary: LearnerReport["summary"] };

/**
 * The key figures of a learner as of the day of the report; each with its definition and a link to the courses or
 * sessions that it counts.
 */
export function LearnerLedger({ report: { figures, isLive, filters }, summary }: Props) {
  const { t } = useTranslation();
  const linkTo = useReportLink();
  const { totals, period, record } = figures;
  const { nextDue, companyMeanScore, sessions, activeDays } = summary;
  // The next due date and the average of the company exist only for today and for all courses together.
  const isToday = isLive && !filters.courseId;
  const done = shareOf(totals.completed, totals.assigned);
  const parts = { part: formatNumber(totals.completed), whole: formatNumber(totals.assigned) };
  const sum =
    done === null ? "" : ` ${t("reports.report.sum", { ...parts, exact: formatNumber(roundPercent(done, 1), 1) })}`;
  const dueNote = nextDue ? t("reports.stats.nextDue", { day: formatDue(nextDue) }) : t("reports.stats.noDue");
  return (
    <StatTiles>
      <StatTile
        label={t("reports.report.figures.assigned")}
        value={formatNumber(totals.assigned)}
        note={t("reports.report.inPeriod", { n: formatNumber(period.assignedIn) })}
        definition={t("reports.report.definitions.assigned")}
        to={linkTo({ group: "assigned" })}
      />
      <StatTile
        label={t("reports.report.figures.completed")}
        value={t("reports.stats.of", { done: parts.part, all: parts.whole })}
        note={totals.assigned > 0 ? formatPercent(done) : t("reports.stats.nothing")}
        definition={t("reports.report.definitions.completed") + sum}
        to={linkTo({ group: "completed" })}
      />
      <StatTile
        label={t("reports.report.figures.overdue")}
        value={formatNumber(totals.overdue)}
        bad={totals.overdue > 0}
        note={isToday && totals.assigned > totals.completed ? dueNote : undefined}
        definition={t("reports.report.definitions.overdue")}
        to={linkTo({ group: "overdue" })}
      />
      <StatTile
        label={t("reports.report.figures.meanScore")}
        value={formatPercent(totals.meanScore)}
        note={
          isToday && companyMeanScore !== null
            ? t("reports.stats.companyMean", { score: formatPercent(companyMeanScore) })
            : t("reports.report.scoreNote", { n: formatNumber(totals.scored) })
        }
        definition={t("reports.report.definitions.meanScore")}
        to={linkTo({ group: "scored" })}
      />
      <StatTile
        label={t("reports.report.figures.learnerSeconds")}
        value={formatDuration(record ? record.activeSeconds : 0)}
        note={t("reports.stats.reported", { time: formatDuration(record ? record.reportedSeconds : 0) })}
        definition={`${t("reports.report.definitions.learnerSeconds")} ${t("reports.stats.define.reported")}`}
        to={linkTo({ group: "started" })}
      />
      <StatTile
        label={t("reports.stats.sessions")}
        value={formatNumber(sessions)}
        note={activeDays === null ? undefined : t("reports.stats.days", { count: activeDays })}
        definition={t("reports.stats.define.sessions")}
        to="#sessions"
      />
    </StatTiles>
  );
}
