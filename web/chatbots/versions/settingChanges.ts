import { i18n } from "#web/core/i18n.ts";
import type { BotSettings } from "#shared/chatbots/botSettings.ts";

type Field = keyof BotSettings | "name";
export type SettingChange = { field: Field; before: string; after: string };

const wordFor = (value: unknown) => (typeof value === "boolean" ? i18n.t(value ? "core.yes" : "core.no") : value);
const line = (label: string, value: unknown) => `${label}: ${wordFor(value) ?? ""}`.trim();

/** A setting as text; a group of settings has a labelled line for each. */
function textOf(field: Field, value: unknown): string {
  if (value === null || value === undefined || value === "") return "";
  if (field === "limits")
    return Object.entries(value as BotSettings["limits"])
      .map(([name, limit]) => line(i18n.t(`chatbots.limits.${name as keyof BotSettings["limits"]}`), limit))
      .join("\n");
  if (field === "voice")
    return Object.entries(value as BotSettings["voice"])
      .map(([name, setting]) => line(i18n.t(`chatbots.voice.${name as keyof BotSettings["voice"]}`), setting))
      .join("\n");
  if (typeof value === "object") return JSON.stringify(value, null, 2);
  return String(wordFor(value));
}

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
    .map((field) => ({ field, before: textOf(field, a[field]), after: textOf(field, b[field]) }))
    .filter((change) => change.before !== change.after);
}
