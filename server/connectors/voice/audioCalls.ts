import { priceOf, QUOTE_FROM, readUse, reserve } from "#server/connectors/budgets.ts";
import { GatewayError, type GatewayContext } from "#server/connectors/gatewayCall.ts";
import { chooseModel, type ConnectorRow, readCandidates } from "#server/connectors/candidates.ts";
import { endpointOf } from "#server/connectors/endpoints.ts";
import type { ConnectorModel } from "#shared/connectors/connectors.ts";

/** Common fields of transcription and speech calls. */
export type AudioCall = {
  /** Null: the default connector. */
  connectorId: string | null;
  /** By default the first model of the connector for this use. */
  model: string | null;
  companyId: string | null;
  userId?: string | null;
  visitorId?: string | null;
  chatbotId?: string | null;
  /** Also cancels the call at the provider; its reason is then thrown. */
  signal?: AbortSignal;
  /** Allows a connector that is not active. */
  isTest?: boolean;
};
type Use = "transcription" | "speech";

const modelFor = (connector: ConnectorRow, wanted: string | null, use: Use) =>
  connector.models.find((model) => model.use === use && (wanted === null || model.id === wanted)) ?? null;

/** Whether a company masks names, which is not possible in audio. */
async function isMasked({ db }: Pick<GatewayContext, "db">, companyId: string | null) {
  if (companyId === null) return false;
  const company = await db.selectFrom("companies").where("id", "=", companyId).select("maskNames").executeTakeFirst();
  return company?.maskNames ?? false;
}

type Wanted = Pick<AudioCall, "connectorId" | "companyId"> & Record<Use, string | null>;

/** The transcription and speech models that a connector offers to the people of a company. */
export async function readVoiceModels({ db }: Pick<GatewayContext, "db">, call: Wanted) {
  const [first] = await readCandidates(db, { connectorId: call.connectorId, hasPassages: false }).catch(() => []);
  const isOpen =
    first?.connector.status === "active" &&
    (first.connector.companyIds.length === 0 || !call.companyId || first.connector.companyIds.includes(call.companyId));
  if (!first || !isOpen || (await isMasked({ db }, call.companyId))) return { transcription: null, speech: null };
  return {
    transcription: modelFor(first.connector, call.transcription, "transcription"),
    speech: modelFor(first.connector, call.speech, "speech"),
  };
}

/** Checks that a call is allowed, and returns its connector and model. Throws a `GatewayError`. */
export async function openAudioCall(ctx: GatewayContext, call: AudioCall, use: Use) {
  const [first] = await readCandidates(ctx.db, { connectorId: call.connectorId, hasPassages: false });
  if (!first) throw new GatewayError("disabled");
  const { connector } = first;
  const usable = call.isTest ? connector.status !== "archived" : connector.status === "active";
  if (!usable) throw new GatewayError("disabled");
  if (connector.companyIds.length > 0 && call.companyId && !connector.companyIds.includes(call.companyId))
    throw new GatewayError("not_allowed");
  if (await isMasked(ctx, call.companyId)) throw new GatewayError("not_allowed");
  const found = modelFor(connector, call.model, use);
  if (!found) throw new GatewayError("no_model");
  const model = chooseModel({ connector, model: found.id }, use);
  // Without a price, no budget could limit the spending of visitors.
  if (call.visitorId && !priceOf(model)) throw new GatewayError("unpriced");
  const used = await readUse(ctx, { companyId: call.companyId, connectorId: connector.id });
  if (Math.max(used.connector, used.others) >= QUOTE_FROM) throw new GatewayError("budget");
  return { connector, model, endpoint: endpointOf(ctx.config, connector) };
}

/** Inserts the row of a call of `units` (seconds or characters) and reserves its price. Throws `budget`. */
export async function reserveAudio(
  ctx: GatewayContext,
  { connector, model }: { connector: ConnectorRow; model: ConnectorModel },
  call: AudioCall & { purpose: Use },
  units: number,
) {
  const price = priceOf(model);
  const reservation = await reserve(ctx, {
    call,
    connectorId: connector.id,
    model: model.id,
    fallbackFor: null,
    price,
    inputTokens: units,
    maxOutputTokens: 0,
    totalTimeoutMs: connector.totalTimeoutMs,
  });
  if (!reservation) throw new GatewayError("budget");
  return { usageId: reservation.usageId, price };
}
