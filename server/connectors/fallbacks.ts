import { answerFromBuiltin, answerFromModel, type Options } from "#server/connectors/candidateAnswer.ts";
import { QUOTE_FROM, readUse } from "#server/connectors/budgets.ts";
import {
  GatewayError,
  type GatewayCall,
  type GatewayContext,
  type GatewayEvent,
} from "#server/connectors/gatewayCall.ts";
import { visibleText } from "#server/connectors/injection/visibleText.ts";
import { type ConnectorRow, readCandidates } from "#server/connectors/candidates.ts";

/** The events of a call (`streamCompletion`), with errors as events. */
export async function* answerWithFallbacks(
  ctx: GatewayContext,
  call: GatewayCall,
  options: Options,
): AsyncGenerator<GatewayEvent> {
  try {
    const messages = call.messages.map((message) => ({ ...message, content: visibleText(message.content) }));
    yield* tryCandidates(ctx, { ...call, messages }, options);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    yield {
      type: "error",
      code: error.code,
      retryable: error.retryable,
      ...(error.costMicros > 0 && { costMicros: error.costMicros }),
      ...(error.code === "budget" && { text: await readLimitText(ctx) }),
    };
  }
}

async function* tryCandidates(ctx: GatewayContext, call: GatewayCall, options: Options): AsyncGenerator<GatewayEvent> {
  const hasPassages = (call.passages?.length ?? 0) > 0 && !options.schema;
  const readUseOf = (connectorId: string) => readUse(ctx, { companyId: call.companyId, connectorId });
  // Started in parallel with reading the connector, because every query before the first word adds to the delay.
  const early = call.connectorId ? readUseOf(call.connectorId) : null;
  early?.catch(() => {});
  const chain = await readCandidates(ctx.db, { connectorId: call.connectorId, model: call.model, hasPassages });
  const candidates = options.isAlone ? chain.slice(0, 1) : chain;
  let failure: GatewayError | null = null;
  const fallbackFor = candidates[0]?.connector.id ?? null;
  for (const [at, candidate] of candidates.entries()) {
    try {
      const { connector } = candidate;
      checkUsable(connector, call, at > 0);
      const used = await (connector.id === call.connectorId && early ? early : readUseOf(connector.id));
      if (used.others >= 1) throw new GatewayError("budget");
      const attempt = { call, fallbackFor: at > 0 ? fallbackFor : null };
      if (connector.kind === "builtin") {
        if (options.schema) throw new GatewayError("unsupported");
        return yield* answerFromBuiltin(ctx, connector, attempt);
      }
      const share = Math.max(used.connector, used.others);
      if (share >= QUOTE_FROM) throw new GatewayError("budget");
      return yield* answerFromModel(ctx, candidate, share, attempt, options);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // The error of the first connector is the one that the admin has to fix.
      if (failure) failure.costMicros += error.costMicros;
      failure ??= error;
    }
  }
  throw failure ?? new GatewayError("disabled");
}

function checkUsable(connector: ConnectorRow, call: GatewayCall, isFallback: boolean) {
  const { status, companyIds } = connector;
  // A test may call a connector that is not active.
  const isTest = call.purpose === "test" && !isFallback;
  if (status !== "active" && !(isTest && status !== "archived")) throw new GatewayError("disabled");
  if (companyIds.length > 0 && call.companyId && !companyIds.includes(call.companyId))
    throw new GatewayError("not_allowed");
}

const readLimitText = async ({ db }: GatewayContext) =>
  (await db.selectFrom("aiSettings").select("limitText").executeTakeFirstOrThrow()).limitText;
