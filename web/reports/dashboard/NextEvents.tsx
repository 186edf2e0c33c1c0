import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { datePartsIn, formatMonthIn, formatNumber } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import classes from "#web/reports/dashboard/NextEvents.module.css";
import type { Dashboard } from "#shared/reports/dashboard.ts";

/** The next events with their registrations; each links to its list of guests. */
export function NextEvents({ events }: { events: Dashboard["events"] }) {
  const { t } = useTranslation();
  return (
    <Section title={t("reports.dashboard.nextEvents")}>
      <ul className={classes.list}>
        {events.map(({ id, title, startsAt, timezone, taken, capacity }) => {
          const { day, month } = datePartsIn(startsAt, timezone);
          return (
            <li key={id}>
              <time dateTime={startsAt} className={classes.date} title={`${day} ${formatMonthIn(startsAt, timezone)}`}>
                <span>{day}</span>
                {month}
              </time>
              <span className={classes.words}>
                <Link to={`/admin/events/${id}/registrations`}>{title}</Link>
                <span>
                  {capacity === null
                    ? t("reports.dashboard.registered", { taken: formatNumber(taken) })
                    : t("reports.dashboard.seats", { taken: formatNumber(taken), capacity: formatNumber(capacity) })}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
