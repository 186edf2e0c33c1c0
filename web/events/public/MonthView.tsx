import { ActionIcon, Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatLongDay, formatMonthIn, formatTimeIn } from "#web/core/format/format.ts";
import { dayIn, browserZone } from "#web/core/format/zone.ts";
import { eventsByDay } from "#web/events/public/eventsByDay.ts";
import { MonthPhone } from "#web/events/public/MonthPhone.tsx";
import classes from "#web/events/public/MonthView.module.css";
import { shiftMonth, weeksOf } from "#web/events/public/monthDays.ts";
import { WeekHead } from "#web/events/public/WeekHead.tsx";
import { cityOf } from "#shared/core/dates.ts";
import type { PublicEventRow } from "#shared/events/eventViews.ts";

type Props = {
  events: PublicEventRow[];
  days: string[];
  month: string;
  phone: boolean;
  onMonth: (month: string | null) => void;
};

/** The events of a month as a calendar grid, on phones with dots and a list. In the time zone of the visitor. */
export function MonthView({ events, days, month, phone, onMonth }: Props) {
  const { t } = useTranslation();
  const zone = browserZone();
  const byDay = eventsByDay(events, days, zone);
  const today = todayIn(zone);
  const isEmpty = !days.some((day) => day.startsWith(month) && byDay.has(day));
  const chevron = { size: 20, stroke: 1.7 };
  return (
    <>
      <div className={classes.head}>
        <h2 aria-live="polite">{formatMonthIn(`${month}-15T12:00Z`, "UTC")}</h2>
        {!phone && <span className={classes.zone}>{t("events.yourTimeZone", { city: cityOf(zone) })}</span>}
        <Button variant="default" fw={500} disabled={today.startsWith(month)} onClick={() => onMonth(null)}>
          {t("events.today")}
        </Button>
        <ActionIcon
          variant="default"
          aria-label={t("events.previousMonth")}
          title={t("events.previousMonth")}
          onClick={() => onMonth(shiftMonth(month, -1))}
        >
          <IconChevronLeft {...chevron} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t("events.nextMonth")}
          title={t("events.nextMonth")}
          onClick={() => onMonth(shiftMonth(month, 1))}
        >
          <IconChevronRight {...chevron} />
        </ActionIcon>
      </div>
      {isEmpty && <p className={classes.none}>{t("events.noneInMonth")}</p>}
      {phone ? (
        <MonthPhone key={month} byDay={byDay} days={days} month={month} today={today} />
      ) : (
        <table className={classes.grid}>
          <WeekHead days={days} />
          <tbody>
            {weeksOf(days).map((week) => (
              <tr key={week[0]}>
                {week.map((day) => (
                  <td
                    key={day}
                    data-other={!day.startsWith(month) || undefined}
                    data-today={day === today || undefined}
                  >
                    <time dateTime={day} aria-label={formatLongDay(day)}>
                      {Number(day.slice(8))}
                    </time>
                    <ul>
                      {byDay.get(day)?.map((event) => (
                        <li key={event.slug}>
                          <Link to={`/events/${event.slug}`} data-phase={event.phase}>
                            <span>
                              {dayIn(event.startsAt, zone) === day
                                ? formatTimeIn(event.startsAt, zone)
                                : t("events.continues")}
                            </span>{" "}
                            {event.title}
                            {event.phase === "cancelled" && <em> {t("events.phase.cancelled")}</em>}
                          </Link>
                        </li>
                      ))}
                    </ul>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

const todayIn = (zone: string) => dayIn(new Date().toISOString(), zone);
