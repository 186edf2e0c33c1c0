import { z } from "zod";
import { connectorErrorCode } from "#shared/connectors/connectors.ts";
import { turnSource, turnState, turnWhy } from "#shared/conversations/conversations.ts";
import { defineContracts, post } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

// Asks the currently published version of a chatbot an earlier question again. Nothing is added to a conversation.

/**
 * One of the two answers. Facts that are unknown or do not apply are null. Times are ms since the question was asked.
 */
export const comparedAnswer = z.object({
  state: turnState,
  text: z.string(),
  /** Why it failed, or ended early. */
  code: connectorErrorCode.or(z.enum(["length", "internal"])).nullable(),
  sources: z.array(turnSource),
  /** Replies offered to choose from. */
  options: z.array(z.string()),
  /** Number of the published version; null for a draft. */
  version: z.int().nullable(),
  /** `number` is null if the answer did not record its version. */
  prompt: z.object({ name: z.string(), number: z.int().nullable() }).nullable(),
  connector: z.string().nullable(),
  model: z.string().nullable(),
  /** The connector that should have answered, if another one stood in for it. */
  insteadOf: z.string().nullable(),
  passages: turnWhy.shape.passages,
  retrievalMs: z.int().nullable(),
  firstMs: z.int().nullable(),
  totalMs: z.int().nullable(),
  tokensIn: z.int().nullable(),
  tokensOut: z.int().nullable(),
  costMicros: z.number().nullable(),
});
export type ComparedAnswer = z.infer<typeof comparedAnswer>;

/**
 * Why no model is asked. Of the chatbot: `archived`, `unpublished`. Of the question: `care` (it may be about
 * self-harm), `blocked` (a phrase that the admin does not allow), `moderated` (a provider has refused it). Of a scene:
 * `noStep` (the published version does not have the step at which it was asked).
 */
export const notAskedReason = z.enum(["archived", "unpublished", "care", "blocked", "moderated", "noStep"]);

/** A line of the stream (NDJSON): one `begin`, then pieces of text and an `end`, or `notAsked`. */
export const comparisonEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("begin"),
    chatbot: z.string(),
    question: z.string(),
    askedAt: z.string(),
    recorded: comparedAnswer.nullable(),
    /** Number of the version that is asked; null if there is none. */
    version: z.int().nullable(),
    /** Whether it was given values of variables, as of the time of the question. */
    hasValues: z.boolean(),
  }),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("end"), answer: comparedAnswer }),
  z.object({
    type: z.literal("notAsked"),
    reason: notAskedReason,
    /** The text of the published version, which needs no model. */
    text: z.string(),
  }),
]);
export type ComparisonEvent = z.infer<typeof comparisonEvent>;

export const canCompareAnswers = isAdmin;

export const answerComparisons = defineContracts("conversations", {
  compare: post("/api/turns/:id/comparison", {
    does:
      "Ask the published version of a chatbot an earlier question; answers with one JSON object per line " +
      "(`ComparisonEvent`) and changes no conversation",
    body: z.object({
      /** The recorded answer to compare with; without one, the newest to the question. */
      answerId: z.uuid().nullable().default(null),
    }),
  }),
});
