import { formatDate, formatNumber } from "#web/core/format/format.ts";
import type { Field, FieldValue } from "#shared/fields/fields.ts";

/** A value as people read it; null without one. */
export function fieldText({ kind, choices }: Pick<Field, "kind" | "choices">, value: FieldValue | undefined) {
  if (value === undefined) return null;
  if (kind === "choice") return choices.find(({ id }) => id === value)?.name ?? null;
  if (kind === "date") return formatDate(String(value));
  return kind === "number" ? formatNumber(Number(value)) : String(value);
}
