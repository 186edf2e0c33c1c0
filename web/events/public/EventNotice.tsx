import { IconCalendarOff, IconCircleCheck, IconHistory } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";
import { formatDateIn } from "#web/core/format/format.ts";
import classes from "#web/events/public/EventNotice.module.css";
import type { PublicEvent } from "#shared/events/eventViews.ts";

type Props = { tone: "bad" | "idle" | "ok" | "info" | "warn"; icon: ReactNode; title: string; children?: ReactNode };

/** A message about an event on a tinted background. */
export const EventMessage = ({ tone, icon, title, children }: Props) => (
  <div className={classes.notice} data-tone={tone}>
    {icon}
    <div>
      <strong>{title}</strong>
      {children && <div>{children}</div>}
    </div>
  </div>
);

const icon = { size: 20, stroke: 1.7, "aria-hidden": true };

/** The most important notice: the event is cancelled or over, or the visitor is registered. */
export function EventNotice({
  event: { phase, cancelReason, endsAt, timezone, myRegistration },
}: {
  event: Pick<PublicEvent, "phase" | "cancelReason" | "endsAt" | "timezone" | "myRegistration">;
}) {
  const { t } = useTranslation();
  if (phase === "cancelled")
    return (
      <EventMessage tone="bad" icon={<IconCalendarOff {...icon} />} title={t("events.cancelledTitle")}>
        {cancelReason}
      </EventMessage>
    );
  if (phase === "ended")
    return (
      <EventMessage
        tone="idle"
        icon={<IconHistory {...icon} />}
        title={t("events.endedTitle", { date: formatDateIn(endsAt, timezone) })}
      />
    );
  if (myRegistration)
    return (
      <EventMessage
        tone="ok"
        icon={<IconCircleCheck {...icon} />}
        title={t(`events.myRegistration.${isActive(myRegistration.state) ? myRegistration.state : "other"}`)}
      >
        <Trans
          t={t}
          i18nKey="events.myRegistration.text"
          values={{ reference: myRegistration.reference }}
          components={{ code: <code /> }}
        />
      </EventMessage>
    );
  return null;
}

const ACTIVE = ["pending_email", "pending_approval", "confirmed", "waitlisted", "offered"] as const;
const isActive = (state: string): state is (typeof ACTIVE)[number] => ACTIVE.includes(state as (typeof ACTIVE)[number]);
