import "@mantine/charts/styles.layer.css";
import { AreaChart } from "@mantine/charts";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import classes from "#web/analysis/analysis.module.css";
import { useCountedLink } from "#web/analysis/figures/useCountedLink.ts";
import { CountedLink } from "#web/analysis/figures/CountedLink.tsx";
import { chartMargin, countAxis, timeAxis } from "#web/core/display/chartAxes.ts";
import { RunningTooltip } from "#web/core/display/RunningTooltip.tsx";
import { RUNNING_DASHES, runningName, splitRunning } from "#web/core/display/runningSeries.ts";
import { ChartTable } from "#web/core/display/ChartTable.tsx";
import { formatDue, formatNumber } from "#web/core/format/format.ts";
import { chartColors, chartPast } from "#web/core/brand/theme.ts";
import type { ConversationAnalytics } from "#shared/analysis/conversationAnalytics.ts";

/**
 * Conversations per day compared with the preceding period; straight lines, because smoothing would hide weekends. A
 * day links to its conversations; for keyboards, the links are in the table.
 */
export function DayChart({ days, today }: Pick<ConversationAnalytics, "days"> & { today: string }) {
  const { t } = useTranslation();
  const linkTo = useCountedLink();
  const navigate = useNavigate();
  const sum = (key: "count" | "before") => formatNumber(days.reduce((total, day) => total + day[key], 0));
  const isRunning = ({ day }: { day: string }) => day >= today;
  const nameOf = (day: string) =>
    isRunning({ day }) ? t("web.chart.incomplete", { name: formatDue(day) }) : formatDue(day);
  const before = { name: "before", label: t("analysis.analytics.periodBefore"), color: chartPast };
  const now = { name: "count", label: t("analysis.analytics.thisPeriod"), color: chartColors[0] as string };
  const series = [before, now, { ...now, name: runningName(now.name), strokeDasharray: RUNNING_DASHES }];
  const valueFormatter = (value: number) => formatNumber(value);
  return (
    <figure
      style={{ margin: 0 }}
      aria-label={t("analysis.analytics.perDaySummary", { now: sum("count"), before: sum("before") })}
    >
      <AreaChart
        h={220}
        data={splitRunning(days, ["count"], isRunning)}
        dataKey="day"
        withLegend={false}
        withDots={false}
        curveType="linear"
        fillOpacity={0.12}
        withGradient={false}
        series={series}
        xAxisProps={{ tickFormatter: (day: string) => formatDue(day), ...timeAxis }}
        yAxisProps={countAxis}
        valueFormatter={valueFormatter}
        tooltipProps={{
          content: ({ label: day, payload }) => (
            <RunningTooltip
              {...{ payload, series, valueFormatter }}
              complete={[before, now]}
              label={day !== undefined && nameOf(String(day))}
            />
          ),
        }}
        className={classes.days}
        areaChartProps={{
          onClick: ({ activeLabel }) => {
            const day = String(activeLabel ?? "");
            if (day !== "") void navigate(linkTo({ from: day, to: day }));
          },
          accessibilityLayer: false,
          margin: chartMargin,
        }}
      />
      <ChartTable
        head={[t("web.chart.day"), t("analysis.analytics.thisPeriod"), t("analysis.analytics.periodBefore")]}
        rows={days.map(({ day, count, before: earlier }) => ({
          key: day,
          cells: [
            nameOf(day),
            count > 0 ? (
              <CountedLink key="count" by={{ from: day, to: day }}>
                {formatNumber(count)}
              </CountedLink>
            ) : (
              formatNumber(0)
            ),
            formatNumber(earlier),
          ],
        }))}
      />
    </figure>
  );
}
