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
import { PhaseDot } from "#web/events/PhaseStatus.tsx";
import { timeSpan, visitorTimeSpan, timeZoneText } from "#web/events/eventTimes.ts";
import { languageName } from "#web/core/format/languageName.ts";
import { addressLines, mapUrlOf } from "#web/events/eventLocation.ts";
import type { PublicEvent } from "#shared/events/eventViews.ts";

const icon = { size: 18, stroke: 1.6, "aria-hidden": true };

/** Date, location, language, seats and the main action, followed by organiser and contact. */
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
  const mapUrl = mapUrlOf(venue);
  const isOpen = phase === "open" || phase === "waitlist_open";
  const seatsLeftTexts = [
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
                {mapUrl && (
                  <Anchor href={mapUrl} target="_blank" rel="noopener noreferrer" fz="sm">
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
          {isOpen && registrationMode === "approval" && (
            <Fact icon={<IconUserCheck {...icon} />}>{t("events.approvalNote")}</Fact>
          )}
          {isOpen && registrationClosesAt && (
            <Fact icon={<IconClock {...icon} />}>
              {t("events.registerBy", {
                day: formatDayIn(registrationClosesAt, timezone),
                time: formatTimeIn(registrationClosesAt, timezone),
                zone: formatZone(registrationClosesAt, timezone),
              })}
            </Fact>
          )}
        </ul>
        {!isOpen && (
          <p className={classes.phase}>
            <PhaseDot phase={phase} />
          </p>
        )}
        {isOpen && seatsLeftTexts.length > 0 && <p className={classes.seats}>{seatsLeftTexts.join(", ")}</p>}
        {phase === "waitlist_open" && (
          <p className={classes.seats}>
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

/** Date and times in the time zone of the event, and in that of the visitor if they differ. */
export function EventTimes({ event }: { event: Pick<PublicEvent, "startsAt" | "endsAt" | "timezone"> }) {
  const visitorSpan = visitorTimeSpan(event, useBrowserZone());
  return (
    <div className={classes.when}>
      <DateBlock at={event.startsAt} zone={event.timezone} year />
      <div>
        <strong>{timeSpan(event)}</strong>
        <span>{timeZoneText(event)}</span>
        {visitorSpan && <span>{visitorSpan}</span>}
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
