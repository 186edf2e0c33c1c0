import "@mantine/charts/styles.layer.css";
import { AreaChart } from "@mantine/charts";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import classes from "#web/analysis/analysis.module.css";
import { useCountedLink } from "#web/analysis/figures/useCountedLink.ts";
import { CountedLink } from "#web/analysis/figures/CountedLink.tsx";
import { chartMargin, countAxis, timeAxis } from "#web/core/display/chartAxes.ts";
import { ChartTable } from "#web/core/display/ChartTable.tsx";
import { formatDue, formatNumber } from "#web/core/format/format.ts";
import { chartColors, chartPast } from "#web/core/brand/theme.ts";
import type { ConversationAnalytics } from "#shared/analysis/conversationAnalytics.ts";

/**
 * Conversations per day compared with the preceding period; straight lines, because smoothing would hide weekends. A
 * day links to its conversations; for keyboards, the links are in the table.
 */
export function DayChart({ days }: Pick<ConversationAnalytics, "days">) {
  const { t } = useTranslation();
  const linkTo = useCountedLink();
  const navigate = useNavigate();
  const sum = (key: "count" | "before") => formatNumber(days.reduce((total, day) => total + day[key], 0));
  return (
    <figure
      style={{ margin: 0 }}
      aria-label={t("analysis.analytics.perDaySummary", { now: sum("count"), before: sum("before") })}
    >
      <AreaChart
        h={220}
        data={days}
        dataKey="day"
        withLegend={false}
        withDots={false}
        curveType="linear"
        fillOpacity={0.12}
        withGradient={false}
        series={[
          { name: "before", label: t("analysis.analytics.periodBefore"), color: chartPast },
          { name: "count", label: t("analysis.analytics.thisPeriod"), color: chartColors[0] as string },
        ]}
        xAxisProps={{ tickFormatter: (day: string) => formatDue(day), ...timeAxis }}
        yAxisProps={countAxis}
        valueFormatter={(value) => formatNumber(value)}
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
        rows={days.map(({ day, count, before }) => ({
          key: day,
          cells: [
            formatDue(day),
            count > 0 ? (
              <CountedLink key="count" by={{ from: day, to: day }}>
                {formatNumber(count)}
              </CountedLink>
            ) : (
              formatNumber(0)
            ),
            formatNumber(before),
          ],
        }))}
      />
    </figure>
  );
}
