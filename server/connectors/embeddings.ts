import { costOf, type Price, priceOf, QUOTE_FROM, readUse, reserve, settle } from "#server/connectors/budgets.ts";
import { GatewayError, type GatewayContext } from "#server/connectors/gatewayCall.ts";
import { plausibleInput } from "#server/connectors/plausibleUsage.ts";
import { countAllTokens } from "#server/connectors/tokens.ts";
import { chooseModel, type ConnectorRow } from "#server/connectors/candidates.ts";
import { enter, recordFailure, recordSuccess } from "#server/connectors/circuit.ts";
import { readVectorMask } from "#server/connectors/callMasks.ts";
import { endpointOf } from "#server/connectors/endpoints.ts";
import { embedLocally } from "#server/connectors/local/embedLocally.ts";
import { callProvider, protocolOf } from "#server/connectors/providerRequests.ts";
import { acceptSize } from "#server/connectors/vectorSizes.ts";
import type { ConnectorModel } from "#shared/connectors/connectors.ts";

export type EmbedCall = {
  connectorId: string;
  /** By default the first embedding model of the connector. */
  model?: string | null;
  texts: string[];
  companyId: string | null;
  /** Companies whose people may be named in the texts; by default the one to which the call is charged. */
  maskedCompanyIds?: string[];
  /** Masks email addresses and phone numbers even if only other companies of the academy require masking. */
  hidesContacts?: boolean;
  userId?: string | null;
  chatbotId?: string | null;
  /** Also cancels the call at the provider; its reason is then thrown. */
  signal?: AbortSignal;
  /** A person is waiting: the vectors may take no longer than the first word of an answer. */
  isWaitedFor?: boolean;
  /** Allows a connector that is not active. */
  isTest?: boolean;
};
/** `size`: numbers per vector, the same for all. Vectors are in the order of the texts. */
export type Embeddings = { model: string; size: number; vectors: Float32Array[] };

/** Texts per request. */
const BATCH = 64;

/**
 * The vectors of texts. Null if the connector has no embedding model or is not active. Throws a `GatewayError` if any
 * request fails; the requests made so far are still recorded.
 */
export async function embed(ctx: GatewayContext, call: EmbedCall): Promise<Embeddings | null> {
  const connector = await ctx.db
    .selectFrom("connectors")
    .where("id", "=", call.connectorId)
    .where("status", "in", call.isTest ? ["active", "draft", "disabled"] : ["active"])
    .selectAll()
    .executeTakeFirst();
  if (!connector?.models.some(({ use }) => use === "embedding")) return null;
  const { companyIds } = connector;
  if (companyIds.length > 0 && call.companyId && !companyIds.includes(call.companyId))
    throw new GatewayError("not_allowed");
  const model = chooseModel({ connector, model: call.model ?? null }, "embedding");
  const read = await sourceOf(ctx, connector, model, call);
  if (!read) return null;
  const vectors: Float32Array[] = [];
  const scope = { companyId: call.companyId, connectorId: connector.id };
  for (let at = 0; at < call.texts.length; at += BATCH) {
    call.signal?.throwIfAborted();
    const texts = call.texts.slice(at, at + BATCH);
    if (connector.kind !== "local") {
      const used = await readUse(ctx, scope);
      if (Math.max(used.connector, used.others) >= QUOTE_FROM) throw new GatewayError("budget");
    }
    // The first successful request ends a pause also for the others.
    const pausedUntil = at === 0 ? connector.pausedUntil : null;
    const leave = await enter(ctx.db, { ...connector, pausedUntil }, call.isTest ?? false);
    try {
      const made = await embedBatch(ctx, { connector, model, call: { ...call, texts } }, async (timeoutMs) => {
        const batch = await read(texts, timeoutMs);
        if (!batch || !areVectors(batch.vectors, texts.length)) throw new GatewayError("bad_reply");
        await acceptSize(ctx.db, connector, model.id, batch.vectors[0]!.length, at === 0 && (call.isTest ?? false));
        return batch;
      });
      vectors.push(...made.map((vector) => Float32Array.from(vector)));
    } finally {
      leave();
    }
    if (at === 0) await recordSuccess(ctx.db, connector.id);
  }
  return { model: model.id, size: vectors[0]?.length ?? 0, vectors };
}

type Vectors = { vectors: (number[] | Float32Array)[]; inputTokens: number | null };

/**
 * What makes vectors: a request to the provider, with masked names, or the model on this server, which no text leaves.
 * Null if the protocol has no vectors.
 */
async function sourceOf(ctx: GatewayContext, connector: ConnectorRow, { id }: ConnectorModel, call: EmbedCall) {
  const { signal } = call;
  if (connector.kind === "local")
    return (texts: string[], timeoutMs: number): Promise<Vectors | null> =>
      embedLocally(ctx, id, texts, { timeoutMs, signal });
  const { embed: toRequest, readEmbeddings } = protocolOf(connector.kind);
  if (!toRequest) return null;
  const endpoint = endpointOf(ctx.config, connector);
  const maskedCompanyIds = call.maskedCompanyIds ?? (call.companyId ? [call.companyId] : []);
  const mask = await readVectorMask(ctx, maskedCompanyIds, call.hidesContacts ?? false);
  return async (texts: string[], timeoutMs: number): Promise<Vectors | null> => {
    const request = toRequest(endpoint, id, mask ? await mask.texts(texts) : texts);
    return readEmbeddings(await callProvider(ctx, request, timeoutMs, signal));
  };
}

/** Whether there is a vector for each text, all of the same length, and none without a direction. */
const areVectors = (vectors: Vectors["vectors"], texts: number) =>
  vectors.length === texts &&
  vectors.every(
    (vector) =>
      vector.length === vectors[0]!.length &&
      vector.some((value: number) => value !== 0) &&
      vector.every((value: number) => Number.isFinite(Math.fround(value))),
  );

type Batch = { connector: ConnectorRow; model: ConnectorModel; call: EmbedCall };
const FREE: Price = { input: 0, output: 0 };

/** The vectors of one billed request. */
async function embedBatch(
  ctx: GatewayContext,
  { connector, model, call }: Batch,
  send: (timeoutMs: number) => Promise<Vectors>,
): Promise<Vectors["vectors"]> {
  const { totalTimeoutMs, firstTokenTimeoutMs } = connector;
  const price = connector.kind === "local" ? FREE : priceOf(model);
  const inputTokens = await countAllTokens(call.texts.join("\n"));
  const reserved = { connectorId: connector.id, model: model.id, fallbackFor: null, price, maxOutputTokens: 0 };
  const counted = { call: { ...call, purpose: "embedding" as const }, inputTokens, totalTimeoutMs };
  const reservation = await reserve(ctx, { ...reserved, ...counted });
  if (!reservation) throw new GatewayError("budget");
  const started = performance.now();
  const { usageId } = reservation;
  try {
    const batch = await send(call.isWaitedFor ? Math.min(firstTokenTimeoutMs, totalTimeoutMs) : totalTimeoutMs);
    const reported = plausibleInput(batch.inputTokens ?? undefined, inputTokens);
    const tokens = reported ?? inputTokens;
    const totalMs = Math.round(performance.now() - started);
    const settled = { inputTokens: tokens, outputTokens: 0, isEstimated: reported === undefined, totalMs };
    await settle(ctx, usageId, { status: "done", ...settled, costMicros: costOf(price, tokens, 0) });
    return batch.vectors;
  } catch (error) {
    const code = error instanceof GatewayError ? error.code : null;
    const costMicros = price ? 0 : null;
    const failed = { inputTokens, outputTokens: 0, isEstimated: true, costMicros };
    await settle(ctx, usageId, { status: call.signal?.aborted ? "stopped" : "failed", code, ...failed });
    if (error instanceof GatewayError) await recordFailure(ctx, connector, error);
    throw error;
  }
}
