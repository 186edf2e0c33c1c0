import { useTranslation } from "react-i18next";
import { Pill } from "#web/core/display/Pill.tsx";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import type { EventPhase } from "#shared/events/eventPhases.ts";

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

/** The phase of an event as a dot with text. */
export function PhaseDot({ phase }: { phase: EventPhase }) {
  const { t } = useTranslation();
  return <StatusDot tone={tones[phase]}>{t(`events.phase.${phase}`)}</StatusDot>;
}

/** The phase as a pill, for lists: while registration is open, only a low number of seats is shown. */
export function PhasePill({ phase, seatsLeft = null }: { phase: EventPhase; seatsLeft?: number | null }) {
  const { t } = useTranslation();
  if (phase === "open")
    return seatsLeft === null ? null : <Pill tone="warn">{t("events.seatsLeft", { count: seatsLeft })}</Pill>;
  return <Pill tone={tones[phase]}>{t(`events.phase.${phase}`)}</Pill>;
}
