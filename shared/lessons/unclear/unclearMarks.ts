import { z } from "zod";
import { defineContracts, get, post } from "#shared/core/route.ts";
import { blockId } from "#shared/lessons/richText.ts";

// What authors see of blocks that learners have marked as unclear: no names, and days instead of times

/** Blocks of a course, and lines of a block, that are listed. */
export const MAX_UNCLEAR_BLOCKS = 500;
export const MAX_UNCLEAR_LINES = 50;

export const unclearBlock = z.object({
  lessonId: z.string(),
  /** In the version that was marked last. */
  lesson: z.string(),
  blockId,
  /** The beginning of the block in that version. */
  about: z.string(),
  version: z.int(),
  /** People whose mark has not been dealt with, and all. */
  open: z.int(),
  people: z.int(),
  /** The newest first; those that were dealt with last. */
  lines: z.array(z.object({ line: z.string(), day: z.string(), isDealt: z.boolean() })).max(MAX_UNCLEAR_LINES),
  /** When the newest of these marks arrived. */
  until: z.string(),
});
export type UnclearBlock = z.infer<typeof unclearBlock>;

export const unclearMarks = defineContracts("unclearMarks", {
  list: get("/api/courses/:id/unclear-marks", {
    does: "List the blocks of a course that learners have marked as unclear, with their lines and without names",
    query: z.object({ lessonId: z.string().max(265).optional() }),
    reply: z.object({ items: z.array(unclearBlock).max(MAX_UNCLEAR_BLOCKS) }),
  }),
  deal: post("/api/courses/:id/unclear-marks/deal", {
    does: "Mark as dealt with what learners have found unclear in a block up to a time, or take that back",
    body: z.object({
      lessonId: z.string().max(265),
      blockId,
      /** `until` of the list, so that what has arrived since stays open. */
      until: z.iso.datetime({ offset: true }),
      isDealt: z.boolean(),
    }),
    reply: z.object({ changed: z.int() }),
  }),
});
