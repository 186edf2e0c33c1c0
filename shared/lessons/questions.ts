import { z } from "zod";
import { blockId, richText } from "#shared/lessons/richText.ts";

// Questions of lessons. `graded` questions count for the score: they are judged on the server, and what is right is
// not sent to browsers before an answer is stored. Practice questions are judged in the browser.

export const MAX_CHOICES = 30;

const choice = z.object({
  id: blockId,
  text: richText,
  isRight: z.boolean(),
  /** Shown beside the choice once it was chosen. */
  feedback: richText.nullable(),
});

const questionBase = z.object({
  text: richText,
  graded: z.boolean(),
  /** Weight in the score of the lesson. */
  points: z.number().min(0).max(100),
  /** How often a learner may answer; null: as often as they like. */
  tries: z.int().min(1).max(20).nullable(),
  /** The lesson is complete only when this question was answered. */
  required: z.boolean(),
  feedback: z.object({ right: richText.nullable(), wrong: richText.nullable() }),
});

const choices = z.array(choice).min(2).max(MAX_CHOICES);
const pair = z.object({ id: blockId, left: richText, rightId: blockId, right: richText });

export const single = questionBase.extend({ kind: z.literal("single"), choices, shuffle: z.boolean() });
export const multiple = questionBase.extend({ kind: z.literal("multiple"), choices, shuffle: z.boolean() });
export const trueFalse = questionBase.extend({ kind: z.literal("trueFalse"), isTrue: z.boolean() });
/** Each left text has one right text; the right texts are shown in another order. */
export const match = questionBase.extend({ kind: z.literal("match"), pairs: z.array(pair).min(2).max(MAX_CHOICES) });
/** The items in their right order. */
export const order = questionBase.extend({
  kind: z.literal("order"),
  items: z
    .array(z.object({ id: blockId, text: richText }))
    .min(2)
    .max(MAX_CHOICES),
});
/**
 * Gaps in a text, each with the answers that are right. A piece of text and a gap alternate as the author wrote them.
 */
export const fill = questionBase.extend({
  kind: z.literal("fill"),
  pieces: z
    .array(
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("text"), text: z.string().max(5000) }),
        z.object({
          kind: z.literal("gap"),
          id: blockId,
          answers: z.array(z.string().trim().min(1).max(200)).min(1).max(30),
          caseSensitive: z.boolean(),
        }),
      ]),
    )
    .min(1)
    .max(60),
});
/** Right if the number is at most `tolerance` away from `answer`. */
export const number = questionBase.extend({
  kind: z.literal("number"),
  answer: z.number(),
  tolerance: z.number().min(0),
  unit: z.string().max(30),
});
export const shortText = questionBase.extend({
  kind: z.literal("shortText"),
  answers: z.array(z.string().trim().min(1).max(300)).min(1).max(50),
  caseSensitive: z.boolean(),
});

export const question = z.discriminatedUnion("kind", [
  single,
  multiple,
  trueFalse,
  match,
  order,
  fill,
  number,
  shortText,
]);
export type Question = z.infer<typeof question>;
export type QuestionKind = Question["kind"];

/**
 * What a learner answers: ids of the chosen choices; `true` or `false`; for `match` the right id by the id of its pair;
 * for `order` the ids in order; for `fill` the text by the id of its gap; a number; a text.
 */
export const response = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("choices"), chosen: z.array(blockId).max(MAX_CHOICES) }),
  z.object({ kind: z.literal("trueFalse"), value: z.boolean() }),
  z.object({ kind: z.literal("match"), pairs: z.record(blockId, blockId) }),
  z.object({ kind: z.literal("order"), ids: z.array(blockId).max(MAX_CHOICES) }),
  z.object({ kind: z.literal("fill"), gaps: z.record(blockId, z.string().max(200)) }),
  z.object({ kind: z.literal("number"), value: z.number() }),
  z.object({ kind: z.literal("text"), text: z.string().max(300) }),
]);
export type QuestionResponse = z.infer<typeof response>;
