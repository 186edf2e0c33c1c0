import { useTranslation } from "react-i18next";
import { formatDateTime } from "#web/core/format/format.ts";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import type { RegistrationState } from "#shared/events/eventPhases.ts";
import type { Registration } from "#shared/events/registrationRows.ts";

const tones: Record<RegistrationState, Tone> = {
  pending_email: "idle",
  pending_approval: "warn",
  confirmed: "ok",
  waitlisted: "info",
  offered: "warn",
  rejected: "idle",
  offer_declined: "idle",
  offer_expired: "idle",
  expired: "idle",
  cancelled: "idle",
};

/** The state of a registration; the tooltip of an offer shows when it expires. */
export function RegistrationStatus({
  registration: { state, offerExpiresAt },
}: {
  registration: Pick<Registration, "state" | "offerExpiresAt">;
}) {
  const { t } = useTranslation();
  const until =
    state === "offered" && offerExpiresAt
      ? t("events.registrations.until", { time: formatDateTime(offerExpiresAt) })
      : undefined;
  return (
    <span title={until}>
      <StatusDot tone={tones[state]}>{t(`events.registrationState.${state}`)}</StatusDot>
    </span>
  );
}
