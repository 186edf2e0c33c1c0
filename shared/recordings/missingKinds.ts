// Kinds of content that a recording leaves out and counts; separate from the contracts to keep zod out of the player
// shell

export const missingKinds = [
  "canvas",
  "video",
  "audio",
  "image",
  "font",
  "frame",
  "frameset",
  "object",
  "shadow",
] as const;
export type MissingKind = (typeof missingKinds)[number];
/** Number of omissions of each kind. */
export type Missing = Partial<Record<MissingKind, number>>;

const MAX_COUNT = 9999;
/** Tag of the recording event that counts the omissions since the previous event. */
export const MISSING_TAG = "missing";

/** Counts, reduced to valid kinds and numbers. */
export function cleanMissing(raw: unknown): Missing {
  if (typeof raw !== "object" || !raw) return {};
  const counts = raw as Record<string, unknown>;
  const entries = missingKinds.flatMap((kind) => {
    const count = counts[kind];
    return Number.isSafeInteger(count) && (count as number) > 0 ? [[kind, Math.min(MAX_COUNT, count as number)]] : [];
  });
  return Object.fromEntries(entries) as Missing;
}

/** The sum of two counts. */
export const addMissing = (one: Missing, other: Missing) =>
  cleanMissing(Object.fromEntries(missingKinds.map((kind) => [kind, (one[kind] ?? 0) + (other[kind] ?? 0)])));
