import { Readable } from "node:stream";
import { complete, streamCompletion } from "#server/connectors/gateway.ts";
import { type GatewayCall, GatewayError } from "#server/connectors/gatewayCall.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { companyOfSample, renderPrompt } from "#server/prompts/rendering.ts";
import { findCase } from "#server/prompts/service.ts";
import type { CaseInput, prompts, TryEvent } from "#shared/prompts/prompts.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const MICROS = 1_000_000;
const MAX_OUTPUT_TOKENS = 1500;
/** Maximum characters of an answer that are stored with the result of a test question. */
const MAX_ANSWER_CHARS = 8000;

type Run = Pick<
  BodyOf<typeof prompts.try>,
  "body" | "message" | "connectorId" | "model" | "userId" | "courseId" | "versionId"
>;

/** The call of a prompt with a message; charged to the company of the sample learner. */
async function callOf(ctx: Ctx<User>, run: Run): Promise<GatewayCall> {
  const { body, message, connectorId, model, userId, courseId, versionId } = run;
  const { text } = await renderPrompt(ctx, body, { userId, courseId }, { input: message });
  return {
    purpose: "prompt",
    connectorId,
    model,
    companyId: await companyOfSample(ctx, { userId, courseId }),
    userId: ctx.user.id,
    promptVersionId: versionId,
    messages: [
      { role: "system", content: text },
      { role: "user", content: message },
    ],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  };
}

/** Streams a trial as lines of JSON. `signal` cancels the call at the provider. */
export async function tryPrompt(ctx: Ctx<User>, run: BodyOf<typeof prompts.try>, signal: AbortSignal) {
  const versionId = run.versionId && (await isVersion(ctx, run.versionId)) ? run.versionId : null;
  const call = { ...(await callOf(ctx, { ...run, versionId })), signal };
  return Readable.from(linesOf(ctx, call));
}

const isVersion = async ({ db }: Ctx<User>, id: string) =>
  (await db.selectFrom("promptVersions").where("id", "=", id).select("id").executeTakeFirst()) !== undefined;

async function* linesOf(ctx: Ctx<User>, call: GatewayCall) {
  for await (const event of streamCompletion(ctx, call)) {
    let line: TryEvent | null = null;
    if (event.type === "start") line = { type: "start", connector: event.connector.name, model: event.model };
    else if (event.type === "text") line = event;
    else if (event.type === "error")
      line = { type: "error", code: event.code, ...(event.text !== undefined && { text: event.text }) };
    else if (event.type === "end") {
      const { costMicros, ...usage } = event.usage;
      line = { type: "end", reason: event.reason, ...usage, cost: costMicros === null ? null : costMicros / MICROS };
    }
    if (line) yield `${JSON.stringify(line)}\n`;
  }
}

/** The missing and forbidden texts of an answer; empty if it passes. */
export function findFaults(
  answer: string,
  { contains, lacks, maxWords }: Pick<CaseInput, "contains" | "lacks" | "maxWords">,
) {
  const text = answer.toLocaleLowerCase();
  const has = (part: string) => text.includes(part.toLocaleLowerCase());
  const words = answer.split(/\s+/).filter(Boolean).length;
  return [
    ...contains.filter((part) => !has(part)).map((part) => `does not contain “${part}”`),
    ...lacks.filter(has).map((part) => `contains “${part}”`),
    ...(maxWords !== null && words > maxWords ? [`${words} words instead of at most ${maxWords}`] : []),
  ];
}

/** Runs a test question with a version, and stores the result as the latest for both. */
export async function runCase(
  ctx: Ctx<User>,
  promptId: string,
  caseId: string,
  { versionId, ...choice }: BodyOf<typeof prompts.runCase>,
) {
  const question = await findCase(ctx, promptId, caseId);
  const { body } = await ctx.db
    .selectFrom("promptVersions")
    .where("id", "=", versionId)
    .where("promptId", "=", promptId)
    .select("body")
    .executeTakeFirstOrThrow(notFound);
  const result = await answerCase(ctx, { ...choice, body, message: question.message, versionId }, question);
  const values = { ...result, caseId, versionId, at: new Date().toISOString() };
  await ctx.db
    .insertInto("promptResults")
    .values(values)
    .onConflict((conflict) => conflict.columns(["caseId", "versionId"]).doUpdateSet(values))
    .execute();
  return values;
}

async function answerCase(ctx: Ctx<User>, run: Run, question: CaseInput) {
  try {
    const { text, connector, model, reason } = await complete(ctx, await callOf(ctx, run));
    const faults = reason === "refused" ? ["refused"] : findFaults(text, question);
    return {
      connector: connector.name,
      model,
      passed: faults.length === 0,
      answer: text.slice(0, MAX_ANSWER_CHARS),
      faults,
    };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { connector: "", model: run.model ?? "", passed: false, answer: "", faults: [error.code] };
  }
}
