import { z } from "zod";
import { sequencingLimits } from "#shared/packages/activityTree.ts";
import type { AttemptFacts } from "#server/player/trackingState.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import { applySequenceEvent, type SequenceEvent, type StoredSequencing } from "#shared/sequencing/sequenceEvents.ts";

// What content has made of the activity tree of an attempt. The engine that reads it accepts only fields that it knows

const text = z.string().max(sequencingLimits.idChars + 200);
const fields = z.record(text, z.union([text, z.number(), z.boolean(), z.null()]));
const number = z.int().min(0).lt(sequencingLimits.activities);
const place = number.nullable();
const numbers = z.array(number).max(sequencingLimits.activities);
const sequenceEvent = z.object({
  activities: z.record(
    z.string().regex(/^\d{1,3}$/),
    z.object({
      a: fields.optional(),
      c: fields.optional(),
      o: z.record(z.string().regex(/^\d{1,3}$/), fields).optional(),
      order: numbers.optional(),
      used: numbers.optional(),
    }),
  ),
  end: z
    .object({
      current: place,
      suspended: place,
      shared: z.record(text, fields),
      root: z.object({
        completion: z.enum(["unknown", "incomplete", "completed"]),
        success: z.enum(["unknown", "passed", "failed"]),
        measure: z.number().min(-1).max(1).nullable(),
        progress: z.number().min(0).max(1).nullable(),
      }),
    })
    .optional(),
});

/** The tree after an event; as it was if the event is none that the shell has written. */
export function foldSequence(before: StoredSequencing | null, { value = "" }: SessionEvent): StoredSequencing | null {
  try {
    const event = sequenceEvent.safeParse(JSON.parse(value));
    return event.success ? applySequenceEvent(before, event.data as SequenceEvent) : before;
  } catch {
    return before;
  }
}

/** The tree of an attempt as it is stored, null if it has not changed. */
export const changedTree = ({ sequencing: before }: AttemptFacts, { sequencing: after }: AttemptFacts) =>
  after && after !== before ? JSON.stringify(after) : null;
