import { z } from "zod";
import { transcript } from "#shared/conversations/conversations.ts";

// Reviews of a conversation: feedback of a model, scores of people, and how far they agree

/** A conversation as its learner or an admin reviews it, without the fields for admins. */
export const reviewTurn = transcript.shape.turns.element.pick({
  id: true,
  parentId: true,
  number: true,
  role: true,
  state: true,
  text: true,
  sources: true,
  createdAt: true,
  rating: true,
});
/**
 * What a model says about a conversation. Each statement quotes a turn verbatim; statements that do not are dropped.
 */
const evidence = z.object({ text: z.string(), turnId: z.uuid(), quote: z.string() });
export const feedback = z.object({
  /** Whether the goal was reached, in one sentence. */
  summary: z.string(),
  scores: z.array(z.object({ id: z.string(), name: z.string(), value: z.int(), turnIds: z.array(z.uuid()) })),
  wentWell: z.array(evidence),
  tryNext: z.array(evidence),
  /** Number of statements whose quote is not in the conversation. */
  dropped: z.int(),
  model: z.string(),
  createdAt: z.string(),
  /** The learner's objection to the feedback; empty without one. */
  objection: z.string(),
});
export type Feedback = z.infer<typeof feedback>;

/** Highest value of a criterion; the lowest is 1. */
export const MAX_SCORE = 5;
export const criterionScore = z.object({ id: z.string().min(1).max(40), value: z.int().min(1).max(MAX_SCORE) });
export type CriterionScore = z.infer<typeof criterionScore>;

/** Scores given by an admin before they see those of the model. */
export const scoring = z.object({
  criteria: z.array(z.object({ id: z.string(), name: z.string(), description: z.string() })),
  /** Scores of this admin; empty if they chose to read the feedback without scoring, null if they have done neither. */
  own: z.array(criterionScore).nullable(),
  /** There is feedback, which is withheld until the admin has scored or declined to. */
  isFeedbackHidden: z.boolean(),
});
export type Scoring = z.infer<typeof scoring>;

export const review = transcript.omit({ turns: true, isPreview: true, versionNumber: true }).extend({
  turns: z.array(reviewTurn),
  counts: z.object({ words: z.int(), answered: z.int(), refused: z.int(), minutes: z.number() }),
  /** Values that the conversation has set; sensitive ones are masked for admins. */
  values: z.array(z.object({ label: z.string(), value: z.string(), turnId: z.uuid() })),
  /** Who has read it, besides the learner. */
  readers: z.array(z.object({ name: z.string(), at: z.string() })),
  feedback: feedback.nullable(),
  /** Null for one's own conversation, and for chatbots without criteria. */
  scoring: scoring.nullable(),
  /** Whether feedback can be asked for: a language model is connected, and the chatbot has criteria. */
  canHaveFeedback: z.boolean(),
});
export type Review = z.infer<typeof review>;

/** Minimum number of conversations scored by people before the average of a criterion is shown. */
export const MIN_SCORED = 20;
/** How far the scores of a model agree with those of people, by chatbot and wording of its criteria. */
export const rubricAgreement = z.object({
  chatbotId: z.uuid(),
  chatbot: z.string(),
  /** First and last published version with these criteria. */
  fromVersion: z.int(),
  toVersion: z.int(),
  /** Conversations with feedback from a model. */
  conversations: z.int(),
  /** A conversation that this admin has not scored yet. */
  next: z.uuid().nullable(),
  criteria: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** Conversations that the model and a person have scored. */
      n: z.int(),
      /**
       * Quadratically weighted kappa (Cohen 1968): 1 for the same scores, 0 for agreement by chance; null if it is not
       * defined.
       */
      kappa: z.number().nullable(),
      /** Of the model's scores; null below `MIN_SCORED`. */
      average: z.number().nullable(),
    }),
  ),
});
export type RubricAgreement = z.infer<typeof rubricAgreement>;
