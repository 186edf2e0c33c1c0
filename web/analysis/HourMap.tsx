import { useTranslation } from "react-i18next";
import classes from "#web/analysis/analysis.module.css";
import type { ConversationAnalytics } from "#shared/analysis.ts";

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
const HOURS = 24;
const LABEL_EVERY = 3;

/** Messages by weekday and hour; the darkest cell has most. */
export function HourMap({ hours }: Pick<ConversationAnalytics, "hours">) {
  const { t } = useTranslation();
  const most = Math.max(1, ...hours.map(({ count }) => count));
  const countAt = (weekday: number, hour: number) =>
    hours.find((cell) => cell.weekday === weekday && cell.hour === hour)?.count ?? 0;
  const shown = Array.from({ length: HOURS }, (_, hour) => hour);
  return (
    <div className={classes.heatScroll} role="region" aria-label={t("analysis.analytics.when")} tabIndex={0}>
      <table className={classes.heat}>
        <tbody>
          {weekdays.map((weekday) => {
            const day = t(`analysis.analytics.weekdays.${weekday}`);
            return (
              <tr key={weekday}>
                <th scope="row">{day}</th>
                {shown.map((hour) => {
                  const count = countAt(weekday, hour);
                  const label = t("analysis.analytics.hourCell", { day, hour, count });
                  return (
                    <td
                      key={hour}
                      title={label}
                      aria-label={label}
                      style={{ "--share": `${Math.round((count / most) * 100)}%` } as React.CSSProperties}
                    />
                  );
                })}
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th />
            {shown.map((hour) => (
              <th key={hour} scope="col">
                {hour % LABEL_EVERY === 0 ? String(hour).padStart(2, "0") : ""}
              </th>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
