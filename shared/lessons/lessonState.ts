import { z } from "zod";
import { answerState } from "#shared/lessons/judge.ts";
import { quizState } from "#shared/lessons/quizState.ts";
import { blockId } from "#shared/lessons/richText.ts";
import { scenarioState } from "#shared/lessons/scenarioState.ts";
import { variableValue } from "#shared/variables/variableFigures.ts";

// What a learner has done in a lesson, as its events say

/** Ranges in seconds, sorted and apart from each other. */
export const watched = z.object({ duration: z.number(), ranges: z.array(z.tuple([z.number(), z.number()])) });
export type Watched = z.infer<typeof watched>;

export const lessonState = z.object({
  /** Ids of blocks. */
  seen: z.array(blockId),
  /** The block at which the learner continues. */
  last: blockId.nullable(),
  answers: z.record(blockId, answerState),
  /** Ids of the ticked items, by checklist. */
  checked: z.record(blockId, z.array(blockId)),
  watched: z.record(blockId, watched),
  /** Keys of the variables that blocks of the lesson have written. */
  written: z.array(z.string()),
  /** When the learner has signed, and in which time zone. */
  confirmed: z.record(blockId, z.object({ at: z.string(), zone: z.string() })),
  /** The learner has come to the end. */
  ended: z.boolean(),
  /** The values that conditions of the lesson saw at its last event. */
  values: z.record(z.string(), variableValue),
  /** By the id of the block; not in states from before there were scenarios. */
  scenarios: z.record(blockId, scenarioState).optional(),
  /** Blocks marked as unclear: when, and the line for the author; null if that was taken back. */
  unclear: z.record(blockId, z.object({ at: z.string(), line: z.string().nullable() })).optional(),
  /** The attempts, if the lesson is a quiz that was started. */
  quiz: quizState.optional(),
});
export type LessonState = z.infer<typeof lessonState>;

export const newLessonState = (): LessonState => ({
  seen: [],
  last: null,
  answers: {},
  checked: {},
  watched: {},
  written: [],
  confirmed: {},
  ended: false,
  values: {},
});
