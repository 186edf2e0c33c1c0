import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { EventRow } from "#web/events/organiser/EventRow.tsx";
import list from "#web/events/public/EventList.module.css";
import classes from "#web/events/public/NextEvents.module.css";
import { events } from "#shared/events.ts";

/** The next events for the public start page; nothing at all while there are none. */
export function NextEvents({ most = 3 }: { most?: number }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...queryFor(events.list, { query: { size: most } }), retry: false });
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
