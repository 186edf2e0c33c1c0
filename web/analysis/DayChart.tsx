import "@mantine/charts/styles.layer.css";
import { AreaChart } from "@mantine/charts";
import { useTranslation } from "react-i18next";
import { formatDue, formatNumber } from "#web/core/format/format.ts";
import { chartColors, chartPast } from "#web/theme.ts";
import type { ConversationAnalytics } from "#shared/analysis.ts";

/** Conversations per day beside the period before; straight lines, because weekends are real. */
export function DayChart({ days }: Pick<ConversationAnalytics, "days">) {
  const { t } = useTranslation();
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
        xAxisProps={{ tickFormatter: (day: string) => formatDue(day), minTickGap: 40 }}
        yAxisProps={{ allowDecimals: false, width: 34 }}
        valueFormatter={(value) => formatNumber(value)}
        areaChartProps={{ accessibilityLayer: false, margin: { left: -6, right: 8, top: 8 } }}
      />
    </figure>
  );
}
