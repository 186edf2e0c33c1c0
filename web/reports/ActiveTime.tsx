import "@mantine/charts/styles.layer.css";
import { BarChart } from "@mantine/charts";
import { useTranslation } from "react-i18next";
import { createCalendar, WEEKS } from "#web/reports/activityCalendar.ts";
import { weekNumber } from "#web/reports/weekNumber.ts";
import { chartMargin, countAxis, timeAxis } from "#web/core/display/chartAxes.ts";
import { ChartTable } from "#web/core/display/ChartTable.tsx";
import { formatDue, formatDuration } from "#web/core/format/format.ts";
import { chartColors } from "#web/core/brand/theme.ts";
import type { LearnerReport } from "#shared/reports/reports.ts";

/** Active time per week in the 26 weeks until a day. */
export function ActiveTime({ days, until }: { days: LearnerReport["days"]; until: string }) {
  const { t } = useTranslation();
  const calendar = createCalendar(days, until);
  const weeks = Array.from({ length: WEEKS }, (_, week) => {
    const weekDays = calendar.filter((day) => day.week === week);
    return {
      week: weekDays[0]?.day ?? "",
      minutes: Math.round(weekDays.reduce((sum, { seconds }) => sum + seconds, 0) / 60),
    };
  });
  const total = weeks.reduce((sum, { minutes }) => sum + minutes, 0);
  const nameOf = (week: string) => t("reports.weekOf", { number: weekNumber(week), day: formatDue(week) });
  return (
    <figure
      style={{ margin: 0 }}
      aria-label={t("reports.learner.perWeekLabel", { time: formatDuration(total * 60), count: WEEKS })}
    >
      <BarChart
        h={190}
        data={weeks}
        dataKey="week"
        series={[{ name: "minutes", label: t("reports.stats.active"), color: chartColors[0] as string }]}
        xAxisProps={{ tickFormatter: (week: string) => t("reports.week", { number: weekNumber(week) }), ...timeAxis }}
        yAxisProps={{
          ...countAxis,
          tickFormatter: (minutes: number) => (minutes === 0 ? "0" : formatDuration(minutes * 60)),
        }}
        valueFormatter={(minutes) => formatDuration(minutes * 60)}
        barChartProps={{ accessibilityLayer: false, margin: chartMargin }}
        tooltipProps={{
          labelFormatter: (week) => week && nameOf(String(week)),
        }}
      />
      <ChartTable
        head={[t("web.chart.week"), t("reports.stats.active")]}
        rows={weeks.map(({ week, minutes }) => ({ key: week, cells: [nameOf(week), formatDuration(minutes * 60)] }))}
      />
    </figure>
  );
}
