import { z } from "zod";
import type { BlockKind } from "#shared/lessons/blocks.ts";
import type { LessonState } from "#shared/lessons/lessonState.ts";
import type { ShownBlock } from "#shared/lessons/shownLesson.ts";

// A learner marks a block as unclear, with an optional line for the author. It counts for nothing.

export const MAX_UNCLEAR_CHARS = 300;

/** Without control characters, which PostgreSQL cannot store or would break the line. */
const line = z
  .string()
  .max(MAX_UNCLEAR_CHARS)
  .transform((text) =>
    text
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, " ")
      .trim(),
  );
/** The value of `block.unclear`; not marked: taken back. */
export const unclearValue = z.object({ isMarked: z.boolean(), line: line.default("") });

/** What only parts or continues a lesson cannot be unclear. */
const NEVER = new Set<BlockKind>(["divider", "heading", "button", "chatbot", "prompt"]);
export const mayBeUnclear = ({ kind }: ShownBlock) => !NEVER.has(kind);

/** The marks after an event: of two windows, what was done last counts, whichever arrives first. */
export function markUnclear(
  marks: LessonState["unclear"],
  id: string,
  { isMarked, line: words }: z.infer<typeof unclearValue>,
  at: string,
): LessonState["unclear"] {
  const before = marks?.[id];
  return before && before.at > at ? marks : { ...marks, [id]: { at, line: isMarked ? words : null } };
}

/** Events for people who see whose session it is: the lines are for authors, who read them without a name. */
export const withoutUnclearLines = <Event extends { type: string; value?: string | undefined }>(events: Event[]) =>
  events.map((event) => {
    if (event.type !== "block.unclear") return event;
    const isMarked = readIsMarked(event.value);
    return { ...event, value: JSON.stringify({ isMarked }) };
  });

function readIsMarked(value = "") {
  try {
    return unclearValue.safeParse(JSON.parse(value)).data?.isMarked ?? false;
  } catch {
    return false;
  }
}
