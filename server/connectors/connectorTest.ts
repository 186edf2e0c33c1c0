import { z } from "zod";
import { record } from "#server/audit/service.ts";
import { answerWithFallbacks } from "#server/connectors/fallbacks.ts";
import type { Options } from "#server/connectors/candidateAnswer.ts";
import { type CallUsage, GatewayError, type GatewayCall } from "#server/connectors/gatewayCall.ts";
import { readConnector } from "#server/connectors/connectorRows.ts";
import { embed } from "#server/connectors/embeddings.ts";
import type { FollowEmbedder } from "#server/connectors/service.ts";
import { tryVoice } from "#server/connectors/voice/voiceTest.ts";
import { collect } from "#server/connectors/gateway.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import {
  BUILTIN_MODEL,
  type Connector,
  type ConnectorErrorCode,
  type TestResult,
} from "#shared/connectors/connectors.ts";
import type { User } from "#shared/core/users.ts";

const TOOL = {
  name: "read_clock",
  description: "Tells the current time",
  parameters: { type: "object", properties: { zone: { type: "string" } }, required: ["zone"] },
};
const colour = z.object({ colour: z.string() });
/** Reasoning models use tokens before they write. */
const MAX_OUTPUT_TOKENS = 400;

/**
 * Tests the abilities of a connector with short calls, which are recorded and billed like all others. A draft that
 * works becomes active. Stores the result; throws 409 if the connector was changed meanwhile.
 */
export async function testConnector(
  ctx: Ctx<User>,
  id: string,
  followEmbedder: FollowEmbedder,
  model?: string,
): Promise<Connector> {
  const { kind, models, version } = await ctx.db
    .selectFrom("connectors")
    .where("id", "=", id)
    .where("status", "<>", "archived")
    .select(["kind", "models", "version"])
    .executeTakeFirstOrThrow(notFound);
  const chatModel = model ?? models.find(({ use }) => use === "chat")?.id ?? null;
  const result = kind === "builtin" ? await tryBuiltin(ctx, id) : await tryProvider(ctx, id, chatModel, models);
  await inTransaction(ctx.db, async (tx) => {
    const stored = await tx
      .updateTable("connectors")
      .set({ lastTest: JSON.stringify(result) })
      .where("id", "=", id)
      .where("version", "=", version)
      .executeTakeFirst();
    // The result does not apply to a connector that was changed meanwhile.
    if (stored.numUpdatedRows === 0n) throw conflict("connectors.changedInTest");
    if (result.code === null)
      await tx
        .updateTable("connectors")
        .set({ status: "active" })
        .where("id", "=", id)
        .where("status", "=", "draft")
        .execute();
    if (result.embeddings === "works") await followEmbedder(tx);
    await record(tx, ctx, {
      action: "connectors.test",
      object: { connectors: id },
      details: { result: result.code ?? "works" },
    });
  });
  return readConnector(ctx, id);
}

const untried = (model: string | null): TestResult => ({
  at: new Date().toISOString(),
  code: null,
  model,
  chat: "untried",
  streaming: "untried",
  tools: "untried",
  structured: "untried",
  embeddings: "untried",
  transcription: "untried",
  speech: "untried",
  usage: "untried",
  firstTokenMs: null,
});
const passed = (works: boolean) => (works ? ("works" as const) : ("fails" as const));

async function tryBuiltin(ctx: Ctx<User>, id: string): Promise<TestResult> {
  const passage = { id: "1", documentId: "1", title: "", heading: null, page: null, score: 1 };
  const text = "The built-in connection quotes sentences.";
  const call = callOf(ctx, id, null, "What does the built-in connection quote?");
  const { usage: _, ...tried } = await tryChat(ctx, {
    ...call,
    passages: [{ ...passage, text, quotes: [{ start: 0, end: text.length }] }],
  });
  return { ...untried(BUILTIN_MODEL), ...tried };
}

async function tryProvider(
  ctx: Ctx<User>,
  id: string,
  model: string | null,
  models: Connector["models"],
): Promise<TestResult> {
  const result = untried(model);
  const hasEmbeddings = models.some(({ use }) => use === "embedding");
  if (model || models.length === 0) {
    const chat = await tryChat(ctx, callOf(ctx, id, model, "Write the numbers from one to twenty as words."));
    Object.assign(result, chat);
    if (chat.code) return result;
    result.tools = await tryTools(ctx, id, model);
    result.structured = await tryStructured(ctx, id, model);
  }
  if (hasEmbeddings) {
    const code = await tryEmbeddings(ctx, id);
    result.embeddings = passed(code === null);
    if (!model) result.code = code;
  }
  for (const use of ["speech", "transcription"] as const) {
    if (!models.some((one) => one.use === use)) continue;
    const code = await tryVoice[use](ctx, id);
    result[use] = passed(code === null);
    if (!model && !hasEmbeddings) result.code ??= code;
  }
  return result;
}

const callOf = (ctx: Ctx<User>, connectorId: string, model: string | null, question: string): GatewayCall => ({
  purpose: "test",
  connectorId,
  model,
  companyId: null,
  userId: ctx.user.id,
  messages: [{ role: "user", content: question }],
  maxOutputTokens: MAX_OUTPUT_TOKENS,
});
const alone: Options = { isAlone: true };

async function tryChat(ctx: Ctx<User>, call: GatewayCall): Promise<Partial<TestResult>> {
  let pieces = 0;
  let usage: CallUsage | null = null;
  let code: ConnectorErrorCode | null = "truncated";
  for await (const event of answerWithFallbacks(ctx, call, alone)) {
    if (event.type === "text") pieces++;
    if (event.type === "error") code = event.code;
    if (event.type === "end") {
      usage = event.usage;
      code = event.reason === "cut" || pieces === 0 ? "truncated" : null;
    }
  }
  const chat = passed(code === null);
  if (code || !usage) return { code, chat };
  return {
    code,
    chat,
    streaming: passed(pieces > 1),
    usage: passed(!usage.isEstimated),
    firstTokenMs: usage.firstTokenMs,
  };
}

async function tryTools(ctx: Ctx<User>, id: string, model: string | null) {
  const called: string[] = [];
  const call = callOf(ctx, id, model, "What time is it in Paris? Use the tool read_clock.");
  const options = { ...alone, tools: [TOOL], onTool: (name: string) => called.push(name) };
  const ends = await collect(ctx, call, options).catch(asFailure);
  return passed(ends !== null && called.includes(TOOL.name));
}

async function tryStructured(ctx: Ctx<User>, id: string, model: string | null) {
  const { $schema: _, ...schema } = z.toJSONSchema(colour);
  const call = callOf(ctx, id, model, "Name the colour of the sky on a clear day, as JSON with the field colour.");
  const isValid = (text: string) => {
    try {
      return colour.safeParse(JSON.parse(text)).success;
    } catch {
      return false;
    }
  };
  return passed((await collect(ctx, call, { ...alone, schema, isValid }).catch(asFailure)) !== null);
}

async function tryEmbeddings(ctx: Ctx<User>, id: string): Promise<ConnectorErrorCode | null> {
  try {
    const texts = ["The sky is blue.", "Der Himmel ist blau."];
    const found = await embed(ctx, { connectorId: id, texts, companyId: null, userId: ctx.user.id, isTest: true });
    return found ? null : "unsupported";
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

function asFailure(error: unknown) {
  if (error instanceof GatewayError) return null;
  throw error;
}
