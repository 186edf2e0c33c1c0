import { z } from "zod";
import { comparedAnswer } from "#shared/conversations/answerComparisons.ts";
import { conversationChannel, conversationRow, turn } from "#shared/conversations/conversations.ts";
import { questions } from "#shared/courses/questions.ts";
import { lessonAnswers, sessionLesson } from "#shared/player/lessons.ts";
import { part, sessionEvent } from "#shared/player/player.ts";
import { launch } from "#shared/player/player.ts";
import { valueSource } from "#shared/rawData/rawData.ts";
import { MAX_CHUNKS } from "#shared/recordings/recordingLimits.ts";
import { sessionRow } from "#shared/reports/reports.ts";
import { defineContracts, get, listQuery, page, post } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";
import { variablePrivacy, variableType, writeMode } from "#shared/variables/variables.ts";
import { variableValue } from "#shared/variables/variableFigures.ts";
import { refusals } from "#shared/variables/variableTypes.ts";

// The replay of a session: what happened in it, second by second. Times `t` are ms since the start of the session by
// the clock of its browser. The replay of a conversation has the times that the server stored.

/** Reason for showing a masked value; recorded in the audit log. */
export const revealReason = z.enum(["learnerAsked", "support", "safety", "audit"]);

/** A variable of the course or of the session, with the value that the learner had when the session began. */
export const replayVariable = z.object({
  id: z.uuid(),
  key: z.string(),
  label: z.string(),
  type: variableType,
  unit: z.string(),
  writeMode,
  privacy: variablePrivacy,
  /** Null if there was none, and for sensitive variables. */
  start: variableValue,
});
export type ReplayVariable = z.infer<typeof replayVariable>;

export const replay = z.object({
  session: sessionRow,
  learner: z.object({ id: z.uuid(), name: z.string() }),
  company: z.string(),
  courseId: z.uuid(),
  version: z.int(),
  parts: z.array(part.pick({ sco: true, title: true, depth: true }).extend({ isHeading: z.boolean() })),
  questions,
  variables: z.array(replayVariable),
  /**
   * Offset of the browser's start behind `startedAt` on the server, in ms; null if all commits came too late to tell.
   */
  offsetMs: z.int().nullable(),
  /** Time zone of the company, in which the replay shows times; that of the academy without a company. */
  zone: z.string(),
  /** When this replay was opened; the learner sees it. */
  openedAt: z.string(),
});
export type Replay = z.infer<typeof replay>;

/**
 * Events of a session and the commits that contained them. `next` is the cursor of the next page; null after the last
 * one.
 */
export const replayEvents = z.object({
  events: z.array(sessionEvent),
  commits: z.array(z.object({ firstSeq: z.int(), lastSeq: z.int(), receivedAt: z.string() })),
  next: z.int().nullable(),
});

/** A value that was set in the session, by content (with the number of its event) or on the server. */
export const replayValue = z.object({
  id: z.int(),
  variableId: z.uuid(),
  seq: z.int().nullable(),
  turnId: z.uuid().nullable(),
  source: valueSource,
  happenedAt: z.string(),
  /** Null for sensitive variables. */
  value: variableValue,
  refusal: z.enum(refusals).nullable(),
  /** It was corrected later. */
  corrected: z.boolean(),
});
export type ReplayValue = z.infer<typeof replayValue>;

/** A message of a conversation that was held in the session. */
export const replayTurn = z.object({
  id: z.uuid(),
  chatbot: z.string(),
  number: z.int(),
  role: z.enum(["user", "assistant"]),
  state: z.string(),
  text: z.string(),
  sources: z.int(),
  /** The button that asked it. */
  button: z.string().nullable(),
  model: z.string().nullable(),
  /** Number of passages found, and the duration of the search in ms; null without a search. */
  passages: z.int().nullable(),
  retrievalMs: z.int().nullable(),
  /** Millionths of the academy's currency; null without a price or a model. */
  costMicros: z.number().nullable(),
  spoken: z.boolean(),
  createdAt: z.string(),
  firstAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
});
export type ReplayTurn = z.infer<typeof replayTurn>;

/**
 * Data for opening a part as it was: the shell with the files of the version, and the values. `variables` have those at
 * the start of the session.
 */
export const replayStage = z.object({
  /** Why no part may be opened: the package could show values that are masked, or that were deleted; null if it may. */
  closed: z.enum(["masked", "deleted"]).nullable(),
  /** Null if no part can be opened, also because none exists. */
  shell: z.url().nullable(),
  kind: launch.shape.course.shape.kind,
  parts: z.array(part),
  /** Data model values after the event `seq`, by part, then by element. */
  values: launch.shape.values,
  variables: launch.shape.variables,
});
export type ReplayStage = z.infer<typeof replayStage>;

/** The lesson that was open after an event: which part that was, and what its learner saw; null for other parts. */
export const replayLesson = z.object({
  sco: z.string().nullable(),
  shown: z
    .object({
      lesson: sessionLesson,
      answers: lessonAnswers,
      /** Folder of the files of the lesson. */
      media: z.url(),
    })
    .nullable(),
});
export type ReplayLesson = z.infer<typeof replayLesson>;

/** The recording of the page in a session. */
export const replayRecording = z.object({
  /** Why it is not shown: it could show values that are masked, or that were deleted; null if it may be. */
  closed: replayStage.shape.closed,
  /** The page on the content origin that shows it; null without a recording, or if it is not shown. */
  viewer: z.url().nullable(),
});
export type ReplayRecording = z.infer<typeof replayRecording>;

/** Asks for the values of a masked variable. */
const reveal = z.object({ variableId: z.uuid(), reason: revealReason });
export type Reveal = z.infer<typeof reveal>;
const revealed = z.object({
  start: variableValue,
  values: z.array(z.object({ id: z.int(), value: variableValue })),
});
export type RevealedValues = z.infer<typeof revealed>;

const cursor = z.object({ after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0) });

/** 0: at the start of the session. */
const eventNumber = z.object({ seq: z.coerce.number().int().min(0).max(2_147_483_647).default(0) });

export const replays = defineContracts("reports", {
  replay: get("/api/reports/sessions/:id/replay", {
    does: "Get what a replay of a session starts with; the learner sees that it was opened",
    reply: replay,
  }),
  replayEvents: get("/api/reports/sessions/:id/replay/events", {
    does: "List the events of a session in order, with sensitive values masked",
    query: cursor,
    reply: replayEvents,
  }),
  replayValues: get("/api/reports/sessions/:id/replay/values", {
    does: "List the values of variables that were set in a session, in order",
    query: cursor,
    reply: z.object({ values: z.array(replayValue), next: z.int().nullable() }),
  }),
  replayTurns: get("/api/reports/sessions/:id/replay/turns", {
    does: "List the messages of the conversations of a session, in order",
    query: listQuery.pick({ page: true, size: true }),
    reply: page(replayTurn),
  }),
  replayStage: get("/api/reports/sessions/:id/replay/stage", {
    does: "Get what opens the parts of a session read-only, in the state that they had after one of its events",
    query: eventNumber,
    reply: replayStage,
  }),
  replayLesson: get("/api/reports/sessions/:id/replay/lesson", {
    does: "Get the lesson that was open after an event of a session, as its learner saw it",
    query: eventNumber,
    reply: replayLesson,
  }),
  replayRecording: get("/api/reports/sessions/:id/replay/recording", {
    does: "Get whether the page of a session was recorded, and what shows it",
    reply: replayRecording,
  }),
  recordingChunks: get("/api/reports/sessions/:id/replay/recording/chunks", {
    does: "Get the chunks of the recording of a session in order; the learner sees that it was watched",
    query: z.object({ from: z.coerce.number().int().min(0).max(MAX_CHUNKS).default(0) }),
    reply: z.object({
      /** Base64 of gzip-compressed JSON. It comes from the learner's browser and has not been validated. */
      chunks: z.array(z.string()),
      /** The number of the first chunk of the next page; null after the last one. */
      next: z.int().nullable(),
    }),
  }),
  revealValues: post("/api/reports/sessions/:id/replay/reveal", {
    does: "Show the values of a sensitive variable in a session, for a reason that the audit log keeps",
    body: reveal,
    reply: revealed,
  }),
});

/** What a replay of a conversation starts with. */
export const conversationReplay = conversationRow.extend({
  /** Null for a visitor without an account. */
  person: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  company: z.string().nullable(),
  channel: conversationChannel,
  isPreview: z.boolean(),
  /** Number of the version of the chatbot; null for a draft. */
  version: z.int().nullable(),
  /** The session of a course in which it was held. */
  sessionId: z.uuid().nullable(),
  /**
   * Variables that the chatbot may read or write, and others that were set, with their values when the conversation
   * began.
   */
  variables: z.array(replayVariable),
  /** Time zone of the company, in which the replay shows times; that of the academy without a company. */
  zone: z.string(),
  /** When this replay was opened; the learner sees it. */
  openedAt: z.string(),
});
export type ConversationReplay = z.infer<typeof conversationReplay>;

/** A turn with everything that is stored. The text is stored as a whole, without the times of its words. */
export const conversationReplayTurn = turn.extend({
  /** The button that asked it. */
  button: z.string().nullable(),
  ratingReason: z.string().nullable(),
  ratingText: z.string(),
  /** How the answer came about; null for a question. */
  facts: comparedAnswer.omit({ state: true, text: true, sources: true, options: true }).nullable(),
});
export type ConversationReplayTurn = z.infer<typeof conversationReplayTurn>;

export const conversationReplays = defineContracts("reports", {
  conversationReplay: get("/api/reports/conversations/:id/replay", {
    does: "Get what a replay of a conversation starts with; the learner sees that it was opened",
    reply: conversationReplay,
  }),
  conversationTurns: get("/api/reports/conversations/:id/replay/turns", {
    does: "List the turns of a conversation with their times, in order of arrival",
    query: listQuery.pick({ page: true, size: true }),
    reply: page(conversationReplayTurn),
  }),
  conversationValues: get("/api/reports/conversations/:id/replay/values", {
    does: "List the values of variables that a conversation has set, in order",
    query: cursor,
    reply: z.object({ values: z.array(replayValue), next: z.int().nullable() }),
  }),
  revealConversationValues: post("/api/reports/conversations/:id/replay/reveal", {
    does: "Show the values of a sensitive variable in a conversation, for a reason that the audit log keeps",
    body: reveal,
    reply: revealed,
  }),
});
export const canReplay = isAdmin;
