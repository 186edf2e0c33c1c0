import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/analysis/analysis.module.css";
import { useCountedLink } from "#web/analysis/figures/useCountedLink.ts";
import type { ConversationAnalytics } from "#shared/analysis/conversationAnalytics.ts";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { WideContent } from "#web/core/display/WideContent.tsx";

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
type Weekday = (typeof weekdays)[number];
const HOURS = 24;
/** Earlier hours are shown only if someone wrote in them. */
const NIGHT_ENDS = 6;
const LABEL_EVERY = 3;
/** Every cell is at least 24 px wide and high (touch target). */
const CELL_PX = 27;
const DAY_PX = 44;
/** The lightest shade in percent: one message must look different from none, however many other cells have. */
const LIGHTEST = 12;
const shadeOf = (share: number) => (share > 0 ? LIGHTEST + share * (100 - LIGHTEST) : 0);

/** Messages by weekday and hour; the darkest cell has most. Each cell links to its conversations. */
export function HourMap({ hours }: Pick<ConversationAnalytics, "hours">) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const linkTo = useCountedLink();
  const most = Math.max(1, ...hours.map(({ count }) => count));
  const countAt = (weekday: number, hour: number) =>
    hours.find((cell) => cell.weekday === weekday && cell.hour === hour)?.count ?? 0;
  const first = Math.min(NIGHT_ENDS, ...hours.map(({ hour }) => hour));
  const shown = Array.from({ length: HOURS - first }, (_, index) => first + index);
  const dayName = (weekday: Weekday) => t(`analysis.analytics.weekdays.${weekday}`);
  const cell = (weekday: Weekday, hour: number) => {
    const count = countAt(weekday, hour);
    const label = t("analysis.analytics.hourCell", { day: dayName(weekday), hour, count });
    return (
      <td
        key={`${weekday} ${hour}`}
        title={label}
        {...(count === 0 && { "aria-label": label })}
        style={{ "--share": `${shadeOf(count / most)}%` } as React.CSSProperties}
      >
        {count > 0 && <Link to={linkTo({ weekday, hour })} aria-label={label} />}
      </td>
    );
  };
  // A phone is wide enough for the days, but not for the hours.
  if (isPhone)
    return (
      <table className={classes.heat}>
        <thead>
          <tr>
            <td />
            {weekdays.map((weekday) => (
              <th key={weekday} scope="col">
                {dayName(weekday)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((hour) => (
            <tr key={hour}>
              <th scope="row">{String(hour).padStart(2, "0")}</th>
              {weekdays.map((weekday) => cell(weekday, hour))}
            </tr>
          ))}
        </tbody>
      </table>
    );
  return (
    <WideContent label={t("analysis.analytics.when")}>
      <table className={classes.heat} style={{ minWidth: DAY_PX + shown.length * CELL_PX }}>
        <tbody>
          {weekdays.map((weekday) => (
            <tr key={weekday}>
              <th scope="row">{dayName(weekday)}</th>
              {shown.map((hour) => cell(weekday, hour))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            {shown.map((hour) => (
              <td key={hour}>{hour % LABEL_EVERY === 0 ? String(hour).padStart(2, "0") : ""}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </WideContent>
  );
}

/** Legend of the shades. */
export function HourScale() {
  const { t } = useTranslation();
  return (
    <span className={classes.scale}>
      {t("analysis.analytics.few")}
      {[0, 33, 66, 100].map((share) => (
        <i key={share} style={{ "--share": `${share}%` } as React.CSSProperties} />
      ))}
      {t("analysis.analytics.many")}
    </span>
  );
}
