import { isDeepStrictEqual } from "node:util";
import { toUtc } from "#server/statements/validation/fields.ts";
import { identifierOf } from "#server/statements/identifiers.ts";
import { isUuid } from "#shared/core/uuid.ts";
import type { Actor } from "#shared/statements/xapi.ts";

/** Members that do not make statements differ: what the store sets or may change, and texts for people. */
const LEFT_OUT = ["id", "stored", "authority", "version", "timestamp", "display", "definition", "fileUrl"];

/**
 * Whether a statement with the id of a stored one is a repetition (xAPI 1.0.3, Data 2.3.1): a repetition is accepted
 * but not stored again; anything else is refused.
 */
export function isSameStatement(sent: object, stored: object) {
  const [at, before] = [sent, stored].map((statement) => (statement as { timestamp?: string }).timestamp);
  if (at !== undefined && toUtc(at) !== toUtc(before ?? "")) return false;
  return isDeepStrictEqual(reduce(sent), reduce(stored));
}

function reduce(value: unknown, key = ""): unknown {
  if (key === "extensions") return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => reduce(item));
    return key === "member" ? items.map((item) => JSON.stringify(item)).toSorted() : items;
  }
  if (isUuid(value)) return value.toLowerCase();
  // Durations are compared to hundredths of a second (xAPI 2.0, 4.2.7).
  if (typeof value === "string" && key === "duration") return value.replace(/([.,]\d\d)\d+S$/, "$1S");
  if (typeof value !== "object" || value === null) return value;
  const identifier = identifierOf(value as Actor);
  const entries = Object.entries(value)
    .filter(([name]) => !LEFT_OUT.includes(name) || (name === "id" && key !== ""))
    .filter(([name, member]) => !(name === "objectType" && (member === "Agent" || member === "Activity")))
    .filter(([name]) => !(identifier !== null && name === "name"));
  return Object.fromEntries(entries.map(([name, member]) => [name, reduce(member, name)]));
}
