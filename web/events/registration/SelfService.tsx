import { Anchor, Button } from "@mantine/core";
import { IconCalendarPlus, IconMapPin, IconVideo } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Heading } from "#web/core/layout/Heading.tsx";
import { Qr } from "#web/core/display/Qr.tsx";
import { EventTimes } from "#web/events/public/EventCard.tsx";
import classes from "#web/events/registration/SelfService.module.css";
import { SelfServiceData } from "#web/events/registration/SelfServiceData.tsx";
import { SelfServiceEnd } from "#web/events/registration/SelfServiceEnd.tsx";
import { SelfServiceNext } from "#web/events/registration/SelfServiceNext.tsx";
import publicClasses from "#web/events/public/PublicPage.module.css";
import { mapUrlOf, locationOf } from "#web/events/eventLocation.ts";
import type { MyRegistration } from "#shared/events/eventRegistrations.ts";

type Props = { registration: MyRegistration; token: string };

/** A registration for its guest: state and next step, ticket, data, and how to cancel or delete it. */
export function SelfService({ registration, token }: Props) {
  const { t } = useTranslation();
  const [erased, setErased] = useState(false);
  const { event, state, ticket, reference, onlineUrl, attendance } = registration;
  const mapUrl = mapUrlOf(event.venue);
  if (erased) {
    return (
      <div className={classes.main}>
        <Heading className={publicClasses.title}>{t("events.selfService.erased")}</Heading>
        <p className={publicClasses.lead}>{t("events.selfService.erasedText")}</p>
      </div>
    );
  }
  const isOver = event.phase === "ended" || event.phase === "cancelled";
  return (
    <div className={classes.page}>
      <div className={classes.top}>
        <header>
          <Link to={`/events/${event.slug}`} className={publicClasses.parent}>
            {event.title}
          </Link>
          <Heading className={publicClasses.title}>
            {t(event.phase === "cancelled" ? "events.cancelledTitle" : `events.selfService.state.${state}`)}
          </Heading>
        </header>
        <SelfServiceNext registration={registration} token={token} />
      </div>
      <div className={classes.main}>
        <section className={classes.event} aria-label={event.title}>
          <EventTimes event={event} />
          {attendance === "in_person" ? (
            <p>
              <IconMapPin size={18} stroke={1.6} aria-hidden />{" "}
              <span>
                {locationOf({ ...event, attendanceMode: "in_person" })}{" "}
                {mapUrl && (
                  <Anchor href={mapUrl} underline="always" target="_blank" rel="noopener noreferrer">
                    {t("events.map")}
                  </Anchor>
                )}
              </span>
            </p>
          ) : (
            <p>
              <IconVideo size={18} stroke={1.6} aria-hidden />{" "}
              <span>
                {t("events.mode.online")}
                {!onlineUrl && state === "confirmed" && !isOver && `. ${t("events.selfService.linkLater")}`}
              </span>
            </p>
          )}
          {onlineUrl && (
            <Button component="a" href={onlineUrl} target="_blank" rel="noopener noreferrer" size="md">
              {t("events.selfService.join")}
            </Button>
          )}
          {!isOver && state === "confirmed" && (
            <Button
              component="a"
              href={event.calendarUrl}
              variant="default"
              leftSection={<IconCalendarPlus size={18} stroke={1.7} />}
            >
              {t("events.addToCalendar")}
            </Button>
          )}
        </section>
        <SelfServiceData registration={registration} token={token} />
        <SelfServiceEnd registration={registration} token={token} onErased={() => setErased(true)} />
      </div>
      {ticket && (
        <aside className={classes.ticket} aria-labelledby="ticket">
          <h2 id="ticket">{t("events.selfService.ticket")}</h2>
          <div className={classes.qr}>
            <Qr text={ticket} size="100%" label={t("events.selfService.qr")} ink="#000" />
          </div>
          <p className={classes.name}>{registration.name}</p>
          <p className={classes.reference}>
            <code>{reference}</code>
          </p>
          <p className={classes.hint}>{t("events.selfService.ticketHint")}</p>
        </aside>
      )}
    </div>
  );
}
