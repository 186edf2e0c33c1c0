import type { BotSettings } from "#shared/botSettings.ts";

export type SettingChange = { field: keyof BotSettings | "name"; before: string; after: string };

const textOf = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "string") return value;
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
};

/** The settings that differ, with their values as text. */
export function settingChanges(
  before: { name: string; settings: BotSettings },
  after: { name: string; settings: BotSettings },
): SettingChange[] {
  const [a, b] = [
    { name: before.name, ...before.settings },
    { name: after.name, ...after.settings },
  ];
  return (Object.keys(b) as (keyof typeof b)[])
    .map((field) => ({ field, before: textOf(a[field]), after: textOf(b[field]) }))
    .filter((change) => change.before !== change.after);
}
