import { z } from "zod";
import { reserve, settle } from "#server/connectors/budgets.ts";
import { readMask } from "#server/connectors/callMasks.ts";
import { enter, hasFailed, recordFailure, recordSuccess } from "#server/connectors/circuit.ts";
import { endpointOf } from "#server/connectors/endpoints.ts";
import { GatewayError, type GatewayContext } from "#server/connectors/gatewayCall.ts";
import { join } from "#server/connectors/protocols/protocol.ts";
import { callProvider } from "#server/connectors/providerRequests.ts";
import { countAllTokens } from "#server/connectors/tokens.ts";
import { notFound } from "#server/core/http/problem.ts";

// Moderation models: `POST moderations` of OpenAI, which Mistral and others speak, too. OpenAI charges nothing for it;
// calls are in the books with a price of zero.

const TIMEOUT_MS = 5000;
const MAX_CHARS = 16_000;
const DEFAULT_MODEL = "omni-moderation-latest";
const FREE = { input: 0, output: 0, validFrom: "2020-01-01" };

/** A category is true or false; anything else, such as a score, says nothing. */
const reply = z.object({
  results: z.array(z.object({ categories: z.record(z.string(), z.unknown()) })).min(1),
});

type ModerationCall = {
  connectorId: string;
  /** The provider's name of the model; empty for its usual one. */
  model: string;
  text: string;
  companyId: string | null;
  userId: string | null;
  visitorId: string | null;
  chatbotId: string;
  conversationId: string;
};

/** The categories that a moderation model finds in a text, in the provider's words. Throws a `GatewayError`. */
export async function moderate(ctx: GatewayContext, call: ModerationCall): Promise<string[]> {
  const connector = await ctx.db
    .selectFrom("connectors")
    .where("id", "=", call.connectorId)
    .selectAll()
    .executeTakeFirstOrThrow(notFound);
  if (connector.status !== "active" || connector.kind !== "openai") throw new GatewayError("disabled");
  if (connector.companyIds.length > 0 && call.companyId && !connector.companyIds.includes(call.companyId))
    throw new GatewayError("not_allowed");
  const { baseUrl, key } = endpointOf(ctx.config, connector);
  const asked = { ...call, purpose: "moderation" as const, messages: [] };
  const mask = await readMask(ctx, asked);
  const [input = ""] = mask ? await mask.texts([call.text]) : [call.text];
  const model = call.model || DEFAULT_MODEL;
  const leave = await enter(ctx.db, connector, false);
  try {
    const inputTokens = await countAllTokens(input.slice(0, MAX_CHARS));
    const limits = { inputTokens, maxOutputTokens: 0, totalTimeoutMs: TIMEOUT_MS };
    const reserved = { call: asked, connectorId: connector.id, model, fallbackFor: null, price: FREE, ...limits };
    const reservation = await reserve(ctx, reserved);
    if (!reservation) throw new GatewayError("budget");
    const usage = { inputTokens, outputTokens: 0, isEstimated: true, costMicros: 0 };
    try {
      const said = await callProvider(
        ctx,
        {
          url: join(baseUrl, "moderations"),
          method: "POST",
          headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
          body: { model, input: input.slice(0, MAX_CHARS) },
        },
        TIMEOUT_MS,
      );
      const parsed = reply.safeParse(said);
      if (!parsed.success) throw new GatewayError("bad_reply");
      await settle(ctx, reservation.usageId, { status: "done", ...usage });
      if (hasFailed(connector)) await recordSuccess(ctx.db, connector.id);
      return parsed.data.results.flatMap(({ categories }) =>
        Object.keys(categories).filter((name) => categories[name] === true),
      );
    } catch (error) {
      const failure = error instanceof GatewayError ? error : new GatewayError("provider_down");
      await settle(ctx, reservation.usageId, { status: "failed", code: failure.code, ...usage });
      await recordFailure(ctx, connector, failure);
      throw failure;
    }
  } finally {
    leave();
  }
}
