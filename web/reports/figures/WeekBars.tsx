import { useTranslation } from "react-i18next";
import { formatDue, formatNumber } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { Bars } from "#web/reports/figures/Bars.tsx";
import { useReportLink } from "#web/reports/figures/useReportLink.ts";
import { weekNumber } from "#web/reports/weekNumber.ts";
import type { Report } from "#shared/reports/reports.ts";

/** Completions by week of the period; each links to the people who completed in that week. */
export function WeekBars({ report: { figures } }: { report: Report }) {
  const { t } = useTranslation();
  const linkTo = useReportLink();
  const bars = figures.weeks.map(({ week, completedIn }) => ({
    key: week,
    label: t("reports.week", { number: weekNumber(week) }),
    value: completedIn,
    title: t("reports.report.weekTitle", {
      week: t("reports.weekOf", { number: weekNumber(week), day: formatDue(week) }),
      count: completedIn,
      n: formatNumber(completedIn),
    }),
    to: linkTo({ group: "completedIn", week }),
  }));
  return (
    <Section title={t("reports.report.perWeek")}>
      <Bars bars={bars} label={t("reports.report.perWeek")} />
    </Section>
  );
}
