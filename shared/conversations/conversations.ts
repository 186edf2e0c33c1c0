import { z } from "zod";
import { solution } from "#shared/auth/auth.ts";
import { defineContracts, del, get, listQuery, MIB, page, post } from "#shared/core/route.ts";
import { anyone, isAdmin } from "#shared/core/users.ts";

// Conversations with chatbots. A conversation is a tree of turns: a question and the answers to it. Callers send only
// text and ids of turns of this conversation; everything else comes from the database.

export const turnState = z.enum([
  "stored",
  "waiting",
  "streaming",
  "done",
  "stopped",
  "cut",
  "failed",
  "refused",
  "limited",
  "care",
  "blocked",
]);
export type TurnState = z.infer<typeof turnState>;
/** Whether an answer is still being written. */
export const isOpenState = (state: TurnState) => state === "waiting" || state === "streaming";

/** A passage that an answer rests on; `[n]` in the text refers to it. */
export const turnSource = z.object({
  n: z.int(),
  passageId: z.string(),
  documentId: z.uuid(),
  versionId: z.uuid(),
  title: z.string(),
  heading: z.string(),
  page: z.int().nullable(),
  quote: z.string(),
  /** Offsets of the quote in the text of the version. */
  from: z.int(),
  to: z.int(),
  /** The part of a course that the passage is from. */
  part: z.object({ courseId: z.uuid(), sco: z.string(), title: z.string() }).optional(),
});
export type TurnSource = z.infer<typeof turnSource>;

export const turnWhy = z.object({
  query: z.string(),
  passages: z.array(
    z.object({
      passageId: z.string(),
      title: z.string(),
      heading: z.string(),
      page: z.int().nullable(),
      score: z.number(),
      coverage: z.number(),
      /** Missing in answers from before it was looked at. */
      givesOrders: z.boolean().optional(),
    }),
  ),
  instructions: z.string(),
  retrievalMs: z.int(),
});
export type TurnWhy = z.infer<typeof turnWhy>;

export const rating = z.enum(["up", "down"]);
export const ratingReason = z.enum(["wrong", "unclear", "notHelpful", "source", "tone", "other"]);

export const turn = z.object({
  id: z.uuid(),
  parentId: z.uuid().nullable(),
  number: z.int(),
  role: z.enum(["user", "assistant"]),
  state: turnState,
  text: z.string(),
  sources: z.array(turnSource),
  /** Replies offered to choose from. */
  options: z.array(z.string()),
  code: z.string().nullable(),
  createdAt: z.string(),
  firstAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  rating: rating.nullable(),
  /** The message was spoken. */
  spoken: z.boolean(),
  /** The help text of the chatbot is shown below the message. */
  showsHelp: z.boolean(),
});
export type Turn = z.infer<typeof turn>;

export const conversationRow = z.object({
  id: z.uuid(),
  chatbotId: z.uuid(),
  chatbot: z.string(),
  courseId: z.uuid().nullable(),
  course: z.string().nullable(),
  title: z.string(),
  startedAt: z.string(),
  lastAt: z.string(),
  endedAt: z.string().nullable(),
  outcome: z.enum(["goal", "ended"]).nullable(),
  questions: z.int(),
});
export type ConversationRow = z.infer<typeof conversationRow>;
/** For admins: with the person (null for a visitor), the cost, and the number of questions without an answer. */
export const transcriptRow = conversationRow.extend({
  person: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  company: z.string().nullable(),
  costMicros: z.number(),
  unanswered: z.int(),
});
export const conversation = conversationRow.extend({ turns: z.array(turn) });
export type Conversation = z.infer<typeof conversation>;

/** For admins: with cost, and the facts that explain each answer. */
export const transcriptTurn = turn.extend({
  connector: z.string().nullable(),
  model: z.string().nullable(),
  tokensIn: z.int().nullable(),
  tokensOut: z.int().nullable(),
  costMicros: z.number().nullable(),
  ratingReason: z.string().nullable(),
  ratingText: z.string(),
  /** The message, or a passage that the model read for the answer, seems to give orders to a language model. */
  givesOrders: z.boolean(),
  why: turnWhy.nullable(),
});
export const transcript = conversation.omit({ turns: true }).extend({
  person: z.object({ id: z.uuid(), name: z.string(), email: z.string().nullable() }).nullable(),
  company: z.string().nullable(),
  isPreview: z.boolean(),
  versionNumber: z.int().nullable(),
  sessionId: z.uuid().nullable(),
  turns: z.array(transcriptTurn),
});
export type Transcript = z.infer<typeof transcript>;

/**
 * Whether a text has a visible character. White space, zero-width characters and fillers, which Unicode classifies as
 * letters, do not count.
 */
export const isVisible = (text: string) =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replace(/\p{Default_Ignorable_Code_Point}/gu, ""));
/** Longest message that any chatbot accepts; each sets its own limit below it. */
export const MAX_MESSAGE_CHARS = 16_000;
/** Carries the token of a visitor without an account. */
export const VISITOR_HEADER = "x-lyceum-visitor";
/** Hours for which the token of a visitor is valid. */
export const VISITOR_HOURS = 12;

/** An event of the stream of an answer: text added at character `from`, or the end. */
export const answerEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), from: z.int(), text: z.string() }),
  z.object({ type: z.literal("end"), turn }),
]);
export type AnswerEvent = z.infer<typeof answerEvent>;

export const canTalk = anyone;
export const canReadTranscripts = isAdmin;

/** Transcribes a recording: `POST` with the audio as body (`voiceQuery`), answered with `{ text }`. */
export const transcriptionPath = (chatbotId: string) => `/api/open-chatbots/${chatbotId}/transcriptions`;
/** `POST` returns the characters `from` to `to` of one of the caller's answers as MP3 (`speechQuery`). */
export const speechPath = (turnId: string) => `/api/turns/${turnId}/speech`;
export const voiceQuery = z.object({
  courseId: z.uuid().optional(),
  preview: z.literal("yes").optional(),
  /** ISO 639-1. */
  language: z
    .string()
    .regex(/^[a-z]{2}$/, { error: "core.badLanguage" })
    .optional(),
});
/** Longest part of an answer that is spoken at once, in characters. */
export const MAX_SPOKEN_CHARS = 1000;
export const speechQuery = z
  .object({ from: z.coerce.number().int().min(0).max(1_000_000), to: z.coerce.number().int().min(1).max(1_000_000) })
  .refine(({ from, to }) => to > from && to - from <= MAX_SPOKEN_CHARS, { error: "core.invalid", path: ["to"] });
/** Limits of a recording of one turn: bytes and seconds. */
export const MAX_RECORDING_BYTES = 4 * MIB;
export const MAX_RECORDING_SECONDS = 60;

export const conversationChannel = z.enum(["page", "course", "embed", "event", "preview"]);
/** `proofOfWork`: a solution of the challenge in the details of 429 `conversations.proofOfWorkRequired`. */
const message = {
  /** Chosen by the browser, so that a message that is sent twice is stored once. */
  id: z.uuid(),
  text: z.string().trim().min(1).max(MAX_MESSAGE_CHARS).refine(isVisible, { error: "conversations.nothingVisible" }),
  /** The answer that this replies to; null for the first message. An earlier one begins a branch. */
  parentId: z.uuid().nullable().default(null),
  /** The button that was pressed: its label is the message, whatever `text` says. */
  buttonId: z.uuid().nullable().default(null),
  /** It was spoken. */
  spoken: z.boolean().default(false),
  proofOfWork: solution.optional(),
};
const sentTurns = z.object({ question: turn, answer: turn });

export const conversations = defineContracts("conversations", {
  visit: post("/api/chatbot-visits", {
    does: "Get a token for a visitor without an account, for one public chatbot",
    body: z.object({ chatbotId: z.uuid() }),
    reply: z.object({ token: z.string(), expiresAt: z.string() }),
  }),
  start: post("/api/conversations", {
    does: "Start a conversation; repeated with the same id, the same one is returned",
    body: z.object({
      id: z.uuid(),
      chatbotId: z.uuid(),
      courseId: z.uuid().nullable().default(null),
      /** The session of the course that is open next to the chat. */
      sessionId: z.uuid().nullable().default(null),
      /** The event on whose page it begins; ignored unless the event is public and has this chatbot. */
      eventId: z.uuid().nullable().default(null),
      channel: conversationChannel.default("page"),
    }),
    reply: conversation,
  }),
  mine: get("/api/conversations", {
    does: "List one's own conversations with a chatbot, newest first",
    query: listQuery.omit({ sort: true }).extend({
      chatbotId: z.uuid().optional(),
      courseId: z.uuid().optional(),
      eventId: z.uuid().optional(),
    }),
    reply: page(conversationRow),
  }),
  get: get("/api/conversations/:id", { does: "Get one's own conversation with all turns", reply: conversation }),
  send: post("/api/conversations/:id/turns", {
    does: "Send a message; it is stored before it is answered. Sent again with the same id, nothing happens twice",
    body: z.object(message),
    reply: sentTurns,
  }),
  regenerate: post("/api/turns/:id/regenerate", {
    does: "Answer the question of an answer anew, as another branch",
    body: z.object({ id: z.uuid(), proofOfWork: solution.optional() }),
    reply: turn,
  }),
  stop: post("/api/turns/:id/stop", { does: "End an answer that is being written", reply: turn }),
  stream: get("/api/turns/:id/stream", {
    priority: "light",
    does: "Follow an answer as server-sent events (text/event-stream) from a character on, until it has ended",
    query: z.object({ from: z.coerce.number().int().min(0).max(1_000_000).default(0) }),
    reply: z.unknown(),
  }),
  rate: post("/api/turns/:id/rating", {
    does: "Rate an answer, or take the rating back",
    body: z.object({
      rating: rating.nullable(),
      reason: ratingReason.nullable().default(null),
      text: z.string().trim().max(1000).default(""),
    }),
    reply: turn,
  }),
  remove: del("/api/conversations/:id", { does: "Delete one's own conversation" }),
  all: get("/api/transcripts", {
    does: "List all conversations, newest first",
    query: listQuery.omit({ sort: true }).extend({
      chatbotId: z.uuid().optional(),
      courseId: z.uuid().optional(),
      companyId: z.uuid().optional(),
      userId: z.uuid().optional(),
      includesPreviews: z.enum(["yes", "no"]).default("no"),
      /** Only those with a message or a passage that seems to give orders to a language model. */
      orders: z.enum(["yes", "no"]).default("no"),
    }),
    reply: page(transcriptRow),
  }),
  transcript: get("/api/transcripts/:id", {
    does: "Read a conversation with costs and reasons; reading is recorded and visible to the learner",
    reply: transcript,
  }),
});
