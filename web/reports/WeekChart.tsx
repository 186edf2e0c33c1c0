import "@mantine/charts/styles.layer.css";
import { AreaChart } from "@mantine/charts";
import { useTranslation } from "react-i18next";
import { weekNumber } from "#web/reports/weekNumber.ts";
import { chartMargin, countAxis, timeAxis } from "#web/core/display/chartAxes.ts";
import { ChartTable } from "#web/core/display/ChartTable.tsx";
import { formatDue, formatNumber } from "#web/core/format/format.ts";
import { chartColors, chartPast } from "#web/core/brand/theme.ts";
import type { Dashboard } from "#shared/reports/dashboard.ts";

/** Courses started and completed per week. */
export function WeekChart({ weeks }: { weeks: Dashboard["weeks"] }) {
  const { t } = useTranslation();
  const sum = (key: "started" | "completed") => weeks.reduce((total, week) => total + week[key], 0);
  const label = t("reports.dashboard.weeksSummary", {
    count: weeks.length,
    started: formatNumber(sum("started")),
    completed: formatNumber(sum("completed")),
  });
  const nameOf = (week: string) => t("reports.weekOf", { number: weekNumber(week), day: formatDue(week) });
  return (
    <figure style={{ margin: 0 }} aria-label={label}>
      <AreaChart
        h={210}
        data={weeks}
        dataKey="week"
        withLegend={false}
        curveType="linear"
        withGradient
        series={[
          { name: "started", label: t("reports.dashboard.started"), color: chartPast },
          { name: "completed", label: t("reports.dashboard.completed"), color: chartColors[0] as string },
        ]}
        xAxisProps={{
          tickFormatter: (week: string) => t("reports.week", { number: weekNumber(week) }),
          ...timeAxis,
        }}
        yAxisProps={countAxis}
        valueFormatter={(value) => formatNumber(value)}
        tooltipProps={{
          labelFormatter: (week) => week && nameOf(String(week)),
        }}
        areaChartProps={{ accessibilityLayer: false, margin: chartMargin }}
      />
      <ChartTable
        head={[t("web.chart.week"), t("reports.dashboard.started"), t("reports.dashboard.completed")]}
        rows={weeks.map(({ week, started, completed }) => ({
          key: week,
          cells: [nameOf(week), formatNumber(started), formatNumber(completed)],
        }))}
      />
    </figure>
  );
}
