import { useTranslation } from "react-i18next";
import { formatMonthIn } from "#web/core/format/format.ts";
import classes from "#web/events/public/EventList.module.css";
import { EventRow } from "#web/events/public/EventRow.tsx";
import type { PublicEventRow } from "#shared/events/eventViews.ts";

/** Events as a list, grouped by month. */
export function EventList({ events, past = false }: { events: PublicEventRow[]; past?: boolean }) {
  const { t } = useTranslation();
  const months = [...Map.groupBy(events, ({ startsAt, timezone }) => formatMonthIn(startsAt, timezone))];
  return months.map(([month, rows]) => (
    <section key={month} className={classes.month} aria-label={t("events.inMonth", { month })}>
      <h2>{month}</h2>
      <ul className={classes.rows}>
        {rows.map((event) => (
          <EventRow key={event.slug} event={event} past={past} />
        ))}
      </ul>
    </section>
  ));
}
