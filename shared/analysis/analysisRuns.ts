import { z } from "zod";
import { analyticsFilter } from "#shared/analysis/conversationAnalytics.ts";
import { timezone } from "#shared/companies/companies.ts";
import { defineContracts, del, get, listQuery, page, post } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

// Analyses of many conversations, which run in the background. Every statement of a model quotes turns verbatim;
// statements without a quote are dropped, and their number is shown. An analysis without a model only counts.

export const runKind = z.enum(["counts", "themes", "misconceptions", "tone", "question"]);
export const runState = z.enum(["waiting", "running", "done", "failed", "cancelled"]);
/** Maximum number of conversations of one analysis, including those added by updates; the newest are taken. */
export const MAX_CONVERSATIONS = 5000;

const count = z.int().min(1).max(MAX_CONVERSATIONS);
/** Which of the filtered conversations are read. The same seed selects the same conversations. */
export const sample = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("all") }),
  z.object({ kind: z.literal("newest"), count }),
  z.object({ kind: z.literal("random"), count, seed: z.int().min(0).max(2_147_483_647) }),
]);
export type Sample = z.infer<typeof sample>;

const runFilter = analyticsFilter.refine(({ from, to }) => from <= to, {
  error: "analysis.daysReversed",
  path: ["to"],
});
export const runInput = z
  .object({
    title: z.string().trim().min(1).max(160),
    kind: runKind,
    /** For `question`: what the model looks for. */
    question: z.string().trim().max(500).default(""),
    filter: runFilter,
    sample: sample.default({ kind: "all" }),
    connectorId: z.uuid().nullable().default(null),
    /** Also rates the tone of groups of people by a list of words. */
    withTone: z.boolean().default(false),
  })
  .refine(({ kind, question }) => kind !== "question" || question !== "", {
    error: "analysis.questionMissing",
    path: ["question"],
  })
  .refine(({ kind, connectorId }) => kind === "counts" || connectorId !== null, {
    error: "analysis.connectorMissing",
    path: ["connectorId"],
  });
export type RunInput = z.infer<typeof runInput>;

/** Tone of a message, judged by its words. */
export const tones = ["positive", "neutral", "negative"] as const;
export type Tone = (typeof tones)[number];

/** Estimated effort of an analysis. Cost and time are projected from earlier calls. */
export const estimate = z.object({
  conversations: z.int(),
  /** Tokens that a model would read, at four characters each. */
  tokens: z.int(),
  /** Millionths of the academy's currency; null without a model, or if it has no price. */
  costMicros: z.number().nullable(),
  /** Null without a model, or if it has not been called yet. */
  ms: z.number().nullable(),
});
export type Estimate = z.infer<typeof estimate>;

export const run = z.object({
  id: z.uuid(),
  title: z.string(),
  kind: runKind,
  question: z.string(),
  // The zone of older runs may be an offset.
  filter: analyticsFilter.extend({ zone: timezone }),
  sample,
  chatbot: z.string().nullable(),
  withTone: z.boolean(),
  state: runState,
  code: z.string().nullable(),
  conversations: z.int(),
  /** Conversations behind it, with those that were passed over. */
  read: z.int(),
  /** Conversations that were passed over, because no answer about them could be read. */
  unread: z.int(),
  model: z.string().nullable(),
  spentMicros: z.number(),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
  finishedAt: z.string().nullable(),
  /** Matching conversations with messages since the run, which it has not read. */
  newer: z.int(),
});
export type Run = z.infer<typeof run>;

/** A quote with the text around it. The learner is named by a pseudonym of this run. */
export const runQuote = z.object({
  turnId: z.uuid(),
  conversationId: z.uuid(),
  before: z.string(),
  quote: z.string(),
  after: z.string(),
  pseudonym: z.string(),
  at: z.string(),
  turnNumber: z.int(),
});
const interval = { low: z.number(), high: z.number() };
/**
 * Results in the course of the people behind a statement, compared with the other people of the run. Shares are from 0
 * to 1 with 95 % intervals (Wilson). The mean score is in percent, with the interval of the normal distribution; null
 * for fewer than MIN_GROUP people with a score.
 */
export const outcomeShare = z.object({
  people: z.int(),
  completed: z.int(),
  ...interval,
  /** People with more than one attempt. */
  retried: z.object({ people: z.int(), ...interval }),
  score: z.object({ people: z.int(), mean: z.number(), ...interval }).nullable(),
});
export const statement = z.object({
  number: z.int(),
  text: z.string(),
  detail: z.string(),
  conversations: z.int(),
  people: z.int(),
  /** 95 % interval (Wilson) of the share of conversations, from 0 to 1. */
  low: z.number(),
  high: z.number(),
  quotes: z.array(runQuote),
  theirs: outcomeShare.nullable(),
  others: outcomeShare.nullable(),
});
/**
 * Messages by tone, counted from a list of English words, of groups of at least MIN_GROUP people. No message and no
 * person is shown with a tone.
 */
const toneCounts = z.object({
  /** Messages that are counted, and the people who wrote them. */
  messages: z.int(),
  people: z.int(),
  /** Messages in languages without a list, and spoken ones. */
  notCounted: z.int(),
  shares: z.array(
    z.object({
      tone: z.enum(tones),
      /** Null if it is hidden, because it could reveal something about fewer than MIN_GROUP people. */
      found: z
        .object({
          messages: z.int(),
          conversations: z.int(),
          people: z.int(),
          /**
           * 95 % interval (Wilson) of the share of messages, from 0 to 1, with the messages of one person as a cluster.
           */
          ...interval,
          theirs: outcomeShare.nullable(),
          others: outcomeShare.nullable(),
        })
        .nullable(),
    }),
  ),
});
export type ToneCounts = z.infer<typeof toneCounts>;

export const MAX_LISTED_UNREAD = 20;
export const runResult = run.extend({
  /** Conversations that were read and still exist: the base of the shares of statements. */
  remaining: z.int(),
  statements: z.array(statement),
  /** Number of statements that are hidden, because they are about fewer than MIN_GROUP people. */
  hidden: z.int(),
  dropped: z.int(),
  /** Conversations that were passed over and still exist, at most `MAX_LISTED_UNREAD`. */
  passedOver: z.array(z.object({ id: z.uuid(), startedAt: z.string() })),
  quotes: z.int(),
  /** Results that need no model. */
  counts: z.object({
    people: z.int(),
    messages: z.int(),
    words: z.int(),
    /**
     * One to eight content words that are typical of these conversations, in their most frequent form: more frequent
     * than in conversations with other chatbots, the most typical first.
     */
    phrases: z.array(z.object({ text: z.string(), conversations: z.int(), people: z.int() })),
    /** Questions that had no answer, similar ones together, without who asked. */
    unanswered: z.array(z.object({ question: z.string(), times: z.int(), others: z.array(z.string()) })),
    /** Null unless the analysis asks for it. */
    tone: toneCounts.nullable(),
  }),
});
export type RunResult = z.infer<typeof runResult>;

const shareOfRun = z.object({ conversations: z.int(), ...interval });
const toneShare = z.object({ messages: z.int(), of: z.int(), ...interval });
const difference = z.object({ points: z.number(), ...interval });
/** `read`: conversations that were read and still exist. */
const comparedRun = run.pick({ id: true, title: true, createdAt: true, read: true });
/**
 * Two analyses of the same kind, side by side: statements, or phrases of analyses that count. Shares are from 0 to 1
 * with 95 % intervals.
 */
export const runComparison = z.object({
  before: comparedRun,
  now: comparedRun,
  items: z.array(
    z.object({
      text: z.string(),
      /** The wording of the earlier analysis, if it differs. */
      textBefore: z.string().nullable(),
      before: shareOfRun.nullable(),
      now: shareOfRun.nullable(),
      /** Difference of the shares, if the statement is in both. */
      difference: difference.nullable(),
      /** `grown` and `shrunk` only if the interval of the difference leaves out zero. */
      change: z.enum(["new", "grown", "same", "shrunk", "gone"]),
    }),
  ),
  /** Shares of messages by tone, if both analyses rate it; null where one of them hides it. */
  tone: z.array(
    z.object({
      tone: z.enum(tones),
      before: toneShare.nullable(),
      now: toneShare.nullable(),
      difference: difference.nullable(),
      change: z.enum(["grown", "same", "shrunk"]).nullable(),
    }),
  ),
});
export type RunComparison = z.infer<typeof runComparison>;

export const canAnalyse = isAdmin;
export const analysisRuns = defineContracts("analysisRuns", {
  list: get("/api/analysis-runs", {
    does: "List analyses of conversations, newest first",
    query: listQuery.omit({ sort: true }),
    reply: page(run.omit({ newer: true })),
  }),
  estimate: post("/api/analysis-estimates", {
    priority: "heavy",
    does:
      "How many conversations an analysis would read, how much text, what the model of the connector would cost, and " +
      "how long it would take",
    body: z.object({
      filter: runFilter,
      sample: sample.default({ kind: "all" }),
      connectorId: z.uuid().nullable().default(null),
    }),
    reply: estimate,
  }),
  create: post("/api/analysis-runs", { does: "Start an analysis", body: runInput, reply: run }),
  get: get("/api/analysis-runs/:id", { does: "Get an analysis with its result so far", reply: runResult }),
  compare: get("/api/analysis-runs/:id/comparison", {
    priority: "heavy",
    does: "Compare an analysis with another one of the same kind and question, by default the one before it",
    query: z.object({ with: z.uuid().optional() }),
    reply: runComparison,
  }),
  cancel: post("/api/analysis-runs/:id/cancel", { does: "Stop an analysis; what it has read is kept", reply: run }),
  resume: post("/api/analysis-runs/:id/resume", {
    does: "Go on with an analysis that has failed or was cancelled; nothing is read twice",
    reply: run,
  }),
  update: post("/api/analysis-runs/:id/update", {
    does: "Also read the conversations that are newer than the analysis",
    reply: run,
  }),
  remove: del("/api/analysis-runs/:id", { does: "Delete an analysis" }),
});
