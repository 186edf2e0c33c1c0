import { careNotice } from "#shared/care/care.ts";
import { z } from "zod";
import { defineContracts, get, KIB, listQuery, page, post, put, sortBy } from "#shared/core/route.ts";
import { anyone, isAdmin } from "#shared/core/users.ts";
import { botAccess, botSettings, pedagogy, savedBotSettings, shortText } from "#shared/chatbots/botSettings.ts";

// Chatbots: settings, documents, audience and limits. Admins edit the draft; publishing copies it into an immutable
// version. A conversation keeps the version with which it began.

export const botStatus = z.enum(["draft", "published", "paused", "archived"]);
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
  description: z.string(),
  /** Number of other websites that may embed it. */
  origins: z.int(),
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

/** Why a draft cannot be published; the texts are `chatbots.problems.*`. */
export const publishProblem = z.enum([
  "noName",
  "noCourse",
  "noCompany",
  "noDocuments",
  "documentNotReady",
  "documentNotPublic",
  "connectorOff",
  "noModel",
  "unpricedPublic",
  "promptNotLive",
  "sceneEmpty",
  "sceneBroken",
  "sceneEndless",
  "voiceNothing",
  "voiceNoModel",
  "voiceNoName",
  "voiceUnpriced",
]);
export type PublishProblem = z.infer<typeof publishProblem>;
/** What does not keep a draft from being published, although the chatbot would be of little use. */
export const publishWarning = z.enum(["needsModel", "nothingToQuote"]);
export type PublishWarning = z.infer<typeof publishWarning>;

/** A chatbot as people see it before the first message. */
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
  dictation: z.boolean(),
  /**
   * Who transcribes and speaks in a voice conversation with the caller: the AI provider of the academy or the browser.
   * Null: no voice.
   */
  voice: z
    .object({ hears: z.enum(["provider", "browser"]), speaks: z.enum(["provider", "browser"]), checks: z.boolean() })
    .nullable(),
  hasRubric: z.boolean(),
  /** Who is told about calls for help of the caller; null if nobody is. */
  care: careNotice,
  /** What is shown to somebody who may need help. */
  help: z.string(),
  academy: z.string(),
});
export type PublicBot = z.infer<typeof publicBot>;

export const canManageChatbots = isAdmin;
export const canFindChatbots = anyone;

/**
 * The export of a chatbot: its name and settings. An import ignores the references to rows of the exporting academy.
 */
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
    body: z.object({ name, settings: savedBotSettings.default(botSettings.parse({})) }),
    reply: chatbot,
  }),
  update: put("/api/chatbots/:id", {
    does: "Save the draft; 409 if it changed since `version`",
    maxBytes: MAX_SETTINGS_BYTES,
    body: z.object({ version: z.int(), name, settings: savedBotSettings }),
    reply: chatbot,
  }),
  check: get("/api/chatbots/:id/problems", {
    does: "List what keeps the draft from being published, and what it could not do",
    reply: z.object({ items: z.array(publishProblem), warnings: z.array(publishWarning) }),
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
  open: get("/api/open-chatbots/:id", {
    does: "Get a published chatbot as people see it; 404 if it is not open to the caller",
    query: z.object({
      courseId: z.uuid().optional(),
      /** ISO 639-1, for the greeting. */
      language: z
        .string()
        .regex(/^[a-z]{2}$/, { error: "core.badLanguage" })
        .optional(),
      /** The draft, for admins. */
      preview: z.literal("yes").optional(),
    }),
    reply: publicBot,
  }),
  mine: get("/api/my-chatbots", {
    does: "List the chatbots that are open to the caller, in a course or without one",
    query: z.object({ courseId: z.uuid().optional() }),
    reply: z.object({ items: z.array(publicBot.pick({ id: true, name: true, description: true, color: true })) }),
  }),
});
