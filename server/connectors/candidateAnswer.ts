import { costOf, priceOf, reserve, settle, NOTIFY_FROM, type Price } from "#server/connectors/budgets.ts";
import {
  type CallUsage,
  type EndReason,
  GatewayError,
  type GatewayCall,
  type GatewayContext,
  type GatewayEvent,
} from "#server/connectors/gatewayCall.ts";
import { type Candidate, chooseModel, type ConnectorRow } from "#server/connectors/candidates.ts";
import { enter, hasFailed, recordFailure, recordSuccess } from "#server/connectors/circuit.ts";
import { readMask } from "#server/connectors/callMasks.ts";
import { endpointOf } from "#server/connectors/endpoints.ts";
import { streamModel } from "#server/connectors/providerRequests.ts";
import type { ModelEvent, Tool } from "#server/connectors/protocols/protocol.ts";
import { createAnswerText } from "#server/connectors/answerText.ts";
import { plausibleInput, plausibleOutput } from "#server/connectors/plausibleUsage.ts";
import { countAllTokens, countTokens, createTokenCount, mostInput, mostOutput } from "#server/connectors/tokens.ts";
import type { Tx } from "#server/core/database/db.ts";
import { quote } from "#server/connectors/quotation.ts";
import { BUILTIN_MODEL, type ConnectorErrorCode, type UsageRow } from "#shared/connectors/connectors.ts";

/** Options used only within this domain. `isValid` checks the complete text of a structured answer. */
export type Options = {
  schema?: object;
  isValid?: (text: string) => boolean;
  /** Stores a structured answer in the transaction in which the call is settled. May run again after a deadlock. */
  store?: (tx: Tx, answer: { text: string; model: string; usage: CallUsage }) => Promise<void>;
  tools?: Tool[];
  /** Does not try fallbacks. */
  isAlone?: boolean;
  /** Called with every tool that the model calls. */
  onTool?: (name: string) => void;
};
type Asked = { call: GatewayCall; fallbackFor: string | null };

const MAX_OUTPUT_TOKENS = 1024;
const describe = ({ id, name, kind }: ConnectorRow) => ({ id, name, isBuiltin: kind === "builtin" });

/** Quotes the passages of the call. */
export async function* answerFromBuiltin(
  ctx: GatewayContext,
  connector: ConnectorRow,
  { call, fallbackFor }: Asked,
): AsyncGenerator<GatewayEvent> {
  const started = performance.now();
  const question = call.messages.findLast(({ role }) => role === "user")?.content ?? "";
  const inputTokens = countTokens(question);
  const model = BUILTIN_MODEL;
  const reservation = await reserve(ctx, {
    call,
    connectorId: connector.id,
    model,
    fallbackFor,
    price: null,
    inputTokens,
    maxOutputTokens: 0,
    totalTimeoutMs: connector.totalTimeoutMs,
  });
  if (!reservation) throw new GatewayError("budget");
  const { usageId } = reservation;
  const { parts, isRefused } = quote(call.passages);
  const totalMs = Math.round(performance.now() - started);
  const outputTokens = countTokens(parts.map(({ text }) => text).join(""));
  const usage = { inputTokens, outputTokens, isEstimated: true, costMicros: 0, firstTokenMs: totalMs, totalMs };
  const reason: EndReason = isRefused ? "refused" : "stop";
  await settle(ctx, usageId, { status: isRefused ? "refused" : "done", ...usage });
  yield { type: "start", connector: describe(connector), model, usageId };
  for (const { text, quote: quoted } of parts) {
    yield { type: "text", text };
    if (quoted) yield { type: "quote", ...quoted };
  }
  yield { type: "end", reason, usage, usageId };
}

/**
 * Lets the model of a candidate answer. `share`: used share of the fullest budget. Throws a `GatewayError` only before
 * the first text.
 */
export async function* answerFromModel(
  ctx: GatewayContext,
  candidate: Candidate,
  share: number,
  { call, fallbackFor }: Asked,
  options: Options,
): AsyncGenerator<GatewayEvent> {
  const { connector } = candidate;
  const model = chooseModel(candidate, "chat", share >= NOTIFY_FROM);
  const price = priceOf(model);
  // Without a price, no budget could limit the spending of visitors.
  if (!price && call.visitorId && call.purpose === "chat") throw new GatewayError("unpriced");
  const endpoint = endpointOf(ctx.config, connector);
  const leave = await enter(ctx.db, connector, call.purpose === "test");
  try {
    const inputTokens = await countAllTokens(textsSent(call, options));
    const maxOutputTokens = call.maxOutputTokens ?? MAX_OUTPUT_TOKENS;
    const { totalTimeoutMs, firstTokenTimeoutMs } = connector;
    const mask = await readMask(ctx, call);
    const reserved = { call, connectorId: connector.id, model: model.id, fallbackFor, price };
    const reservation = await reserve(ctx, {
      ...reserved,
      inputTokens: mostInput(inputTokens),
      maxOutputTokens: mostOutput(maxOutputTokens),
      totalTimeoutMs,
    });
    if (!reservation) throw new GatewayError("budget");
    const request = {
      model: model.id,
      messages: mask ? mask.messages(call.messages) : call.messages,
      maxOutputTokens,
      temperature: call.temperature,
      schema: options.schema,
      tools: options.tools,
    };
    const meter = createMeter(inputTokens, maxOutputTokens, price);
    const said = streamModel(ctx, endpoint, request, { firstTokenTimeoutMs, totalTimeoutMs, signal: call.signal });
    const stream = mask ? mask.unmask(said, options.schema !== undefined) : said;
    yield* relay(ctx, { connector, model: model.id, usageId: reservation.usageId }, stream, meter, call, options);
  } finally {
    leave();
  }
}

/** All that is sent: texts, and the schema and tools that the model reads, too. */
const textsSent = ({ messages }: GatewayCall, { schema, tools }: Options) =>
  [
    ...messages.map(({ content }) => content),
    ...[schema, tools].filter(Boolean).map((sent) => JSON.stringify(sent)),
  ].join("\n");

type Meter = ReturnType<typeof createMeter>;
/** Measures one call: as reported by the provider if that can be true, or as counted in the texts sent and received. */
function createMeter(countedInput: number, maxOutputTokens: number, price: Price) {
  const started = performance.now();
  const since = () => Math.round(performance.now() - started);
  let reportedInput: number | undefined;
  let reportedOutput: number | undefined;
  let firstTokenMs: number | null = null;
  const written = createTokenCount(maxOutputTokens);
  return {
    /** Counts a piece of the answer; returns the part within the limits. */
    addText(text: string) {
      firstTokenMs ??= since();
      return written.take(text);
    },
    isOver: written.isOver,
    report(input: number | undefined, output: number | undefined) {
      reportedInput = input ?? reportedInput;
      reportedOutput = output ?? reportedOutput;
    },
    /** `isWhole`: the stream has ended; an earlier report covers only the text up to that point. */
    read(isWhole: boolean): CallUsage {
      const countedOutput = written.tokens();
      const input = plausibleInput(reportedInput, countedInput);
      const output = plausibleOutput(reportedOutput, countedOutput, maxOutputTokens);
      const isEstimated = !isWhole || input === undefined || output === undefined;
      const inputTokens = input ?? countedInput;
      const outputTokens = isWhole ? (output ?? countedOutput) : Math.max(output ?? 0, countedOutput);
      const costMicros = costOf(price, inputTokens, outputTokens);
      return { inputTokens, outputTokens, isEstimated, costMicros, firstTokenMs, totalMs: since() };
    },
  };
}

const STATUS: Record<EndReason, UsageRow["status"]> = {
  stop: "done",
  length: "length",
  stopped: "stopped",
  refused: "refused",
  cut: "cut",
};

async function* relay(
  ctx: GatewayContext,
  { connector, model, usageId }: { connector: ConnectorRow; model: string; usageId: string },
  stream: AsyncIterable<ModelEvent>,
  meter: Meter,
  call: GatewayCall,
  { isValid, onTool, store }: Options,
): AsyncGenerator<GatewayEvent> {
  const start: GatewayEvent = { type: "start", connector: describe(connector), model, usageId };
  // A structured answer is JSON in any case.
  const answer = isValid ? { take: (piece: string) => piece, end: () => "" } : createAnswerText();
  let text = "";
  let isStarted = false;
  let reason: EndReason = "stop";
  let isWhole = true;
  // Closing the stream cancels the call; the tokens used so far are still billed.
  let isSettled = false;
  const finish = async (status: UsageRow["status"], isWhole: boolean, code: ConnectorErrorCode | null = null) => {
    const usage = meter.read(isWhole);
    const cost = status === "failed" && !isStarted && code !== "empty" ? costOfFailure(usage) : usage;
    const isStored = store && isValid && (status === "done" || status === "length");
    if (isStored)
      await settle(ctx, usageId, { status, code, ...cost }, (tx) => store(tx, { text, model, usage: cost }));
    isSettled = true;
    if (!isStored) await settle(ctx, usageId, { status, code, ...cost });
    return cost;
  };
  try {
    for await (const event of stream) {
      if (event.type === "text") {
        // PostgreSQL cannot store U+0000.
        const added = answer.take(meter.addText(event.text).replaceAll("\0", ""));
        if (added !== "") {
          if (!isStarted) yield start;
          isStarted = true;
          if (isValid) text += added;
          yield { type: "text", text: added };
        }
        if (!meter.isOver()) continue;
        // The provider exceeds the limit; leaving the loop cancels the call.
        reason = "length";
        isWhole = false;
        break;
      } else if (event.type === "usage") meter.report(event.inputTokens, event.outputTokens);
      else if (event.type === "tool") onTool?.(event.name);
      else if (event.type === "finish") reason = event.reason;
    }
    const rest = answer.end();
    if (rest !== "") {
      if (!isStarted) yield start;
      isStarted = true;
      yield { type: "text", text: rest };
    }
    if (isValid && (reason === "stop" || reason === "length") && !isValid(text))
      throw new GatewayError("bad_structure");
    if (!isStarted && !onTool && (reason === "stop" || reason === "length")) throw new GatewayError("empty");
    const usage = await finish(STATUS[reason], isWhole);
    if (hasFailed(connector)) await recordSuccess(ctx.db, connector.id);
    if (!isStarted) yield start;
    yield { type: "end", reason, usage, usageId };
  } catch (error) {
    if (isSettled) throw error;
    if (call.signal?.aborted) {
      const usage = await finish("stopped", false);
      if (!isStarted) yield start;
      yield { type: "end", reason: "stopped", usage, usageId };
      return;
    }
    if (!(error instanceof GatewayError)) throw error;
    await recordFailure(ctx, connector, error);
    const isBroken = isStarted && error.code !== "bad_structure";
    const isWhole = error.code === "empty" || error.code === "bad_structure";
    const usage = await finish(isBroken ? "cut" : "failed", isWhole, error.code);
    error.costMicros = usage.costMicros ?? 0;
    if (!isBroken) throw error;
    yield { type: "end", reason: "cut", usage, usageId };
  } finally {
    if (!isSettled) await finish(isStarted ? "stopped" : "failed", false);
  }
}

/** A call that failed before its first text costs nothing; an empty answer costs what the model thought. */
const costOfFailure = (usage: CallUsage): CallUsage => ({
  ...usage,
  outputTokens: 0,
  costMicros: usage.costMicros === null ? null : 0,
});
