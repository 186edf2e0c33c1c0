import "@mantine/charts/styles.layer.css";
import { AreaChart } from "@mantine/charts";
import { useTranslation } from "react-i18next";
import { weekNumber } from "#web/reports/weekNumber.ts";
import { chartMargin, countAxis, timeAxis } from "#web/core/display/chartAxes.ts";
import { RunningTooltip } from "#web/core/display/RunningTooltip.tsx";
import { RUNNING_DASHES, runningName, splitRunning } from "#web/core/display/runningSeries.ts";
import { ChartTable } from "#web/core/display/ChartTable.tsx";
import { formatDue, formatNumber } from "#web/core/format/format.ts";
import { chartColors, chartPast } from "#web/core/brand/theme.ts";
import type { Dashboard } from "#shared/reports/dashboard.ts";

/** Courses started and completed per week. The last week is incomplete. */
export function WeekChart({ weeks }: { weeks: Dashboard["weeks"] }) {
  const { t } = useTranslation();
  const sum = (key: "started" | "completed") => weeks.reduce((total, week) => total + week[key], 0);
  const label = t("reports.dashboard.weeksSummary", {
    count: weeks.length,
    started: formatNumber(sum("started")),
    completed: formatNumber(sum("completed")),
  });
  const isRunning = ({ week }: { week: string }) => week === weeks.at(-1)?.week;
  const nameOf = (week: string) => {
    const name = t("reports.weekOf", { number: weekNumber(week), day: formatDue(week) });
    return isRunning({ week }) ? t("web.chart.incomplete", { name }) : name;
  };
  const complete = [
    { name: "started", label: t("reports.dashboard.started"), color: chartPast },
    { name: "completed", label: t("reports.dashboard.completed"), color: chartColors[0] as string },
  ];
  const series = [
    ...complete,
    ...complete.map((one) => ({ ...one, name: runningName(one.name), strokeDasharray: RUNNING_DASHES })),
  ];
  const valueFormatter = (value: number) => formatNumber(value);
  return (
    <figure style={{ margin: 0 }} aria-label={label}>
      <AreaChart
        h={210}
        data={splitRunning(weeks, ["started", "completed"], isRunning)}
        dataKey="week"
        withLegend={false}
        curveType="linear"
        withGradient
        series={series}
        xAxisProps={{
          tickFormatter: (week: string) => t("reports.week", { number: weekNumber(week) }),
          ...timeAxis,
        }}
        yAxisProps={countAxis}
        valueFormatter={valueFormatter}
        tooltipProps={{
          content: ({ label: week, payload }) => (
            <RunningTooltip
              {...{ payload, series, complete, valueFormatter }}
              label={week !== undefined && nameOf(String(week))}
            />
          ),
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
