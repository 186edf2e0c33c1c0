import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { DateBlock } from "#web/events/public/DateBlock.tsx";
import classes from "#web/events/public/EventList.module.css";
import { PhasePill } from "#web/events/PhaseStatus.tsx";
import { registrationVerb } from "#web/events/public/registrationVerb.ts";
import { shortTimeSpan } from "#web/events/eventTimes.ts";
import { locationOf } from "#web/events/eventLocation.ts";
import type { PublicEventRow } from "#shared/events/eventViews.ts";

/** An event in a list: date, title, location, time, phase and a button to register. */
export function EventRow({
  event,
  past = false,
  brief = false,
}: {
  event: PublicEventRow;
  past?: boolean;
  brief?: boolean;
}) {
  const { t } = useTranslation();
  const { slug, title, summary, startsAt, timezone, phase, seatsLeft } = event;
  const open = phase === "open" || phase === "waitlist_open";
  return (
    <li className={classes.row}>
      <DateBlock at={startsAt} zone={timezone} />
      <div className={classes.words}>
        <h3>
          <Link to={`/events/${slug}`}>{title}</Link>
        </h3>
        <div className={classes.line}>
          {locationOf(event)}, {shortTimeSpan(event)}
        </div>
        {summary && !brief && <p className={classes.summary}>{summary}</p>}
      </div>
      <div className={classes.side}>
        {!(past && phase === "ended") && <PhasePill phase={phase} seatsLeft={seatsLeft} />}
      </div>
      {open ? (
        <Button
          component={Link}
          to={`/events/${slug}/register`}
          variant="default"
          data-button
          aria-label={t(`events.verbs.${registrationVerb(event)}For`, { title })}
        >
          {t(`events.verbs.${registrationVerb(event)}`)}
        </Button>
      ) : (
        <span />
      )}
    </li>
  );
}
