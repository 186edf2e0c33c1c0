import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { DateBlock } from "#web/events/public/DateBlock.tsx";
import classes from "#web/events/public/EventList.module.css";
import { PhasePill } from "#web/events/PhaseWord.tsx";
import { registrationVerb } from "#web/events/public/registrationVerb.ts";
import { shortSpanOf } from "#web/events/when.ts";
import { placeOf } from "#web/events/where.ts";
import type { PublicEventRow } from "#shared/eventViews.ts";

/** One event in a ruled list: large date, title, place and time, its state, and the way to the form. */
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
          {placeOf(event)}, {shortSpanOf(event)}
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
          aria-label={t(`events.${registrationVerb(event)}For`, { title })}
        >
          {t(`events.${registrationVerb(event)}`)}
        </Button>
      ) : (
        <span />
      )}
    </li>
  );
}
