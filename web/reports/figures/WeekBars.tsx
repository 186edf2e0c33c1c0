import { useTranslation } from "react-i18next";
import { IncompleteKey } from "#web/core/display/IncompleteKey.tsx";
import { firstUncounted, isPartialWeek } from "#web/core/display/runningSeries.ts";
import { dayIn } from "#web/core/format/zone.ts";
import { formatDue, formatNumber } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { Bars } from "#web/reports/figures/Bars.tsx";
import { useReportLink } from "#web/reports/figures/useReportLink.ts";
import { weekNumber } from "#web/reports/weekNumber.ts";
import type { Report } from "#shared/reports/reports.ts";

/** Completions by week of the period; each links to the people who completed in that week. */
export function WeekBars({ report: { figures, filters, asOf, isLive } }: { report: Report }) {
  const { t } = useTranslation();
  const linkTo = useReportLink();
  const lastDay = dayIn(new Date(Date.parse(asOf) - 1).toISOString(), filters.zone);
  const uncounted = firstUncounted(filters.to, lastDay, isLive);
  const bars = figures.weeks.map(({ week, completedIn }) => {
    const isPartial = isPartialWeek(week, filters.from, uncounted);
    const name = t("reports.weekOf", { number: weekNumber(week), day: formatDue(week) });
    return {
      key: week,
      label: t("reports.week", { number: weekNumber(week) }),
      value: completedIn,
      title: t("reports.report.weekTitle", {
        week: isPartial ? t("web.chart.incomplete", { name }) : name,
        count: completedIn,
        n: formatNumber(completedIn),
      }),
      to: linkTo({ group: "completedIn", week }),
      isPartial,
    };
  });
  return (
    <Section
      title={t("reports.report.perWeek")}
      side={
        bars.some(({ isPartial }) => isPartial) && (
          <IncompleteKey look="hatched">{t("web.chart.incompleteWeek")}</IncompleteKey>
        )
      }
    >
      <Bars bars={bars} label={t("reports.report.perWeek")} />
    </Section>
  );
}
