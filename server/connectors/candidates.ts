import type { Selectable } from "kysely";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import type { Db } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { BUILTIN_ID, type ModelUse } from "#shared/connectors/connectors.ts";

export type ConnectorRow = Selectable<DB["connectors"]>;
/** A connector that may answer a call, and the model named for it. */
export type Candidate = { connector: ConnectorRow; model: string | null };

/**
 * The connectors that may answer a call, in order: the named one or the default one, and its fallbacks. A default
 * connector that has not passed its test is skipped, so that a mistake in it does not silence every chatbot. The
 * built-in connector comes last if there is something to quote. Throws `disabled` for an unknown connector.
 */
export async function readCandidates(
  db: Db,
  call: { connectorId?: string | null | undefined; model?: string | null | undefined; hasPassages: boolean },
): Promise<Candidate[]> {
  const first = await db
    .selectFrom("connectors")
    .where((e) =>
      call.connectorId
        ? e("id", "=", call.connectorId)
        : e.or([e.and([e("isDefault", "=", true), e("status", "<>", "draft")]), e("id", "=", BUILTIN_ID)]),
    )
    .orderBy("isDefault", "desc")
    .selectAll()
    .limit(1)
    .executeTakeFirst();
  if (!first) throw new GatewayError("disabled");
  const configured = first.fallbacks.filter(
    ({ connectorId }) => connectorId !== first.id && connectorId !== BUILTIN_ID,
  );
  const ids = [...configured.map(({ connectorId }) => connectorId), ...(call.hasPassages ? [BUILTIN_ID] : [])];
  const others =
    first.kind === "builtin" || ids.length === 0
      ? []
      : await db.selectFrom("connectors").where("id", "in", ids).selectAll().execute();
  const candidates = ids.flatMap((id) => {
    const connector = others.find((other) => other.id === id);
    return connector
      ? [{ connector, model: configured.find(({ connectorId }) => connectorId === id)?.model ?? null }]
      : [];
  });
  return [{ connector: first, model: call.connectorId ? (call.model ?? null) : null }, ...candidates];
}

/**
 * Chooses the model of a candidate: the cheaper one if the budget is nearly used, the named one, or the first for this
 * use.
 */
export function chooseModel({ connector, model }: Candidate, use: ModelUse, isLow = false) {
  const modelId = (isLow && connector.cheaperModel) || model;
  const chosenModel = modelId
    ? connector.models.find(({ id }) => id === modelId)
    : connector.models.find((candidate) => candidate.use === use);
  if (!chosenModel) throw new GatewayError("no_model");
  return chosenModel;
}
