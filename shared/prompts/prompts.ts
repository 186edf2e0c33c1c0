import { z } from "zod";
import { connectorErrorCode } from "#shared/connectors/connectors.ts";
import { changes, defineContracts, del, get, KIB, listQuery, page, patch, post, sortBy } from "#shared/core/route.ts";
import { builtInKeys } from "#shared/variables/templates.ts";
import { isAdmin } from "#shared/core/users.ts";

// Prompts: instructions for language models, written once and used by chatbots, buttons and analyses. A version never
// changes; one is live, and the newest one is the draft.

export const promptPurpose = z.enum(["chatbot", "analysis", "rubric", "button", "refusal"]);
export type PromptPurpose = z.infer<typeof promptPurpose>;

/** Placeholders that have a value only while a prompt of this purpose runs, besides variables and the built-in keys. */
export const runtimeKeys: Record<PromptPurpose, readonly string[]> = {
  chatbot: ["passages"],
  analysis: ["transcript", "turns"],
  rubric: ["transcript", "rubric"],
  button: ["input"],
  refusal: ["reset_at"],
};
/** Keys that exist for every prompt without a variable. */
export const knownKeys = (purpose: PromptPurpose): string[] => [...builtInKeys, ...runtimeKeys[purpose]];

export const MAX_BODY_CHARS = 20_000;
const body = z.string().max(MAX_BODY_CHARS).trim().min(1);
const note = z.string().trim().max(200).default("");

const fields = z.object({
  /** Lower case, digits and hyphens; immutable. */
  key: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9-]{0,63}$/, { error: "prompts.badKey" }),
  name: z.string().trim().min(1).max(120),
  description: z.string().trim().max(500).default(""),
  purpose: promptPurpose,
});
export const promptInput = fields.extend({ body });
export type PromptInput = z.infer<typeof promptInput>;

export const promptVersion = z.object({
  id: z.uuid(),
  number: z.int(),
  body: z.string(),
  note: z.string(),
  createdAt: z.string(),
  author: z.string().nullable(),
});
export type PromptVersion = z.infer<typeof promptVersion>;

const numbered = z.object({ id: z.uuid(), number: z.int() });
export const promptRow = fields.extend({
  id: z.uuid(),
  status: z.enum(["active", "archived"]),
  /** Null while no version is live. */
  live: numbered.nullable(),
  /** The newest version. */
  draft: numbered,
  /** Keys of the placeholders of the newest version. */
  keys: z.array(z.string()),
  /** Chatbots whose draft or live version uses it, and buttons that run it, except archived ones. */
  usedBy: z.array(z.object({ kind: z.enum(["chatbot", "button"]), id: z.uuid(), label: z.string() })),
  /** Runs of the last 30 days, and their total cost without unpriced ones. */
  runs: z.int(),
  cost: z.number(),
  /** Test questions, and how many of them the live version passes, or the newest one if none is live. */
  cases: z.int(),
  passed: z.int(),
  version: z.int(),
  updatedAt: z.string(),
});
export type PromptRow = z.infer<typeof promptRow>;

const text = z.string().trim().min(1).max(300);
export const caseInput = z.object({
  name: z.string().trim().min(1).max(120),
  message: z.string().trim().min(1).max(4000),
  /** Texts that the answer must contain, ignoring case. */
  contains: z.array(text).max(10).default([]),
  /** Texts that it must not contain. */
  lacks: z.array(text).max(10).default([]),
  maxWords: z.int().min(1).max(5000).nullable().default(null),
});
export type CaseInput = z.infer<typeof caseInput>;

export const caseResult = z.object({
  versionId: z.uuid(),
  connector: z.string(),
  model: z.string(),
  passed: z.boolean(),
  answer: z.string(),
  /** Missing or forbidden texts, or the code of a failure. */
  faults: z.array(z.string()),
  at: z.string(),
});
export const promptCase = caseInput.extend({ id: z.uuid(), results: z.array(caseResult) });
export type PromptCase = z.infer<typeof promptCase>;

export const promptDetail = promptRow.extend({ versions: z.array(promptVersion), questions: z.array(promptCase) });
export type PromptDetail = z.infer<typeof promptDetail>;

/** The model that runs a prompt; without a connector, that of the default one. */
const modelChoice = {
  connectorId: z.uuid().nullable().default(null),
  model: z.string().max(200).nullable().default(null),
};
/** The learner and course whose values fill the placeholders; without a learner, all are missing. */
const sample = { userId: z.uuid().nullable().default(null), courseId: z.uuid().nullable().default(null) };

/** A line of the stream of a try (NDJSON). */
export const tryEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), connector: z.string(), model: z.string() }),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("end"),
    reason: z.enum(["stop", "length", "stopped", "refused", "cut"]),
    inputTokens: z.int(),
    outputTokens: z.int(),
    isEstimated: z.boolean(),
    /** Null: unpriced. */
    cost: z.number().nullable(),
    firstTokenMs: z.number().nullable(),
    totalMs: z.number(),
  }),
  z.object({ type: z.literal("error"), code: connectorErrorCode, text: z.string().optional() }),
]);
export type TryEvent = z.infer<typeof tryEvent>;

export const resolvedKey = z.object({
  key: z.string(),
  /** Null: not available for this learner. */
  value: z.string().nullable(),
  source: z.enum(["builtIn", "variable", "runtime", "unknown"]),
});

export const canManagePrompts = isAdmin;
const MAX_BYTES = 128 * KIB;
const byCase = z.object({ id: z.uuid(), caseId: z.uuid() });

export const prompts = defineContracts("prompts", {
  list: get("/api/prompts", {
    does: "List the prompts",
    query: listQuery.extend({
      purpose: promptPurpose.optional(),
      status: z.enum(["active", "archived"]).default("active"),
      sort: sortBy("name", "updatedAt", "runs").default("name"),
    }),
    reply: page(promptRow),
  }),
  get: get("/api/prompts/:id", { does: "Get a prompt with its versions and test questions", reply: promptDetail }),
  create: post("/api/prompts", {
    does: "Write a prompt; its first version is not live",
    body: promptInput,
    maxBytes: MAX_BYTES,
    reply: promptDetail,
  }),
  update: patch("/api/prompts/:id", {
    does: "Rename or describe a prompt; its purpose only while nothing uses it. 409 if it changed since `version`",
    body: changes(fields.omit({ key: true })).extend({ version: z.int() }),
    reply: promptDetail,
  }),
  saveVersion: post("/api/prompts/:id/versions", {
    does: "Save a text as the next version; 409 if another version was saved since `version`",
    body: z.object({ body, note, version: z.int() }),
    maxBytes: MAX_BYTES,
    reply: promptDetail,
  }),
  restoreVersion: post("/api/prompts/:id/restore", {
    does: "Save the text of an earlier version as the next one",
    body: z.object({ versionId: z.uuid(), version: z.int() }),
    reply: promptDetail,
  }),
  setLive: post("/api/prompts/:id/live", {
    does: "Make a version live, or none; 409 if the prompt changed since `version`",
    body: z.object({ versionId: z.uuid().nullable(), version: z.int() }),
    reply: promptDetail,
  }),
  setStatus: post("/api/prompts/:id/status", {
    does: "Archive or restore a prompt; chatbots and buttons do without an archived one",
    body: z.object({ status: z.enum(["active", "archived"]) }),
    reply: promptDetail,
  }),
  addCase: post("/api/prompts/:id/cases", { does: "Add a test question", body: caseInput, reply: promptCase }),
  updateCase: patch("/api/prompts/:id/cases/:caseId", {
    does: "Change a test question; its results are deleted",
    params: byCase,
    body: caseInput,
    reply: promptCase,
  }),
  removeCase: del("/api/prompts/:id/cases/:caseId", { does: "Delete a test question", params: byCase }),
  runCase: post("/api/prompts/:id/cases/:caseId/run", {
    does: "Ask a test question with a version and keep the result",
    params: byCase,
    body: z.object({ versionId: z.uuid(), ...modelChoice, ...sample }),
    reply: caseResult,
  }),
  resolve: post("/api/prompts/resolve", {
    does: "What the placeholders of a text stand for",
    body: z.object({ body: z.string().max(MAX_BODY_CHARS), purpose: promptPurpose, ...sample }),
    maxBytes: MAX_BYTES,
    reply: z.object({ keys: z.array(resolvedKey) }),
  }),
  try: post("/api/prompts/try", {
    does: "Try a text with a message; answers with one JSON object per line (`TryEvent`)",
    body: z.object({
      body,
      purpose: promptPurpose,
      message: z.string().trim().min(1).max(8000),
      /** For the usage log. */
      versionId: z.uuid().nullable().default(null),
      ...modelChoice,
      ...sample,
    }),
    maxBytes: MAX_BYTES,
  }),
});
