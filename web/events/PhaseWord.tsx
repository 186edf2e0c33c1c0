import { useTranslation } from "react-i18next";
import { Pill } from "#web/core/display/Pill.tsx";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import type { EventPhase } from "#shared/eventStates.ts";

const tones: Record<EventPhase, Tone> = {
  cancelled: "bad",
  ended: "idle",
  ongoing: "active",
  closed: "idle",
  not_open_yet: "info",
  registration_closed: "idle",
  full: "idle",
  waitlist_open: "warn",
  open: "ok",
};

/** Where an event stands, in words with a dot. */
export function PhaseDot({ phase }: { phase: EventPhase }) {
  const { t } = useTranslation();
  return <StatusDot tone={tones[phase]}>{t(`events.phase.${phase}`)}</StatusDot>;
}

/** The same as a pill, for lists where only exceptions get one: nothing while registration is open. */
export function PhasePill({ phase, seatsLeft = null }: { phase: EventPhase; seatsLeft?: number | null }) {
  const { t } = useTranslation();
  if (phase === "open")
    return seatsLeft === null ? null : <Pill tone="warn">{t("events.seatsLeft", { count: seatsLeft })}</Pill>;
  return <Pill tone={tones[phase]}>{t(`events.phase.${phase}`)}</Pill>;
}
