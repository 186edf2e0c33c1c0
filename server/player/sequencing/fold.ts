import { z } from "zod";
import { sequencingLimits as limits } from "#shared/packages/activityTree.ts";
import type { AttemptFacts } from "#server/player/trackingState.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import { applySequenceEvent, type SequenceEvent, type StoredSequencing } from "#shared/sequencing/sequenceEvents.ts";

// What content has made of the activity tree of an attempt. The engine that reads it accepts only fields that it knows

/** PostgreSQL stores no zero characters and no halves of characters in `jsonb`. */
const isStorable = (value: string) => value.isWellFormed() && !value.includes("\0");
const text = z
  .string()
  .max(limits.idChars + 200)
  .refine(isStorable);
const fields = z.record(text, z.union([text, z.number(), z.boolean(), z.null()]));
const placeName = z.string().regex(/^(0|[1-9]\d{0,2})$/);
const number = z.int().min(0).lt(limits.activities);
const place = number.nullable();
const numbers = z.array(number).max(limits.activities);
const sequenceEvent = z.object({
  activities: z.record(
    placeName,
    z.object({
      a: fields.optional(),
      c: fields.optional(),
      o: z.record(placeName, fields).optional(),
      order: numbers.optional(),
      used: numbers.optional(),
    }),
  ),
  shared: z.record(text, fields).optional(),
  end: z
    .object({
      current: place,
      suspended: place,
      root: z.object({
        completion: z.enum(["unknown", "incomplete", "completed"]),
        success: z.enum(["unknown", "passed", "failed"]),
        measure: z.number().min(-1).max(1).nullable(),
        progress: z.number().min(0).max(1).nullable(),
      }),
    })
    .optional(),
});

/** Characters of a tree as JSON, about. */
const sizes = new WeakMap<StoredSequencing, number>();
const sizeOf = (stored: StoredSequencing) => {
  const size = sizes.get(stored) ?? JSON.stringify(stored).length;
  sizes.set(stored, size);
  return size;
};
/** Larger trees are not kept in memory between commits. */
const MAX_KEPT_CHARS = 200_000;
export const isKeptInMemory = ({ sequencing }: AttemptFacts) => !sequencing || sizeOf(sequencing) <= MAX_KEPT_CHARS;

/** The tree after an event; null if it would be larger than that of any package. */
function applyBounded(before: StoredSequencing | null, event: SequenceEvent, chars: number) {
  const replaced = [
    ...Object.keys(event.activities).map((n) => before?.state.activities[n]),
    ...Object.keys(event.shared ?? {}).map((id) => before?.state.shared[id]),
  ];
  const left = replaced.reduce((sum, one) => sum + (one ? JSON.stringify(one).length : 0), 0);
  const size = (before ? sizeOf(before) : 0) - left + chars;
  if (size > limits.stateChars) return null;
  const after = applySequenceEvent(before, event);
  sizes.set(after, size);
  return after;
}

/** The tree after an event; as it was if the event is none that the shell has written. */
export function foldSequence(before: StoredSequencing | null, { value = "" }: SessionEvent): StoredSequencing | null {
  try {
    const event = sequenceEvent.safeParse(JSON.parse(value));
    return (event.success && applyBounded(before, event.data as SequenceEvent, value.length)) || before;
  } catch {
    return before;
  }
}

/** The tree of an attempt as it is stored, null if it has not changed. */
export const changedTree = ({ sequencing: before }: AttemptFacts, { sequencing: after }: AttemptFacts) =>
  after && after !== before ? JSON.stringify(after) : null;
