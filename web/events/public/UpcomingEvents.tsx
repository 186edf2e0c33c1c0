import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { EventRow } from "#web/events/public/EventRow.tsx";
import list from "#web/events/public/EventList.module.css";
import classes from "#web/events/public/UpcomingEvents.module.css";
import { events } from "#shared/events/events.ts";

/** Upcoming events for the home page, without cancelled ones; renders nothing if there are none. */
export function UpcomingEvents({ limit = 3 }: { limit?: number }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...queryFor(events.list, { query: { size: limit, takesPlace: "true" } }), retry: false });
  if (!data || data.items.length === 0) return null;
  return (
    <section className={classes.next} aria-labelledby="next-events">
      <div className={classes.head}>
        <h2 id="next-events">{t("events.comingUp")}</h2>
        <Link to="/events">{t("events.all")}</Link>
      </div>
      <ul className={list.rows}>
        {data.items.map((event) => (
          <EventRow key={event.slug} event={event} brief />
        ))}
      </ul>
    </section>
  );
}
