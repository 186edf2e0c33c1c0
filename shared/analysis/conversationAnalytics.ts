import { z } from "zod";
import { namedZone } from "#shared/companies/companies.ts";
import { transcriptRow } from "#shared/conversations/conversations.ts";
import { day } from "#shared/core/dates.ts";
import { defineContracts, get, listQuery, page } from "#shared/core/route.ts";

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
    does:
      "Export the tables of the analytics as CSV or XLSX: a row for each chatbot, company, course, model, prompt " +
      "version, day and hour",
    query: analyticsFilter.extend({ format: z.enum(["csv", "xlsx"]).default("csv") }),
    reply: z.string(),
  }),
});
