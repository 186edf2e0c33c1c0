import texts from "#shared/locales/en/measures.json" with { type: "json" };
import type { MeasuresSettings, MeasuresVersion } from "#shared/measures/measures.ts";
import { fillText } from "#shared/variables/templates.ts";

// What the page, its PDF and the page of learners say in the same words

/** "Version 3, since 2 December 2026." */
export const versionLine = ({ version, since }: Pick<MeasuresVersion, "version" | "since">, dayOf: (at: string) => string) =>
  since === null ? texts.neverChanged : fillText(texts.version, { version, day: dayOf(since) });

/** The settings that are changed elsewhere, one sentence each. */
export function settingLines(settings: MeasuresSettings): string[] {
  const { recordPages, recordingDays, erasurePolicy, retentionYears, managersSeePeople } = settings;
  const { recording, erasure, managers } = texts.settings;
  return [
    recordPages ? fillText(recording.on, { days: recordingDays }) : recording.off,
    fillText(erasure[erasurePolicy], { years: retentionYears }),
    managersSeePeople ? managers.on : managers.off,
  ];
}
