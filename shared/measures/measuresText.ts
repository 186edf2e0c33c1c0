import type { MeasuresSettings } from "#shared/measures/measures.ts";

type Line =
  | { key: "recording.on"; values: { days: number } }
  | { key: "recording.off"; values: object }
  | { key: `erasure.${MeasuresSettings["erasurePolicy"]}`; values: { years: number } }
  | { key: "managers.on" | "managers.off"; values: object };

/** The texts (`measures.settings.*`) about settings that are changed elsewhere, for the page and its PDF. */
export const settingLines = (settings: MeasuresSettings): Line[] => [
  settings.recordPages
    ? { key: "recording.on", values: { days: settings.recordingDays } }
    : { key: "recording.off", values: {} },
  { key: `erasure.${settings.erasurePolicy}`, values: { years: settings.retentionYears } },
  { key: settings.managersSeePeople ? "managers.on" : "managers.off", values: {} },
];
