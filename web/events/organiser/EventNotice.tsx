import { IconCalendarOff, IconCircleCheck, IconHistory } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";
import { formatDateIn } from "#web/core/format/format.ts";
import classes from "#web/events/organiser/EventNotice.module.css";
import type { PublicEvent } from "#shared/eventViews.ts";

type Props = { tone: "bad" | "idle" | "ok" | "info" | "warn"; icon: ReactNode; title: string; children?: ReactNode };

/** A message of one event on its tinted ground. */
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

/** What has to be known first: cancelled, over, or that this person has a place already. */
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
        title={t(`events.myRegistration.${isKnown(myRegistration.state) ? myRegistration.state : "other"}`)}
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

const known = ["pending_email", "pending_approval", "confirmed", "waitlisted", "offered"] as const;
const isKnown = (state: string): state is (typeof known)[number] => known.includes(state as (typeof known)[number]);
