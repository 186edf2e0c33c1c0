import { useTranslation } from "react-i18next";
import { Pill } from "#web/core/display/Pill.tsx";
import type { Run } from "#shared/analysis/analysisRuns.ts";

const tones = { waiting: "info", running: "info", done: "ok", failed: "bad", cancelled: undefined } as const;

export function RunState({ state }: Pick<Run, "state">) {
  const { t } = useTranslation();
  const tone = tones[state];
  return <Pill {...(tone && { tone })}>{t(`analysis.runs.is.${state}`)}</Pill>;
}
