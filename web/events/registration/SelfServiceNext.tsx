import { Button, Group } from "@mantine/core";
import {
  IconCircleCheck,
  IconClock,
  IconMailExclamation,
  IconTicket,
  IconUserQuestion,
  IconX,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useQueryClient } from "@tanstack/react-query";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { formatDateTime } from "#web/core/format/format.ts";
import { endingOf } from "#web/events/registration/ending.ts";
import { EventMessage } from "#web/events/organiser/EventNotice.tsx";
import { events, type OwnRegistration } from "#shared/events.ts";

const icon = { size: 20, stroke: 1.7, "aria-hidden": true };
type Props = { registration: OwnRegistration; token: string };

/** Where one stands in words, with the one thing to press: confirm the mailbox, take the seat or let it go. */
export function SelfServiceNext({
  registration: { state, email, offerExpiresAt, waitlistPosition, waitlistWhy, event },
  token,
}: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const params = { token };
  const keep = (fresh: OwnRegistration) => client.setQueryData(queryFor(events.own, { params }).queryKey, fresh);
  const confirm = useApiMutation(events.confirmEmail);
  const accept = useApiMutation(events.acceptOffer);
  const decline = useApiMutation(events.declineOffer);
  const run = (send: typeof confirm) => () =>
    void send
      .mutateAsync({ params })
      .then(keep)
      .catch(() => {});

  const message = (tone: "ok" | "info" | "warn" | "idle" | "bad", mark: ReactNode, title: string, text?: ReactNode) => (
    <EventMessage tone={tone} icon={mark} title={title}>
      {text}
    </EventMessage>
  );
  if (event.phase === "cancelled")
    return message(
      "bad",
      <IconX {...icon} />,
      t("events.own.cancelledBy", { name: event.organiserName || t("events.own.organiser") }),
      event.cancelReason,
    );
  switch (state) {
    case "pending_email":
      return (
        <>
          {message(
            "info",
            <IconMailExclamation {...icon} />,
            t("events.own.confirmTitle", { email }),
            t(`events.own.confirm${endingOf(event)}`),
          )}
          <Button size="md" loading={confirm.isPending} onClick={run(confirm)} style={{ justifySelf: "start" }}>
            {t("events.own.confirm")}
          </Button>
        </>
      );
    case "offered":
      return (
        <>
          {message(
            "warn",
            <IconTicket {...icon} />,
            t("events.own.offerTitle"),
            offerExpiresAt && t("events.own.offerText", { until: formatDateTime(offerExpiresAt) }),
          )}
          <Group gap="xs">
            <Button size="md" loading={accept.isPending} onClick={run(accept)}>
              {t("events.own.accept")}
            </Button>
            <Button size="md" variant="default" loading={decline.isPending} onClick={run(decline)}>
              {t("events.own.decline")}
            </Button>
          </Group>
        </>
      );
    case "waitlisted": {
      // The reasons begin with the place in line: that sentence is the title, so that the place is said once.
      const end = waitlistWhy.indexOf(". ");
      return message(
        "info",
        <IconClock {...icon} />,
        end > 0 ? waitlistWhy.slice(0, end) : t("events.own.position", { count: waitlistPosition ?? 1 }),
        end > 0 ? waitlistWhy.slice(end + 2) : t("events.own.waitingText"),
      );
    }
    case "pending_approval":
      return message(
        "info",
        <IconUserQuestion {...icon} />,
        t("events.own.approval"),
        t("events.own.approvalText", { email }),
      );
    case "confirmed":
      return event.phase === "ended"
        ? message("idle", <IconCircleCheck {...icon} />, t("events.own.wasThere"))
        : message("ok", <IconCircleCheck {...icon} />, t("events.own.confirmed"));
    default:
      return (
        <>
          {message("idle", <IconX {...icon} />, t(`events.own.ended.${state}`))}
          {state !== "rejected" && (event.phase === "open" || event.phase === "waitlist_open") && (
            <Button
              size="md"
              variant="default"
              component={Link}
              to={`/events/${event.slug}/register`}
              style={{ justifySelf: "start" }}
            >
              {t("events.own.again")}
            </Button>
          )}
        </>
      );
  }
}
