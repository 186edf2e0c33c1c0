import { useElementSize } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import classes from "#web/reports/ActiveDays.module.css";
import { createCalendar, summarize, WEEKS } from "#web/reports/activityCalendar.ts";
import { formatDate, formatDuration, formatMonth } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { heatColors } from "#web/core/brand/theme.ts";
import type { LearnerReport } from "#shared/reports/reports.ts";

/** Space for the weekdays and the months in px; the side of a square as a share of the distance to the next one. */
const LEFT = 30;
const BELOW = 21;
const SIDE = 0.78;
/** Width in px until it is measured. */
const WIDTH = LEFT + WEEKS * 20;
/** Monday, Wednesday and Friday of any week, for the row labels. */
const weekdays = [
  [0, "2026-01-05"],
  [2, "2026-01-07"],
  [4, "2026-01-09"],
] as const;

/** A calendar of the 26 weeks until a day: one square per day, darker for more active time. */
export function ActiveDays({ days, until }: { days: LearnerReport["days"]; until: string }) {
  const { t, i18n } = useTranslation();
  const { ref, width: measured } = useElementSize<HTMLDivElement>();
  const width = measured || WIDTH;
  const step = (width - LEFT) / WEEKS;
  const height = 7 * step + BELOW;
  const calendar = createCalendar(days, until);
  const { active, longestBreak } = summarize(calendar);
  const summary =
    active === 0
      ? t("reports.days.none")
      : [
          t("reports.days.active", { count: active }),
          ...(longestBreak > 0 ? [t("reports.days.longestBreak", { count: longestBreak })] : []),
        ].join(", ");
  const months = calendar.filter(({ day, weekday }) => weekday === 0 && Number(day.slice(8)) <= 7);
  const weekday = (day: string) =>
    new Intl.DateTimeFormat(i18n.language, { weekday: "short" }).format(new Date(`${day}T12:00`));

  return (
    <Section title={t("reports.days.title")} side={t("reports.learner.last26Weeks")}>
      <div ref={ref}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          className={classes.days}
          role="img"
          aria-label={t("reports.days.label", { weeks: WEEKS, summary })}
        >
          {weekdays.map(([row, day]) => (
            <text key={row} x="0" y={row * step + (step * SIDE) / 2 + 4} className={classes.word}>
              {weekday(day)}
            </text>
          ))}
          {calendar
            .filter(({ future }) => !future)
            .map(({ day, seconds, level, week, weekday: row }) => (
              <rect
                key={day}
                x={LEFT + week * step}
                y={row * step}
                width={step * SIDE}
                height={step * SIDE}
                rx="3"
                fill={heatColors[level]}
              >
                <title>
                  {seconds > 0
                    ? t("reports.days.day", { day: formatDate(day), time: formatDuration(seconds) })
                    : formatDate(day)}
                </title>
              </rect>
            ))}
          {months.map(({ day, week }) => (
            <text key={day} x={LEFT + week * step} y={height - 5} className={classes.word}>
              {formatMonth(day)}
            </text>
          ))}
        </svg>
      </div>
      <div className={classes.foot}>
        <span>{summary}</span>
        <span className={classes.scale} aria-hidden>
          {t("reports.days.less")}
          {heatColors.map((color) => (
            <i key={color} style={{ background: color }} />
          ))}
          {t("reports.days.more")}
        </span>
      </div>
    </Section>
  );
}
