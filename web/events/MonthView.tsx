import { ActionIcon, Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatLongDay, formatMonthIn, formatTimeIn } from '#web/core/format.ts'
import { i18n } from '#web/core/i18n.ts'
import { cityOf, dayIn, ownZone } from '#web/core/zone.ts'
import list from '#web/events/EventList.module.css'
import { EventRow } from '#web/events/EventRow.tsx'
import classes from '#web/events/MonthView.module.css'
import { readMonth, shiftMonth } from '#web/events/monthDays.ts'
import type { PublicEventRow } from '#shared/events.ts'

type Props = { events: PublicEventRow[]; days: string[]; month: string; phone: boolean; onMonth: (month: string | null) => void }

/** Events of a month: a calendar grid, on a phone a list. Days and times are those of the visitor's clocks. */
export function MonthView({ events, days, month, phone, onMonth }: Props) {
  const { t } = useTranslation()
  const zone = ownZone()
  const byDay = Map.groupBy(events, ({ startsAt }) => dayIn(startsAt, zone))
  const today = todayIn(zone)
  const inMonth = events.filter(({ startsAt }) => dayIn(startsAt, zone).startsWith(month))
  const chevron = { size: 20, stroke: 1.7 }
  return (
    <>
      <div className={classes.head}>
        <h2 aria-live="polite">{formatMonthIn(`${month}-15T12:00Z`, 'UTC')}</h2>
        <ActionIcon variant="default" aria-label={t('events.previousMonth')} onClick={() => onMonth(shiftMonth(month, -1))}><IconChevronLeft {...chevron} /></ActionIcon>
        <ActionIcon variant="default" aria-label={t('events.nextMonth')} onClick={() => onMonth(shiftMonth(month, 1))}><IconChevronRight {...chevron} /></ActionIcon>
        {month !== readMonth(null) && <Button variant="subtle" className={classes.now} onClick={() => onMonth(null)}>{t('events.thisMonth')}</Button>}
        {!phone && <span className={classes.zone}>{t('events.yourTime', { city: cityOf(zone) })}</span>}
      </div>
      {inMonth.length === 0 && <p className={classes.none}>{t('events.noneInMonth')}</p>}
      {phone ? <ul className={list.rows}>{inMonth.map((event) => <EventRow key={event.slug} event={event} />)}</ul> : (
        <table className={classes.grid}>
          <thead><tr>{days.slice(0, 7).map((day) => <th key={day} scope="col"><abbr title={weekday(day, 'long')}>{weekday(day, 'short')}</abbr></th>)}</tr></thead>
          <tbody>
            {Array.from({ length: days.length / 7 }, (_, week) => (
              <tr key={week}>
                {days.slice(week * 7, week * 7 + 7).map((day) => (
                  <td key={day} data-other={!day.startsWith(month) || undefined} data-today={day === today || undefined}>
                    <time dateTime={day} aria-label={formatLongDay(day)}>{Number(day.slice(8))}</time>
                    <ul>
                      {byDay.get(day)?.map((event) => (
                        <li key={event.slug}>
                          <Link to={`/events/${event.slug}`} data-phase={event.phase}>
                            <span>{formatTimeIn(event.startsAt, zone)}</span> {event.title}
                            {event.phase === 'cancelled' && <em> {t('events.phase.cancelled')}</em>}
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
  )
}

const todayIn = (zone: string) => dayIn(new Date().toISOString(), zone)
const weekday = (day: string, length: 'long' | 'short') => new Intl.DateTimeFormat(i18n.language, { weekday: length, timeZone: 'UTC' }).format(new Date(`${day}T12:00Z`))
