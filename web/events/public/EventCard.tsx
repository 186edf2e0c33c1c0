import { Anchor, Button } from "@mantine/core";
import { IconCalendarPlus, IconClock, IconLanguage, IconMapPin, IconUserCheck, IconVideo } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatDayIn, formatTimeIn, formatZone } from "#web/core/format/format.ts";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import { useBrowserZone } from "#web/core/format/zone.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { DateBlock } from "#web/events/public/DateBlock.tsx";
import classes from "#web/events/public/EventCard.module.css";
import { PhaseDot } from "#web/events/PhaseWord.tsx";
import { spanOf, visitorSpanOf, zoneLineOf } from "#web/events/when.ts";
import { addressLines, languageName, mapLink } from "#web/events/where.ts";
import type { PublicEvent } from "#shared/eventViews.ts";

const icon = { size: 18, stroke: 1.6, "aria-hidden": true };

/** Date, place, language, seats and the one action; below it host and contact. */
export function EventCard({ event, action }: { event: PublicEvent; action: ReactNode }) {
  const { t } = useTranslation();
  const {
    attendanceMode,
    venue,
    language,
    phase,
    registrationClosesAt,
    registrationMode,
    seatsLeft,
    seatsLeftOnline,
    timezone,
    organiserName,
    organiserKind,
    organiserEmail,
  } = event;
  const map = mapLink(venue);
  const open = phase === "open" || phase === "waitlist_open";
  const few = [
    seatsLeft !== null &&
      t(attendanceMode === "hybrid" ? "events.seatsLeftInPerson" : "events.seatsLeft", { count: seatsLeft }),
    seatsLeftOnline !== null && t("events.seatsLeftOnline", { count: seatsLeftOnline }),
  ].filter(Boolean);
  return (
    <>
      <div className={classes.card}>
        <EventTimes event={event} />
        <ul className={classes.facts}>
          {attendanceMode !== "online" && (
            <li>
              <IconMapPin {...icon} />
              <div>
                {venue.name || venue.city || t("events.mode.in_person")}
                {addressLines(venue).map((line) => (
                  <span key={line}>{line}</span>
                ))}
                {map && (
                  <Anchor href={map} target="_blank" rel="noopener noreferrer" fz="sm">
                    {t("events.map")}
                  </Anchor>
                )}
              </div>
            </li>
          )}
          {attendanceMode !== "in_person" && (
            <Fact icon={<IconVideo {...icon} />} side={t("events.linkByMail")}>
              {t(attendanceMode === "hybrid" ? "events.alsoOnline" : "events.mode.online")}
            </Fact>
          )}
          <Fact icon={<IconLanguage {...icon} />}>{languageName(language)}</Fact>
          {open && registrationMode === "approval" && (
            <Fact icon={<IconUserCheck {...icon} />}>{t("events.approvalNote")}</Fact>
          )}
          {open && registrationClosesAt && (
            <Fact icon={<IconClock {...icon} />}>
              {t("events.registerBy", {
                day: formatDayIn(registrationClosesAt, timezone),
                time: formatTimeIn(registrationClosesAt, timezone),
                zone: formatZone(registrationClosesAt, timezone),
              })}
            </Fact>
          )}
        </ul>
        {!open && (
          <p className={classes.phase}>
            <PhaseDot phase={phase} />
          </p>
        )}
        {open && few.length > 0 && <p className={classes.few}>{few.join(", ")}</p>}
        {phase === "waitlist_open" && (
          <p className={classes.few}>
            {t(registrationMode === "approval" ? "events.applyFull" : "events.waitlistNote")}
          </p>
        )}
        <div className={classes.action}>{action}</div>
        {phase !== "cancelled" && phase !== "ended" && (
          <Button
            component="a"
            href={event.calendarUrl}
            variant="subtle"
            fullWidth
            leftSection={<IconCalendarPlus size={18} stroke={1.7} />}
          >
            {t("events.addToCalendar")}
          </Button>
        )}
      </div>
      {(organiserName || organiserEmail) && (
        <div className={classes.host}>
          {organiserName && (
            <p>
              {organiserKind === "person" ? (
                <PersonMark name={organiserName} size={44} />
              ) : (
                <CompanyMark name={organiserName} size={44} />
              )}
              <span>
                <strong>{organiserName}</strong>
                {t("events.host")}
              </span>
            </p>
          )}
          {organiserEmail && (
            <p className={classes.contact}>
              {t("events.questions")} <Anchor href={`mailto:${organiserEmail}`}>{organiserEmail}</Anchor>
            </p>
          )}
        </div>
      )}
    </>
  );
}

/** Date block and times: in the event's zone, and on the visitor's clocks where they differ. */
export function EventTimes({ event }: { event: Pick<PublicEvent, "startsAt" | "endsAt" | "timezone"> }) {
  const mine = visitorSpanOf(event, useBrowserZone());
  return (
    <div className={classes.when}>
      <DateBlock at={event.startsAt} zone={event.timezone} year />
      <div>
        <strong>{spanOf(event)}</strong>
        <span>{zoneLineOf(event)}</span>
        {mine && <span>{mine}</span>}
      </div>
    </div>
  );
}

const Fact = ({ icon, side, children }: { icon: ReactNode; side?: string; children: ReactNode }) => (
  <li>
    {icon}
    <div className={classes.fact}>
      {children}
      {side && <span>{side}</span>}
    </div>
  </li>
);
