import { Button } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatLongDay } from "#web/core/format/format.ts";
import list from "#web/events/public/EventList.module.css";
import { EventRow } from "#web/events/public/EventRow.tsx";
import classes from "#web/events/public/MonthPhone.module.css";
import { weeksOf } from "#web/events/public/monthDays.ts";
import { WeekHead } from "#web/events/public/WeekHead.tsx";
import type { PublicEventRow } from "#shared/events/eventViews.ts";

const KEY_STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
type Props = { byDay: ReadonlyMap<string, PublicEventRow[]>; days: string[]; month: string; today: string };

/**
 * A month for phones, with dots for events. Choosing a day lists its events, otherwise the whole month. Arrow keys move
 * between days.
 */
export function MonthPhone({ byDay, days, month, today }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  const monthDays = days.filter((day) => day.startsWith(month));
  const [focused, setFocused] = useState(
    () => monthDays.find((day) => day === today) ?? monthDays.find((day) => byDay.has(day)) ?? monthDays[0],
  );
  const shown = chosen ? (byDay.get(chosen) ?? []) : [...new Set(monthDays.flatMap((day) => byDay.get(day) ?? []))];
  const move = (press: KeyboardEvent<HTMLTableElement>) => {
    const to = monthDays[monthDays.indexOf(focused ?? "") + (KEY_STEPS[press.key] ?? 0)];
    if (!KEY_STEPS[press.key] || !to) return;
    press.preventDefault();
    setFocused(to);
    press.currentTarget.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus();
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the buttons inside */}
      <table className={classes.grid} onKeyDown={move}>
        <WeekHead days={days} />
        <tbody>
          {weeksOf(days).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => {
                const count = byDay.get(day)?.length ?? 0;
                return (
                  <td key={day} data-today={day === today || undefined}>
                    {day.startsWith(month) && (
                      <button
                        type="button"
                        data-day={day}
                        tabIndex={day === focused ? 0 : -1}
                        aria-pressed={day === chosen}
                        data-has={count > 0 || undefined}
                        onFocus={() => setFocused(day)}
                        onClick={() => setChosen(day === chosen ? null : day)}
                        aria-label={
                          count > 0 ? t("events.dayWithCount", { day: formatLongDay(day), count }) : formatLongDay(day)
                        }
                      >
                        <span className={classes.number}>{Number(day.slice(8))}</span>
                        <span className={classes.dots}>
                          {Array.from({ length: Math.min(count, 3) }, (_, dot) => (
                            <i key={dot} />
                          ))}
                        </span>
                      </button>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {chosen && (
        <div className={classes.chosen}>
          <h3 role="status">{formatLongDay(chosen)}</h3>
          <Button variant="subtle" size="compact-md" onClick={() => setChosen(null)}>
            {t("events.wholeMonth")}
          </Button>
        </div>
      )}
      {chosen && shown.length === 0 && <p className={classes.none}>{t("events.noneOnDay")}</p>}
      <ul className={list.rows}>
        {shown.map((event) => (
          <EventRow key={event.slug} event={event} />
        ))}
      </ul>
    </>
  );
}
