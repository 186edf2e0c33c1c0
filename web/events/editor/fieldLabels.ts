import { useTranslation } from "react-i18next";
import { i18n } from "#web/core/i18n.ts";
import { locationOf } from "#web/events/eventLocation.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";
import type english from "#shared/locales/en/events.json";

type Field = keyof typeof english.fields;

/** Labels of the event fields in form order, for the conflict dialog and the error list. */
export function useFieldLabels(): Record<Field, string> {
  const { t } = useTranslation();
  const labels = t("events.fields", { returnObjects: true });
  return labels as Record<Field, string>;
}

/** The value of a field as text. */
export function showField(field: keyof AdminEvent & string, value: unknown): string {
  const { t } = i18n;
  if (field === "venue") return locationOf({ attendanceMode: "in_person", venue: value as AdminEvent["venue"] });
  if (field === "questions") return (value as AdminEvent["questions"]).map(({ label }) => label).join(", ");
  if (field === "agenda") return (value as AdminEvent["agenda"]).map(({ title }) => title).join(", ");
  if (field === "speakers") return (value as AdminEvent["speakers"]).map(({ name }) => name).join(", ");
  if (typeof value === "boolean") return t(value ? "core.yes" : "core.no");
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value)) return value.replace("T", " ");
  return value === null || value === undefined ? "" : String(value);
}
