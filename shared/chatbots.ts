import { z } from "zod";
import { defineContracts, del, get, KIB, listQuery, page, post, put, sortBy } from "#shared/route.ts";
import { anyone, isAdmin } from "#shared/users.ts";
import { variableValue } from "#shared/variableFigures.ts";

// Chatbots: who they are, what they know, whom they answer and within which limits. The draft is edited; publishing copies it into a
// version that does not change. A conversation keeps the version it began with.

/** `public`: everybody with the link; `signedIn`: people with an account; `course`: learners of its courses, within the course. */
export const botAccess = z.enum(["public", "signedIn", "course"]);
/** Whether an answer may rest on more than the documents. */
export const answerPolicy = z.enum(["documentsOnly", "documentsFirst", "free"]);
/** `scene`: a script of steps and choices, which needs no language model. */
export const pedagogy = z.enum(["answer", "hints", "socratic", "rolePlay", "quiz", "scene"]);
export const botStatus = z.enum(["draft", "published", "paused", "archived"]);

const shortText = (max: number) => z.string().trim().max(max).default("");

/** A step of a scene: what the bot says, and what the person may answer. A step without choices ends the scene. */
export const sceneStep = z.object({
  id: z
    .string()
    .trim()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: "chatbots.badStep" }),
  says: z.string().trim().min(1).max(2000),
  choices: z
    .array(
      z.object({
        label: z.string().trim().min(1).max(300),
        to: z.string().trim().min(1).max(40),
        /** Words of a free answer that also lead here. */
        words: z.array(z.string().trim().min(1).max(60)).max(20).default([]),
        /** A value that the choice sets. */
        sets: z.object({ variableId: z.uuid(), value: variableValue }).nullable().default(null),
      }),
    )
    .max(8)
    .default([]),
  /** Only for a step without choices: whether the goal is reached. */
  reachesGoal: z.boolean().default(false),
});
export type SceneStep = z.infer<typeof sceneStep>;

const criterion = z.object({
  id: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: "chatbots.badStep" }),
  name: z.string().trim().min(1).max(80),
  /** What each value from 1 to 5 means. */
  description: shortText(600),
});

export const botLimits = z.object({
  /** Messages of one address in ten minutes; of one visitor or learner and of the whole bot in a day; of one conversation. */
  perAddress: z.int().min(1).max(1000).default(60),
  perPerson: z.int().min(1).max(10_000).default(100),
  perDay: z.int().min(1).max(1_000_000).default(2000),
  perConversation: z.int().min(1).max(1000).default(60),
  inputChars: z.int().min(50).max(16_000).default(4000),
  outputTokens: z.int().min(50).max(8000).default(800),
  /** What people read at a limit. */
  text: shortText(600),
});

export const botSettings = z.object({
  description: shortText(500),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .nullable()
    .default(null),
  /** What it says first. */
  greeting: shortText(1000),
  /** By language (ISO 639-1), where it differs. */
  greetings: z.record(z.string().regex(/^[a-z]{2}$/), z.string().trim().max(1000)).default({}),
  persona: shortText(4000),
  goal: shortText(1000),
  /** A prompt whose live version is added to the instructions. */
  promptId: z.uuid().nullable().default(null),
  /** Null: the default connector, or the built-in one. */
  connectorId: z.uuid().nullable().default(null),
  model: z.string().trim().max(200).nullable().default(null),
  temperature: z.number().min(0).max(2).nullable().default(null),
  documentIds: z.array(z.uuid()).max(200).default([]),
  buttonIds: z.array(z.uuid()).max(20).default([]),
  /** Variables that it may know, and those that it writes. */
  readVariableIds: z.array(z.uuid()).max(50).default([]),
  writeVariableIds: z.array(z.uuid()).max(20).default([]),
  courseIds: z.array(z.uuid()).max(200).default([]),
  /** None: all companies. */
  companyIds: z.array(z.uuid()).max(500).default([]),
  access: botAccess.default("signedIn"),
  /** Origins of pages that may embed it, such as https://intranet.example. */
  allowedOrigins: z
    .array(
      z
        .url({ protocol: /^https?$/ })
        .max(200)
        .transform((url) => new URL(url).origin),
    )
    .max(20)
    .default([]),
  answerPolicy: answerPolicy.default("documentsFirst"),
  /** What it says when it has no answer. */
  refusalText: shortText(600),
  pedagogy: pedagogy.default("answer"),
  /** Hints before an answer. */
  hints: z.int().min(1).max(5).default(3),
  scene: z.array(sceneStep).max(100).default([]),
  rubric: z.array(criterion).max(10).default([]),
  quickReplies: z.array(z.string().trim().min(1).max(120)).max(6).default([]),
  limits: botLimits.default(botLimits.parse({})),
  /** Days after the last message until a conversation is deleted. */
  retentionDays: z.int().min(1).max(3650).default(365),
  /** What people read when a message speaks of self-harm, violence or harassment, and who is told; null: all admins. */
  careText: shortText(1000),
  carePersonId: z.uuid().nullable().default(null),
});
export type BotSettings = z.infer<typeof botSettings>;
export type BotSettingsInput = z.input<typeof botSettings>;

const name = z.string().trim().min(1).max(120);
export const chatbot = z.object({
  id: z.uuid(),
  name,
  status: botStatus,
  version: z.int(),
  settings: botSettings,
  live: z.object({ id: z.uuid(), number: z.int(), publishedAt: z.string() }).nullable(),
  /** Whether the draft differs from the live version. */
  isChanged: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Chatbot = z.infer<typeof chatbot>;

export const chatbotRow = chatbot.omit({ settings: true }).extend({
  access: botAccess,
  pedagogy,
  color: z.string().nullable(),
  connector: z.string().nullable(),
  courses: z.array(z.object({ id: z.uuid(), title: z.string() })),
  documents: z.int(),
  /** Of the last 30 days, without previews. */
  conversations: z.int(),
  people: z.int(),
  costMicros: z.number(),
  lastAt: z.string().nullable(),
});
export type ChatbotRow = z.infer<typeof chatbotRow>;

export const botVersion = z.object({
  id: z.uuid(),
  number: z.int(),
  name: z.string(),
  note: z.string(),
  publishedAt: z.string(),
  publishedBy: z.string().nullable(),
  settings: botSettings,
});
export type BotVersion = z.infer<typeof botVersion>;

/** What keeps a draft from being published; texts are `chatbots.problems.*`. */
export const publishProblem = z.enum([
  "noName",
  "noCourse",
  "noDocuments",
  "documentNotReady",
  "connectorOff",
  "unpricedPublic",
  "promptNotLive",
  "sceneEmpty",
  "sceneBroken",
  "sceneEndless",
]);
export type PublishProblem = z.infer<typeof publishProblem>;

export const botQuestionInput = z.object({
  question: z.string().trim().min(1).max(2000),
  documentIds: z.array(z.uuid()).max(20).default([]),
  facts: z.array(z.string().trim().min(1).max(200)).max(10).default([]),
  expectsRefusal: z.boolean().default(false),
});
export const botQuestionResult = z.object({
  ok: z.boolean(),
  before: z.boolean().nullable(),
  text: z.string(),
  /** What is missing: titles of documents, and facts. */
  missing: z.array(z.string()),
  at: z.string(),
  of: z.enum(["draft", "live"]),
});
export const botQuestion = botQuestionInput.extend({ id: z.uuid(), result: botQuestionResult.nullable() });
export type BotQuestion = z.infer<typeof botQuestion>;

/** A chatbot as people see it before they write. */
export const publicBot = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  color: z.string().nullable(),
  greeting: z.string(),
  quickReplies: z.array(z.string()),
  buttons: z.array(z.object({ id: z.uuid(), label: z.string() })),
  pedagogy,
  access: botAccess,
  /** False: it quotes documents or follows a script. */
  usesModel: z.boolean(),
  inputChars: z.int(),
  hasRubric: z.boolean(),
  academy: z.string(),
});
export type PublicBot = z.infer<typeof publicBot>;

export const canManageChatbots = isAdmin;
export const canFindChatbots = anyone;

/** The export of a chatbot: its name and settings, with references to rows of this academy, which an import leaves out. */
export const botFile = z.object({ kind: z.literal("lyceum-chatbot"), name, settings: z.unknown() });
const MAX_SETTINGS_BYTES = 512 * KIB;

export const chatbots = defineContracts("chatbots", {
  list: get("/api/chatbots", {
    does: "List the chatbots",
    query: listQuery.extend({
      status: botStatus.optional(),
      courseId: z.uuid().optional(),
      sort: sortBy("name", "updatedAt").default("name"),
    }),
    reply: page(chatbotRow),
  }),
  get: get("/api/chatbots/:id", { does: "Get a chatbot with its draft", reply: chatbot }),
  create: post("/api/chatbots", {
    does: "Create a chatbot as a draft",
    maxBytes: MAX_SETTINGS_BYTES,
    body: z.object({ name, settings: botSettings.default(botSettings.parse({})) }),
    reply: chatbot,
  }),
  update: put("/api/chatbots/:id", {
    does: "Save the draft; 409 if it changed since `version`",
    maxBytes: MAX_SETTINGS_BYTES,
    body: z.object({ version: z.int(), name, settings: botSettings }),
    reply: chatbot,
  }),
  check: get("/api/chatbots/:id/problems", {
    does: "List what keeps the draft from being published",
    reply: z.object({ items: z.array(publishProblem) }),
  }),
  publish: post("/api/chatbots/:id/publish", {
    does: "Publish the draft as a new version; 409 with `problems` if something is missing",
    body: z.object({ version: z.int(), note: shortText(200) }),
    reply: chatbot,
  }),
  setStatus: post("/api/chatbots/:id/status", {
    does: "Pause, resume or archive a chatbot",
    body: z.object({ status: z.enum(["published", "paused", "archived"]) }),
    reply: chatbot,
  }),
  versions: get("/api/chatbots/:id/versions", {
    does: "List the published versions, newest first",
    reply: z.object({ items: z.array(botVersion) }),
  }),
  restore: post("/api/chatbots/:id/restore", {
    does: "Make a published version the draft",
    body: z.object({ versionId: z.uuid(), version: z.int() }),
    reply: chatbot,
  }),
  duplicate: post("/api/chatbots/:id/duplicate", { does: "Copy a chatbot as a new draft", reply: chatbot }),
  export: get("/api/chatbots/:id/export", { does: "Export a chatbot as JSON", reply: botFile }),
  import: post("/api/chatbot-imports", {
    does: "Create a draft from an export; what refers to rows of another academy is left out",
    maxBytes: MAX_SETTINGS_BYTES,
    body: botFile,
    reply: chatbot,
  }),
  questions: get("/api/chatbots/:id/questions", {
    does: "List the test questions of a chatbot",
    reply: z.object({ items: z.array(botQuestion) }),
  }),
  addQuestion: post("/api/chatbots/:id/questions", {
    does: "Add a test question",
    body: botQuestionInput,
    reply: botQuestion,
  }),
  removeQuestion: del("/api/chatbot-questions/:id", { does: "Delete a test question" }),
  runQuestions: post("/api/chatbots/:id/question-runs", {
    does: "Ask all test questions and compare with the last results",
    body: z.object({ of: z.enum(["draft", "live"]).default("draft") }),
    reply: z.object({ items: z.array(botQuestion) }),
  }),
  open: get("/api/open-chatbots/:id", {
    does: "Get a published chatbot as people see it; 404 if it is not open to the caller",
    query: z.object({
      courseId: z.uuid().optional(),
      /** ISO 639-1, for the greeting. */
      language: z
        .string()
        .regex(/^[a-z]{2}$/)
        .optional(),
    }),
    reply: publicBot,
  }),
  mine: get("/api/my-chatbots", {
    does: "List the chatbots that are open to the caller, in a course or without one",
    query: z.object({ courseId: z.uuid().optional() }),
    reply: z.object({ items: z.array(publicBot.pick({ id: true, name: true, description: true, color: true })) }),
  }),
});
