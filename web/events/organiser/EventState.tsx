import { useTranslation } from "react-i18next";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import { PhaseDot } from "#web/events/PhaseStatus.tsx";
import type { AdminEventRow } from "#shared/events/eventViews.ts";

const tones: Record<AdminEventRow["status"], Tone> = {
  draft: "idle",
  published: "ok",
  cancelled: "bad",
  archived: "idle",
};

/** The status of an event; for a published event its phase. */
export function EventState({ event: { status, phase } }: { event: Pick<AdminEventRow, "status" | "phase"> }) {
  const { t } = useTranslation();
  return status === "published" ? (
    <PhaseDot phase={phase} />
  ) : (
    <StatusDot tone={tones[status]}>{t(`events.status.${status}`)}</StatusDot>
  );
}
