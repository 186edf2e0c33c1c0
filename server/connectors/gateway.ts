import { z } from "zod";
import {
  type CallUsage,
  type Completion,
  GatewayError,
  type GatewayCall,
  type GatewayContext,
  type GatewayEvent,
} from "#server/connectors/gatewayCall.ts";
import type { Options } from "#server/connectors/candidateAnswer.ts";
import { endpointOf } from "#server/connectors/endpoints.ts";
import { answerWithFallbacks } from "#server/connectors/fallbacks.ts";
import { listLocalModels } from "#server/connectors/local/modelFolders.ts";
import { callProvider, protocolOf } from "#server/connectors/providerRequests.ts";
import type { Tx } from "#server/core/database/db.ts";
import { notFound } from "#server/core/http/problem.ts";

// The only access to language models; vectors and voice have files of their own (embeddings.ts, voice/). Callers get
// text, quotes and one end; provider, fallbacks and cost are decided and recorded here.

/**
 * Streams an answer. Before the first text, a connector that fails is replaced by the next one of its chain, and
 * finally by the built-in one if there are passages; after that, an answer that breaks off ends as `cut`. Errors are
 * events, except those of the database. Ending the iteration early cancels the call at the provider.
 */
export const streamCompletion = (ctx: GatewayContext, call: GatewayCall): AsyncGenerator<GatewayEvent> =>
  answerWithFallbacks(ctx, call, {});

/** The complete answer. Throws a `GatewayError`; an answer that breaks off after its first text is `truncated`. */
export const complete = (ctx: GatewayContext, call: GatewayCall): Promise<Completion> => collect(ctx, call, {});

/**
 * An answer in the shape of `schema`. Throws a `GatewayError`: `bad_structure` if the answer has another shape,
 * `unsupported` by the built-in connector. `store` writes the answer in the transaction that charges the call: a
 * process that ends between the two would pay for the answer again. It may run again after a deadlock.
 */
export async function completeStructured<S extends z.ZodType>(
  ctx: GatewayContext,
  call: GatewayCall,
  schema: S,
  store?: (tx: Tx, answer: { value: z.output<S>; model: string; usage: CallUsage }) => Promise<void>,
): Promise<Completion & { value: z.output<S> }> {
  const { $schema: _, ...asked } = z.toJSONSchema(schema, { io: "input" });
  const read = (text: string) => parse(schema, text).data as z.output<S>;
  const completion = await collect(ctx, call, {
    schema: asked,
    isValid: (text) => parse(schema, text).success,
    ...(store && { store: (tx, { text, ...answer }) => store(tx, { value: read(text), ...answer }) }),
  });
  return { ...completion, value: read(completion.text) };
}

/** A text that PostgreSQL can store as text and as jsonb: without U+0000, lone surrogates replaced by U+FFFD. */
const toStorable = (text: string) => text.replaceAll("\0", "").toWellFormed();

function parse<S extends z.ZodType>(schema: S, text: string) {
  try {
    return schema.safeParse(JSON.parse(text, (_, value) => (typeof value === "string" ? toStorable(value) : value)));
  } catch {
    return { success: false as const, data: undefined };
  }
}

function toError({ code, text, costMicros }: Extract<GatewayEvent, { type: "error" }>) {
  const error = new GatewayError(code, text);
  error.costMicros = costMicros ?? 0;
  return error;
}

/** For use within this domain, with `options` for tests of connectors. */
export async function collect(ctx: GatewayContext, call: GatewayCall, options: Options): Promise<Completion> {
  let start: Extract<GatewayEvent, { type: "start" }> | null = null;
  let text = "";
  const quotes: Completion["quotes"] = [];
  for await (const event of answerWithFallbacks(ctx, call, options)) {
    if (event.type === "start") {
      // A structured answer that violates its schema is replaced by that of the next connector.
      start = event;
      text = "";
    } else if (event.type === "text") text += event.text;
    else if (event.type === "quote") quotes.push({ passageId: event.passageId, start: event.start, end: event.end });
    else if (event.type === "error") throw toError(event);
    else if (event.reason === "cut") throw new GatewayError("truncated");
    else if (start)
      return {
        text,
        quotes,
        reason: event.reason,
        connector: start.connector,
        model: start.model,
        usage: event.usage,
        usageId: event.usageId,
      };
  }
  throw new GatewayError("truncated");
}

const LIST_TIMEOUT_MS = 10_000;

/** The ids of the models that the provider of a connector offers. Throws a `GatewayError`. */
export async function listModels(ctx: GatewayContext, connectorId: string): Promise<string[]> {
  const connector = await ctx.db
    .selectFrom("connectors")
    .where("id", "=", connectorId)
    .selectAll()
    .executeTakeFirstOrThrow(notFound);
  if (connector.kind === "builtin") return connector.models.map(({ id }) => id);
  if (connector.kind === "local") return (await listLocalModels(ctx.config)).map(({ name }) => name);
  const endpoint = endpointOf(ctx.config, connector);
  const protocol = protocolOf(connector.kind);
  const ids = protocol.readModels(await callProvider(ctx, protocol.listModels(endpoint), LIST_TIMEOUT_MS));
  if (!ids) throw new GatewayError("bad_reply");
  return ids.toSorted();
}
