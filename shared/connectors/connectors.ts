import { z } from "zod";
import { localModel, localModelFault } from "#shared/connectors/localModels.ts";
import { budgetState, companyBudget, money, spending, spendingInput } from "#shared/connectors/spending.ts";
import { changes, defineContracts, del, get, listQuery, page, patch, post, put } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

// Connectors: the providers of language models that chatbots, prompts and documents use, their prices, and the log of
// all calls.

/** Purpose of a call; a column of the usage log. */
export const purpose = z.enum([
  "chat",
  "prompt",
  "button",
  "analysis",
  "document",
  "embedding",
  "transcription",
  "speech",
  "test",
  "comparison",
  "moderation",
]);
export type Purpose = z.infer<typeof purpose>;

/**
 * `builtin` quotes passages and is always there; `local` is an embedding model whose files are on the server; the
 * others are protocols. `azure` is `openai` with the key in another header.
 */
export const connectorKind = z.enum(["builtin", "openai", "azure", "anthropic", "google", "local"]);
export type ConnectorKind = z.infer<typeof connectorKind>;
/** Whether it can answer questions: a local model makes vectors only. */
export const isLanguageModel = (kind: ConnectorKind) => kind !== "builtin" && kind !== "local";

/** The built-in connector: a row of the first migration of connectors. */
export const BUILTIN_ID = "00000000-0000-4000-8000-000000000001";
export const BUILTIN_MODEL = "quotation";

/** `draft`: never tested with success. Only an active connector is called. */
export const connectorStatus = z.enum(["draft", "active", "disabled", "archived"]);
/**
 * The state that admins see: the status, `failing` if the last call failed, or `paused` after too many failures, while
 * no calls are sent.
 */
export const connectorState = z.enum(["draft", "active", "failing", "paused", "disabled", "archived"]);
export type ConnectorState = z.infer<typeof connectorState>;

/**
 * Why a call failed. Errors of the provider: `bad_key`, `not_found_model`, `busy` (too many calls), `bad_request`,
 * `provider_down`, `timeout`, `truncated` (ended before the first text), `bad_reply` (violates the protocol). Errors of
 * this server: `blocked_address`, `no_key`, `bad_structure` (an answer that breaks its schema), `budget`, `unpriced`
 * (no price, and the call needs a limit), `too_many` (concurrent calls), `paused`, `disabled`, `not_allowed` (for this
 * company), `no_model`, `unsupported`, `vector_size` (vectors of another length than the stored ones). Of local models:
 * those of their files, and `model_ended` (their process has ended).
 */
export const connectorErrorCode = z.enum([
  "bad_key",
  "no_key",
  "blocked_address",
  "not_found_model",
  "busy",
  "bad_request",
  "provider_down",
  "timeout",
  "truncated",
  "bad_reply",
  "bad_structure",
  "empty",
  "too_long",
  "no_credit",
  "budget",
  "unpriced",
  "too_many",
  "paused",
  "disabled",
  "not_allowed",
  "no_model",
  "unsupported",
  "vector_size",
  ...localModelFault.options,
  "model_ended",
]);
export type ConnectorErrorCode = z.infer<typeof connectorErrorCode>;

const day = z.iso.date();
/**
 * In the academy's currency: `input` and `output` per million tokens; of a transcription model `input` per minute of
 * audio, of a speech model `input` per million characters. A model without a price is unpriced, never free.
 */
export const modelPrice = z.object({
  input: z.number().min(0).max(10_000),
  output: z.number().min(0).max(10_000),
  /** First day on which it holds, UTC. */
  validFrom: day,
});
/** `transcription`: speech to text; `speech`: text to speech. */
export const modelUse = z.enum(["chat", "embedding", "transcription", "speech"]);
export type ModelUse = z.infer<typeof modelUse>;
/** Whether the protocol has requests for speech and transcription. */
export const canSpeak = (kind: z.infer<typeof connectorKind>) => kind === "openai" || kind === "azure";
export const connectorModel = z.object({
  id: z.string().trim().min(1).max(200),
  use: modelUse.default("chat"),
  prices: z.array(modelPrice).max(20).default([]),
  /** The provider's names of the voices of a speech model; the first one is the default. */
  voices: z.array(z.string().trim().min(1).max(100)).max(50).optional(),
});
export type ConnectorModel = z.infer<typeof connectorModel>;

/** The length of the vectors of a model in the library, and another one that it has sent since. */
export const vectorSize = z.object({ stored: z.int(), sent: z.int().nullable() });
export type VectorSize = z.infer<typeof vectorSize>;

const fallback = z.object({ connectorId: z.uuid(), model: z.string().trim().max(200).nullable().default(null) });

const MAX_MILLIS = 600_000;
const modelsInput = z
  .array(connectorModel)
  .max(100)
  .refine((models) => new Set(models.map(({ id }) => id)).size === models.length, { error: "connectors.modelTwice" });
export const connectorInput = z.object({
  name: z.string().trim().min(1).max(80),
  kind: connectorKind.exclude(["builtin"]),
  /** Address of the API, such as https://api.openai.com/v1; empty for a local model. */
  baseUrl: z.union([z.literal(""), z.url({ protocol: /^https?$/ }).max(500)]),
  /** Write-only. If omitted, the stored key is kept, unless address or kind change; an empty text removes it. */
  apiKey: z.string().trim().max(1000).optional(),
  models: modelsInput.default([]),
  /**
   * Connectors that answer instead if this one fails before the first word, in order. The built-in connector is always
   * the last.
   */
  fallbacks: z.array(fallback).max(5).default([]),
  /** Used from 80 % of a budget on; one of `models`. */
  cheaperModel: z.string().trim().max(200).nullable().default(null),
  firstTokenTimeoutMs: z.int().min(100).max(MAX_MILLIS).default(30_000),
  totalTimeoutMs: z.int().min(1000).max(MAX_MILLIS).default(120_000),
  /** Concurrent calls of one server. */
  maxConcurrent: z.int().min(1).max(1000).default(20),
  /** Per calendar month (UTC), in the academy's currency; null for none. */
  monthlyBudget: money.nullable().default(null),
  /** Companies that may use it; empty for all. */
  companyIds: z.array(z.uuid()).max(500).default([]),
  /** Used for calls that name no connector. */
  isDefault: z.boolean().default(false),
});
export type ConnectorInput = z.infer<typeof connectorInput>;

/** Result of testing one ability; `untried`: skipped because of an earlier failure. */
export const abilityResult = z.enum(["works", "fails", "untried"]);
export const testResult = z.object({
  at: z.string(),
  /** Null if chat works or, for a connector without chat models, what it is for. */
  code: connectorErrorCode.nullable(),
  model: z.string().nullable(),
  chat: abilityResult,
  streaming: abilityResult,
  tools: abilityResult,
  structured: abilityResult,
  embeddings: abilityResult,
  transcription: abilityResult.default("untried"),
  speech: abilityResult.default("untried"),
  /** Whether the provider reports tokens. */
  usage: abilityResult,
  firstTokenMs: z.int().nullable(),
});
export type TestResult = z.infer<typeof testResult>;

export const connector = connectorInput.omit({ apiKey: true, kind: true, baseUrl: true }).extend({
  id: z.uuid(),
  kind: connectorKind,
  /** Empty for the built-in one. */
  baseUrl: z.string(),
  /** Last four characters of the key; null if there is none. */
  keyHint: z.string().nullable(),
  state: connectorState,
  lastErrorCode: connectorErrorCode.nullable(),
  lastErrorAt: z.string().nullable(),
  lastTest: testResult.nullable(),
  /** By embedding model. */
  vectorSizes: z.record(z.string(), vectorSize),
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** This month. */
  budget: budgetState,
  calls: z.int(),
  failed: z.int(),
  /** Number of calls without a price. */
  unpriced: z.int(),
  /** Median of this month, ms. */
  firstTokenMs: z.number().nullable(),
  /** Calls of this month that a fallback answered. */
  fallbackCalls: z.int(),
});
export type Connector = z.infer<typeof connector>;

export const callStatus = z.enum(["running", "done", "length", "stopped", "refused", "cut", "failed", "lost"]);
export const usageRow = z.object({
  id: z.uuid(),
  at: z.string(),
  purpose,
  connectorId: z.uuid(),
  connector: z.string(),
  model: z.string(),
  userId: z.uuid().nullable(),
  person: z.string().nullable(),
  company: z.string().nullable(),
  status: callStatus,
  code: connectorErrorCode.nullable(),
  /** Seconds of audio for the purpose `transcription`, characters for `speech`. */
  inputTokens: z.int(),
  outputTokens: z.int(),
  isEstimated: z.boolean(),
  /** Null: the model has no price. */
  cost: z.number().nullable(),
  firstTokenMs: z.int().nullable(),
  totalMs: z.int().nullable(),
  passages: z.int(),
});
export type UsageRow = z.infer<typeof usageRow>;

export const canManageConnectors = isAdmin;

export const connectors = defineContracts("connectors", {
  list: get("/api/connectors", {
    does: "List the connectors, the built-in one first",
    query: z.object({ archived: z.stringbool().default(false) }),
    reply: z.object({ items: z.array(connector) }),
  }),
  get: get("/api/connectors/:id", { does: "Get a connector; its key is never returned", reply: connector }),
  create: post("/api/connectors", { does: "Add a connector", body: connectorInput, reply: connector }),
  update: patch("/api/connectors/:id", {
    does: "Change a connector; a new address or kind removes its key. 409 if it changed since `version`",
    body: changes(connectorInput).extend({ version: z.int() }),
    reply: connector,
  }),
  setStatus: post("/api/connectors/:id/status", {
    does: "Disable, enable or archive a connector",
    body: z.object({ status: z.enum(["active", "disabled", "archived"]) }),
    reply: connector,
  }),
  test: post("/api/connectors/:id/test", {
    does: "Try what a connector can do, with a few short calls; a draft that works becomes active",
    body: z.object({ model: z.string().trim().max(200).optional() }),
    reply: connector,
  }),
  localModels: get("/api/local-models", {
    does: "List the folders of embedding models on this server",
    reply: z.object({ items: z.array(localModel) }),
  }),
  models: get("/api/connectors/:id/models", {
    does: "Read the list of models from the provider",
    reply: z.object({ items: z.array(z.object({ id: z.string() })), code: connectorErrorCode.nullable() }),
  }),
  spending: get("/api/ai-spending", { does: "Get what models cost this month, and the budgets", reply: spending }),
  setSpending: put("/api/ai-spending", {
    does: "Set currency, budget and text of the academy",
    body: spendingInput,
    reply: spending,
  }),
  setCompanyBudget: put("/api/ai-spending/companies", {
    does: "Set the monthly budget of a company",
    body: companyBudget,
    reply: spending,
  }),
  usage: get("/api/ai-usage", {
    does: "List the calls of models, latest first",
    query: listQuery.omit({ q: true, sort: true }).extend({
      connectorId: z.uuid().optional(),
      companyId: z.uuid().optional(),
      purpose: purpose.optional(),
      status: callStatus.optional(),
    }),
    reply: page(usageRow),
  }),
  remove: del("/api/connectors/:id", { does: "Delete a connector that was never called" }),
});
