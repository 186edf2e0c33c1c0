import { z } from "zod";
import { namedZone } from "#shared/companies/companies.ts";
import { transcript, transcriptRow } from "#shared/conversations/conversations.ts";
import { day } from "#shared/core/dates.ts";
import { defineContracts, get, listQuery, page, post } from "#shared/core/route.ts";
import { isAdmin, isSignedIn } from "#shared/core/users.ts";

// Figures of conversations. Previews are never counted.

export const NONE = "none";
/** Days are those of `zone`; `to` is the last day that counts. */
export const analyticsFilter = z.object({
  from: day,
  to: day,
  zone: namedZone.default("UTC"),
  chatbotId: z.uuid().optional(),
  /** `none`: conversations without a company, such as those of visitors, or outside of courses. */
  companyId: z.union([z.uuid(), z.literal(NONE)]).optional(),
  courseId: z.union([z.uuid(), z.literal(NONE)]).optional(),
  /** Conversations with an answer from this model, or from this connector if it has no model. */
  model: z.string().min(1).max(300).optional(),
});
export type AnalyticsFilter = z.infer<typeof analyticsFilter>;
/** Longest period, in days. */
export const MAX_ANALYTICS_DAYS = 366;

/**
 * Numbers of a period. Shares are from 0 to 1, null if there is nothing to divide by; times in ms; money in millionths.
 */
export const conversationFigures = z.object({
  conversations: z.int(),
  people: z.int(),
  questions: z.int(),
  /** Scenes that have ended, and the share of them in which the goal was reached. */
  ended: z.int(),
  goal: z.number().nullable(),
  ratings: z.int(),
  thumbsUp: z.number().nullable(),
  answers: z.int(),
  noAnswer: z.number().nullable(),
  /** Share of full solutions among the answers of chatbots that give hints first. */
  fullSolutions: z.number().nullable(),
  /** Share of the same answers that gave away part of the solution. */
  partialSolutions: z.number().nullable(),
  /**
   * Share of full solutions given before the learner had answered any question of the course. Counts only courses whose
   * content reports answers.
   */
  earlySolutions: z.number().nullable(),
  firstWordMs: z.number().nullable(),
  slowFirstWordMs: z.number().nullable(),
  totalMs: z.number().nullable(),
  slowTotalMs: z.number().nullable(),
  tokens: z.number(),
  costMicros: z.number(),
  /** Answers of models without a price. */
  unpriced: z.int(),
  meanQuestions: z.number().nullable(),
});
export type ConversationFigures = z.infer<typeof conversationFigures>;
/** Figures of a chatbot, a company or a course. For conversations without one, `id` is null and `name` empty. */
export const figureRow = conversationFigures.extend({ id: z.uuid().nullable(), name: z.string() });
export type FigureRow = z.infer<typeof figureRow>;

export const conversationAnalytics = z.object({
  filter: analyticsFilter,
  /** First day of the preceding period of the same length. */
  beforeFrom: z.string(),
  now: conversationFigures,
  before: conversationFigures,
  days: z.array(z.object({ day: z.string(), count: z.int(), before: z.int() })),
  /** Questions by weekday (1 is Monday) and hour. */
  hours: z.array(z.object({ weekday: z.int(), hour: z.int(), count: z.int() })),
  chatbots: z.array(figureRow.extend({ id: z.uuid() })),
  companies: z.array(figureRow),
  courses: z.array(figureRow),
  models: z.array(z.object({ model: z.string(), answers: z.int(), tokens: z.number(), costMicros: z.number() })),
  /**
   * Versions of prompts that were part of the instructions; answers given before these were recorded are not counted.
   */
  prompts: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      number: z.int(),
      answers: z.int(),
      noAnswer: z.number().nullable(),
      thumbsUp: z.number().nullable(),
      costMicros: z.number(),
    }),
  ),
  documents: z.array(z.object({ id: z.uuid(), title: z.string(), answers: z.int() })),
  /** Conversations that were abandoned, by the number of questions asked. */
  leaving: z.array(z.object({ questions: z.int(), conversations: z.int() })),
  unanswered: z.array(
    z.object({
      question: z.string(),
      times: z.int(),
      chatbotId: z.uuid(),
      chatbot: z.string(),
      /** The latest of these conversations. */
      conversationId: z.uuid(),
      /** The group of the latest question (questionClusters.ts); null until it is grouped. */
      clusterId: z.uuid().nullable(),
    }),
  ),
  /** All questions without an answer. */
  unansweredTotal: z.int(),
});
export type ConversationAnalytics = z.infer<typeof conversationAnalytics>;

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

export const canReadAnalytics = isAdmin;
export const canReview = isSignedIn;
export const canScore = isAdmin;

export const analysis = defineContracts("analysis", {
  analytics: get("/api/conversation-analytics", {
    does: "Figures of conversations in a period, compared with the period before",
    keyScope: "reports:read",
    query: analyticsFilter,
    reply: conversationAnalytics,
  }),
  reviews: get("/api/conversation-reviews", {
    does: "List conversations to look back at: one's own, or as an admin those of a learner",
    query: listQuery.omit({ sort: true }).extend({ userId: z.uuid().optional() }),
    reply: page(
      transcript
        .pick({
          id: true,
          chatbot: true,
          course: true,
          title: true,
          startedAt: true,
          lastAt: true,
          outcome: true,
          questions: true,
          endedAt: true,
        })
        .extend({
          /** Questions for which every answer was a refusal, a failure or a limit. */
          unanswered: z.int(),
        }),
    ),
  }),
  review: get("/api/conversation-reviews/:id", {
    does: "Look back at a conversation; an admin's reading is recorded and visible to the learner",
    reply: review,
  }),
  giveFeedback: post("/api/conversation-reviews/:id/feedback", {
    does: "Let a language model give feedback on a conversation by the criteria of its chatbot",
    reply: review,
  }),
  score: post("/api/conversation-reviews/:id/scores", {
    does: "Score a conversation by the criteria of its chatbot, once and before reading what a model says about it",
    body: z.object({ scores: z.array(criterionScore).min(1).max(10) }),
    reply: review,
  }),
  skipScoring: post("/api/conversation-reviews/:id/scores/skip", {
    does: "Read the feedback of a model without scoring; the conversation cannot be scored any more",
    reply: review,
  }),
  agreement: get("/api/rubric-agreement", {
    does: "How far scores of models agree with scores of people, by chatbot and version of its criteria",
    reply: z.object({ items: z.array(rubricAgreement) }),
  }),
  object: post("/api/conversation-reviews/:id/objection", {
    does: "Say that one sees the feedback differently; the note stands beside it for every reader",
    body: z.object({ text: z.string().trim().max(1000) }),
    reply: review,
  }),
});

// The conversations behind a figure of the analytics, and the tables as a file

/**
 * Figures that count only some of the filtered conversations. `timed`: with answers of models, whose time is measured.
 */
export const countedFigure = z.enum([
  "ended",
  "goal",
  "ratings",
  "thumbsUp",
  "noAnswer",
  "guided",
  "fullSolutions",
  "partialSolutions",
  "earlySolutions",
  "timed",
  "cost",
  "unpriced",
]);
export type CountedFigure = z.infer<typeof countedFigure>;

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max).optional();
/**
 * Narrows the filter to the conversations counted by a figure, a row or a cell. Several conditions are combined with
 * "and".
 */
export const countedBy = z.object({
  figure: countedFigure.optional(),
  promptVersionId: z.uuid().optional(),
  documentId: z.uuid().optional(),
  /** With a message on this weekday (1 is Monday) in this hour. */
  weekday: whole(1, 7),
  hour: whole(0, 23),
  /** Abandoned after this number of questions; the maximum also stands for more. */
  leftAfter: whole(1, 12),
});
export type CountedBy = z.infer<typeof countedBy>;

export const analyticsRows = defineContracts("analysis", {
  conversations: get("/api/conversation-analytics/conversations", {
    does: "List the conversations that a figure counts, newest first",
    query: z.object({ ...analyticsFilter.shape, ...countedBy.shape, ...listQuery.omit({ sort: true }).shape }),
    reply: page(transcriptRow),
  }),
  export: get("/api/conversation-analytics/export", {
    does: "Export the tables of the analytics as CSV or XLSX: a row for each chatbot, company, course, model, prompt version, day and hour",
    query: analyticsFilter.extend({ format: z.enum(["csv", "xlsx"]).default("csv") }),
    reply: z.string(),
  }),
});
