import { useTranslation } from "react-i18next";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import type { AttemptValues } from "#shared/rawData/rawData.ts";

const tones = { incomplete: "active", complete: "ok", passed: "ok", failed: "bad" } as const;

/** Whether an attempt is in progress, completed, passed or failed. */
export function AttemptStatus({ attempt: { completion, success } }: { attempt: AttemptValues }) {
  const { t } = useTranslation();
  const state = success === "unknown" ? completion : success;
  return <StatusDot tone={tones[state]}>{t(`rawData.states.${state}`)}</StatusDot>;
}
