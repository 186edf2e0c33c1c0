import "@mantine/charts/styles.layer.css";
import { BarChart } from "@mantine/charts";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { createCalendar, WEEKS } from "#web/reports/activityCalendar.ts";
import { weekNumber } from "#web/reports/weekNumber.ts";
import { chartMargin, countAxis, timeAxis } from "#web/core/display/chartAxes.ts";
import classes from "#web/reports/ActiveDays.module.css";
import { IncompleteKey } from "#web/core/display/IncompleteKey.tsx";
import { RunningTooltip } from "#web/core/display/RunningTooltip.tsx";
import { firstUncounted, isPartialWeek, runningName, splitRunning } from "#web/core/display/runningSeries.ts";
import { ChartTable } from "#web/core/display/ChartTable.tsx";
import { formatDue, formatDuration } from "#web/core/format/format.ts";
import { chartColors } from "#web/core/brand/theme.ts";
import type { LearnerReport } from "#shared/reports/reports.ts";

/** Active time per week in the 26 weeks until a day. */
export function ActiveTime({ days, until, isLive }: { days: LearnerReport["days"]; until: string; isLive: boolean }) {
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
  const uncounted = firstUncounted(until, until, isLive);
  const isRunning = ({ week }: { week: string }) => isPartialWeek(week, "", uncounted);
  const nameOf = (week: string) => {
    const name = t("reports.weekOf", { number: weekNumber(week), day: formatDue(week) });
    return isRunning({ week }) ? t("web.chart.incomplete", { name }) : name;
  };
  const complete = [
    { name: "minutes", label: t("reports.stats.active"), color: chartColors[0] as string, stackId: "time" },
  ];
  const hatching = useId();
  const series = [
    ...complete,
    ...complete.map((one) => ({ ...one, name: runningName(one.name), color: `url(#${hatching})` })),
  ];
  const valueFormatter = (minutes: number) => formatDuration(minutes * 60);
  return (
    <figure
      style={{ margin: 0 }}
      aria-label={t("reports.learner.perWeekLabel", { time: formatDuration(total * 60), count: WEEKS })}
    >
      <BarChart
        h={190}
        data={splitRunning(weeks, ["minutes"], isRunning, { joined: false })}
        dataKey="week"
        series={series}
        xAxisProps={{ tickFormatter: (week: string) => t("reports.week", { number: weekNumber(week) }), ...timeAxis }}
        yAxisProps={{
          ...countAxis,
          tickFormatter: (minutes: number) => (minutes === 0 ? "0" : formatDuration(minutes * 60)),
        }}
        valueFormatter={valueFormatter}
        barChartProps={{ accessibilityLayer: false, margin: chartMargin }}
        tooltipProps={{
          content: ({ label: week, payload }) => (
            <RunningTooltip
              {...{ payload, series, complete, valueFormatter }}
              label={week !== undefined && nameOf(String(week))}
            />
          ),
        }}
      >
        <defs>
          <pattern id={hatching} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="6" height="6" fill="var(--ly-chart-1)" fillOpacity="0.25" />
            <rect width="2" height="6" fill="var(--ly-chart-1)" />
          </pattern>
        </defs>
      </BarChart>
      {weeks.some(isRunning) && (
        <figcaption className={classes.incomplete}>
          <IncompleteKey look="hatched">{t("web.chart.incompleteWeek")}</IncompleteKey>
        </figcaption>
      )}
      <ChartTable
        head={[t("web.chart.week"), t("reports.stats.active")]}
        rows={weeks.map(({ week, minutes }) => ({ key: week, cells: [nameOf(week), formatDuration(minutes * 60)] }))}
      />
    </figure>
  );
}
