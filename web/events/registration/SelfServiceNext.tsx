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
import { expectedOutcomeOf } from "#web/events/registration/expectedOutcome.ts";
import { EventMessage } from "#web/events/public/EventNotice.tsx";
import { eventRegistrations, type MyRegistration } from "#shared/events/eventRegistrations.ts";

const icon = { size: 20, stroke: 1.7, "aria-hidden": true };
type Props = { registration: MyRegistration; token: string };

/** The state of a registration with its next step: confirm the email, or accept or decline a seat. */
export function SelfServiceNext({
  registration: { state, email, offerExpiresAt, waitlistPosition, waitlistReason, event },
  token,
}: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const params = { token };
  const updateCache = (registration: MyRegistration) =>
    client.setQueryData(queryFor(eventRegistrations.mine, { params }).queryKey, registration);
  const confirm = useApiMutation(eventRegistrations.confirmEmail);
  const accept = useApiMutation(eventRegistrations.acceptOffer);
  const decline = useApiMutation(eventRegistrations.declineOffer);
  const run = (send: typeof confirm) => () =>
    void send
      .mutateAsync({ params })
      .then(updateCache)
      .catch(() => {});

  const message = (
    tone: "ok" | "info" | "warn" | "idle" | "bad",
    messageIcon: ReactNode,
    title: string,
    text?: ReactNode,
  ) => (
    <EventMessage tone={tone} icon={messageIcon} title={title}>
      {text}
    </EventMessage>
  );
  if (event.phase === "cancelled")
    return message(
      "bad",
      <IconX {...icon} />,
      t("events.selfService.cancelledBy", { name: event.organiserName || t("events.selfService.organiser") }),
      event.cancelReason,
    );
  switch (state) {
    case "pending_email":
      return (
        <>
          {message(
            "info",
            <IconMailExclamation {...icon} />,
            t("events.selfService.confirmTitle", { email }),
            t(`events.selfService.confirm${expectedOutcomeOf(event)}`),
          )}
          <Button size="md" loading={confirm.isPending} onClick={run(confirm)} style={{ justifySelf: "start" }}>
            {t("events.selfService.confirm")}
          </Button>
        </>
      );
    case "offered":
      return (
        <>
          {message(
            "warn",
            <IconTicket {...icon} />,
            t("events.selfService.offerTitle"),
            offerExpiresAt && t("events.selfService.offerText", { until: formatDateTime(offerExpiresAt) }),
          )}
          <Group gap="xs">
            <Button size="md" loading={accept.isPending} onClick={run(accept)}>
              {t("events.selfService.accept")}
            </Button>
            <Button size="md" variant="default" loading={decline.isPending} onClick={run(decline)}>
              {t("events.selfService.decline")}
            </Button>
          </Group>
        </>
      );
    case "waitlisted": {
      // The first sentence is the position on the waiting list; it becomes the title.
      const end = waitlistReason.indexOf(". ");
      return message(
        "info",
        <IconClock {...icon} />,
        end > 0 ? waitlistReason.slice(0, end) : t("events.selfService.position", { count: waitlistPosition ?? 1 }),
        end > 0 ? waitlistReason.slice(end + 2) : t("events.selfService.waitingText"),
      );
    }
    case "pending_approval":
      return message(
        "info",
        <IconUserQuestion {...icon} />,
        t("events.selfService.approval"),
        t("events.selfService.approvalText", { email }),
      );
    case "confirmed":
      return event.phase === "ended"
        ? message("idle", <IconCircleCheck {...icon} />, t("events.selfService.over"))
        : message("ok", <IconCircleCheck {...icon} />, t("events.selfService.confirmed"));
    default:
      return (
        <>
          {message("idle", <IconX {...icon} />, t(`events.selfService.ended.${state}`))}
          {state !== "rejected" && (event.phase === "open" || event.phase === "waitlist_open") && (
            <Button
              size="md"
              variant="default"
              component={Link}
              to={`/events/${event.slug}/register`}
              style={{ justifySelf: "start" }}
            >
              {t("events.selfService.again")}
            </Button>
          )}
        </>
      );
  }
}
