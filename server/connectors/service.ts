import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { setLimit } from "#server/connectors/budgets.ts";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import { describeConnector, readConnector, selectConnectors } from "#server/connectors/connectorRows.ts";
import { sealKey } from "#server/connectors/endpoints.ts";
import { listModels } from "#server/connectors/gateway.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { checkAddress } from "#server/core/outgoing/addressCheck.ts";
import { BUILTIN_ID, type Connector, type ConnectorInput, type connectors } from "#shared/connectors/connectors.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

export async function listConnectors(ctx: Ctx<User>, { archived }: QueryOf<typeof connectors.list>) {
  const rows = await selectConnectors(ctx)
    .where("connectors.status", archived ? "=" : "<>", "archived")
    .orderBy(sql`connectors.kind = 'builtin'`, "desc")
    .orderBy(sql`lower(connectors.name)`)
    .orderBy("connectors.id")
    .execute();
  return { items: rows.map(describeConnector) };
}

type Fields = Partial<Omit<ConnectorInput, "apiKey" | "monthlyBudget">>;
const toColumns = ({ models, fallbacks, ...rest }: Fields) => ({
  ...rest,
  ...(models && { models: JSON.stringify(models) }),
  ...(fallbacks && { fallbacks: JSON.stringify(fallbacks) }),
});
/** The columns for a key: encrypted, and the part that may be shown; null for an empty text. */
const keyColumns = ({ config }: Ctx<User>, id: string, key: string | null) =>
  key
    ? { apiKey: sealKey(config, id, key), keyHint: key.length >= 12 ? key.slice(-4) : "" }
    : { apiKey: null, keyHint: null };

/** Columns on which calls depend: a change resets the recorded failures and results of earlier calls. */
const CALLED_WITH = ["kind", "baseUrl", "apiKey", "models", "firstTokenTimeoutMs", "totalTimeoutMs"] as const;
const FORGOTTEN = {
  failures: 0,
  firstFailureAt: null,
  pausedUntil: null,
  lastErrorCode: null,
  lastErrorAt: null,
} as const;

export async function createConnector(ctx: Ctx<User>, input: ConnectorInput): Promise<Connector> {
  const { apiKey, monthlyBudget, ...fields } = input;
  checkKind(input);
  if (fields.baseUrl) await checkAddress(ctx.config, "baseUrl", fields.baseUrl);
  return inTransaction(ctx.db, async (tx) => {
    await checkFields(tx, fields);
    if (fields.isDefault) await clearDefault(tx);
    const { id } = await tx
      .insertInto("connectors")
      .values({ ...toColumns(fields), name: fields.name, kind: fields.kind, updatedBy: ctx.user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (apiKey)
      await tx
        .updateTable("connectors")
        .set(keyColumns(ctx, id, apiKey))
        .where("id", "=", id)
        .execute();
    await setLimit(tx, "connector", id, monthlyBudget);
    await record(tx, ctx, { action: "connectors.create", object: { connectors: id } });
    return readConnector({ ...ctx, db: tx }, id);
  });
}

/**
 * Changes a connector if it is still at `version`; otherwise throws 409 with the current row. A new address or kind
 * removes the key, so that nobody can send it elsewhere, and requires a new test.
 */
export async function updateConnector(
  ctx: Ctx<User>,
  id: string,
  { version, ...input }: BodyOf<typeof connectors.update>,
  followEmbedder: FollowEmbedder,
): Promise<Connector> {
  const { apiKey, monthlyBudget, ...fields } = input;
  const { baseUrl } = await readConnector(ctx, id);
  if (fields.baseUrl && fields.baseUrl !== baseUrl) await checkAddress(ctx.config, "baseUrl", fields.baseUrl);
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockConnector({ ...ctx, db: tx }, id);
    if (before.version !== version)
      throw conflict("core.conflict", {
        current: await readConnector({ ...ctx, db: tx }, id),
        changedBy: null,
        changedAt: before.updatedAt,
      });
    checkKind({ ...before, apiKey: undefined, ...input });
    await checkFields(tx, { ...before, ...fields }, id);
    if (fields.isDefault) await clearDefault(tx);
    const isMoved =
      (fields.baseUrl !== undefined && fields.baseUrl !== before.baseUrl) ||
      (fields.kind !== undefined && fields.kind !== before.kind);
    const isRekeyed = isMoved || apiKey !== undefined;
    const isMended = CALLED_WITH.some(
      (field) => input[field] !== undefined && (field === "apiKey" || !isDeepStrictEqual(input[field], before[field])),
    );
    await tx
      .updateTable("connectors")
      .set((e) => ({
        ...toColumns(fields),
        ...(isRekeyed && keyColumns(ctx, id, apiKey ?? null)),
        ...(isMended && FORGOTTEN),
        ...(isMoved && { status: "draft" as const, lastTest: null }),
        version: e("version", "+", 1),
        updatedAt: sql`now()`,
        updatedBy: ctx.user.id,
      }))
      .where("id", "=", id)
      .execute();
    if (monthlyBudget !== undefined) await setLimit(tx, "connector", id, monthlyBudget);
    if (fields.models && embeds([...before.models, ...fields.models])) await followEmbedder(tx);
    await record(tx, ctx, {
      action: "connectors.update",
      object: { connectors: id },
      details: { fields: Object.keys(input) },
    });
    return readConnector({ ...ctx, db: tx }, id);
  });
}

/** Locks a connector that admins may change: any but the built-in one. */
async function lockConnector({ db }: Ctx<User>, id: string) {
  const row = await db
    .selectFrom("connectors")
    .where("id", "=", id)
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  if (row.kind === "builtin") throw conflict("connectors.builtin");
  return row;
}

/** Tells those who keep vectors that another embedding model may be in use (`Domain.followsEmbedder`). */
export type FollowEmbedder = (tx: Tx) => Promise<void>;
const embeds = (models: ConnectorInput["models"]) => models.some(({ use }) => use === "embedding");

/** A model on this server has no address and no key, and answers no questions. */
function checkKind({ kind, baseUrl, apiKey, isDefault, models }: Kind) {
  if (kind !== "local") {
    if (baseUrl === "") throw badField("baseUrl", "connectors.addressMissing");
    return;
  }
  for (const [field, value] of Object.entries({ baseUrl, apiKey, isDefault }))
    if (value) throw badField(field, "connectors.localSetting");
  if (models.length !== 1 || !embeds(models)) throw badField("models", "connectors.localModel");
}
type Kind = Pick<ConnectorInput, "baseUrl" | "apiKey" | "isDefault" | "models"> & { kind: Connector["kind"] };

const clearDefault = (tx: Tx) =>
  tx.updateTable("connectors").set({ isDefault: false }).where("isDefault", "=", true).execute();

type Named = Partial<Pick<ConnectorInput, "models" | "cheaperModel" | "fallbacks">>;
async function checkFields(db: Db, { models = [], cheaperModel, fallbacks = [] }: Named, id?: string) {
  if (cheaperModel && !models.some((model) => model.id === cheaperModel && model.use === "chat"))
    throw badField("cheaperModel", "connectors.unknownModel");
  if (fallbacks.length === 0) return;
  const others = await db
    .selectFrom("connectors")
    .where(
      "id",
      "in",
      fallbacks.map(({ connectorId }) => connectorId),
    )
    .select(["id", "models"])
    .execute();
  for (const { connectorId, model } of fallbacks) {
    const other = others.find((row) => row.id === connectorId);
    if (!other || other.id === id) throw badField("fallbacks", "connectors.unknownFallback");
    if (model && !other.models.some((known) => known.id === model))
      throw badField("fallbacks", "connectors.unknownModel");
  }
}

/** A connector is used again only after a test has passed; an archived one keeps its key. */
export async function setConnectorStatus(
  ctx: Ctx<User>,
  id: string,
  status: "active" | "disabled" | "archived",
  followEmbedder: FollowEmbedder,
): Promise<Connector> {
  return inTransaction(ctx.db, async (tx) => {
    const { lastTest, status: before, models } = await lockConnector({ ...ctx, db: tx }, id);
    const next = status === "active" && lastTest?.code !== null ? ("draft" as const) : status;
    if (next !== before) {
      await tx
        .updateTable("connectors")
        .set((e) => ({
          status: next,
          ...(next === "archived" && { isDefault: false }),
          ...(next === "active" && FORGOTTEN),
          version: e("version", "+", 1),
          updatedAt: sql`now()`,
          updatedBy: ctx.user.id,
        }))
        .where("id", "=", id)
        .execute();
      if (embeds(models)) await followEmbedder(tx);
      await record(tx, ctx, { action: "connectors.status", object: { connectors: id }, details: { status: next } });
    }
    return readConnector({ ...ctx, db: tx }, id);
  });
}

export async function removeConnector(ctx: Ctx<User>, id: string) {
  await inTransaction(ctx.db, async (tx) => {
    await lockConnector({ ...ctx, db: tx }, id);
    const used = await tx
      .selectFrom("aiUsage")
      .where((e) => e.or([e("connectorId", "=", id), e("fallbackFor", "=", id)]))
      .select("id")
      .limit(1)
      .executeTakeFirst();
    if (used) throw conflict("connectors.used");
    await record(tx, ctx, { action: "connectors.remove", object: { connectors: id } });
    await tx.deleteFrom("aiBudgets").where("kind", "=", "connector").where("ownerId", "=", id).execute();
    await tx.deleteFrom("connectors").where("id", "=", id).where("id", "<>", BUILTIN_ID).execute();
  });
}

export async function listProviderModels(ctx: Ctx<User>, id: string) {
  try {
    return { items: (await listModels(ctx, id)).map((model) => ({ id: model })), code: null };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { items: [], code: error.code };
  }
}
