import { useTranslation } from "react-i18next";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatDuration, formatNumber, formatPercent } from "#web/core/format/format.ts";
import { useReportLink } from "#web/reports/figures/useReportLink.ts";
import type { Report } from "#shared/reports/reports.ts";
import { roundPercent, shareOf } from "#shared/core/percent.ts";

/** The key figures as of the day of the report; each with its definition and a link to its people. */
export function ReportLedger({ report: { figures, filters, isLive } }: { report: Report }) {
  const { t } = useTranslation();
  const linkTo = useReportLink();
  const { totals, period, members } = figures;
  const define = (
    name: "assigned" | "started" | "completed" | "overdue" | "passed" | "people" | "learners",
    part?: number,
    whole = totals.assigned,
  ) => {
    const exact = part === undefined ? null : shareOf(part, whole);
    const definition = t(`reports.report.definitions.${name}`);
    if (part === undefined || exact === null) return definition;
    const sum = {
      part: formatNumber(part),
      whole: formatNumber(whole),
      exact: formatNumber(roundPercent(exact, 1), 1),
    };
    return `${definition} ${t("reports.report.sum", sum)}`;
  };
  return (
    <StatTiles>
      {members ? (
        <StatTile
          label={t("reports.report.figures.learners")}
          value={formatNumber(members.active + members.invited + members.suspended)}
          note={t("reports.report.members", {
            n: formatNumber(members.active),
            invited: formatNumber(members.invited),
            suspended: formatNumber(members.suspended),
          })}
          definition={define("learners")}
          {...(isLive && filters.companyId && { to: `/companies/${filters.companyId}?tab=learners` })}
        />
      ) : (
        <StatTile
          label={t("reports.report.figures.people")}
          value={formatNumber(totals.people)}
          note={t("reports.report.activeNote", { n: formatNumber(period.activePeople) })}
          definition={define("people")}
          to={linkTo({ group: "assigned" })}
        />
      )}
      <StatTile
        label={t("reports.report.figures.assigned")}
        value={formatNumber(totals.assigned)}
        note={t("reports.report.inPeriod", { n: formatNumber(period.assignedIn) })}
        definition={define("assigned")}
        to={linkTo({ group: "assigned" })}
      />
      <StatTile
        label={t("reports.report.figures.started")}
        value={formatPercent(shareOf(totals.started, totals.assigned))}
        note={t("reports.report.ofAssigned", { n: formatNumber(totals.started) })}
        definition={define("started", totals.started)}
        to={linkTo({ group: "started" })}
      />
      <StatTile
        label={t("reports.report.figures.completed")}
        value={formatPercent(shareOf(totals.completed, totals.assigned))}
        note={t("reports.report.ofAssigned", { n: formatNumber(totals.completed) })}
        definition={define("completed", totals.completed)}
        to={linkTo({ group: "completed" })}
      />
      <StatTile
        label={t("reports.report.figures.overdue")}
        value={formatNumber(totals.overdue)}
        bad={totals.overdue > 0}
        note={formatPercent(shareOf(totals.overdue, totals.assigned))}
        definition={define("overdue", totals.overdue)}
        to={linkTo({ group: "overdue" })}
      />
      <StatTile
        label={t("reports.report.figures.meanScore")}
        value={formatPercent(totals.meanScore)}
        note={t("reports.report.scoreNote", { n: formatNumber(totals.scored) })}
        definition={t("reports.report.definitions.meanScore")}
        to={linkTo({ group: "scored" })}
      />
      <StatTile
        label={t("reports.report.figures.medianSeconds")}
        value={totals.medianSeconds === null ? "–" : formatDuration(totals.medianSeconds)}
        note={
          totals.medianDays === null
            ? t("reports.report.median")
            : t("reports.report.daysNote", {
                count: Math.round(totals.medianDays),
                n: formatNumber(totals.medianDays, 1),
              })
        }
        definition={[
          t("reports.report.definitions.medianSeconds"),
          `${t("reports.report.figures.medianDays")}: ${t("reports.report.definitions.medianDays")}`,
        ].join(" ")}
        to={linkTo({ group: "completed", sort: "-activeSeconds" })}
      />
    </StatTiles>
  );
}
