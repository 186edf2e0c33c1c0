import { sql } from "kysely";
import type { GatewayCall, GatewayContext } from "#server/connectors/gatewayCall.ts";
import { notifyBudget } from "#server/connectors/notifyBudget.ts";
import { type Db, inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import type { ConnectorErrorCode, ConnectorModel, UsageRow } from "#shared/connectors/connectors.ts";

// The maximum cost of a call is reserved before it and replaced by the actual cost afterwards, each in one statement;
// the latter may be part of a transaction that also stores what the call was made for.
// All budgets of a call are locked in the order of their ids.

/**
 * Used shares of a budget from which admins are notified and a cheaper model answers, and from which only the built-in
 * connector answers.
 */
export const NOTIFY_FROM = 0.8;
export const QUOTE_FROM = 0.95;
const MICROS = 1_000_000;
/** A call counts as lost this long after its maximum duration. */
const LOST_AFTER_MS = 60_000;

type Scope = Pick<GatewayCall, "companyId"> & { connectorId: string };
const month = sql<string>`(date_trunc('month', now() at time zone 'UTC'))::date`;
const isOf = ({ companyId, connectorId }: Scope) =>
  sql<boolean>`(
    kind = 'academy'
    or (kind = 'company' and owner_id = ${companyId ?? null}::uuid)
    or (kind = 'connector' and owner_id = ${connectorId}::uuid))`;
const spentNow = sql<number>`case when month = ${month} then spent_micros else 0 end`;
/**
 * Most of the budget is spent and admins have not been notified, because its limit was lowered or no call has been
 * settled since.
 */
const isUntold = sql<boolean>`(
  limit_micros > 0
  and notified_percent < ${NOTIFY_FROM * 100}::int
  and ${spentNow} >= limit_micros * ${NOTIFY_FROM}::float8)`;

/**
 * The used share (spent and reserved) of the fullest budget of a call: of the connector's own budget, and of the
 * others. 0 without a limit; a limit of 0 is used up. Also sends outstanding notifications to admins, because the call
 * may be refused before it could.
 */
export async function readUse(ctx: GatewayContext, scope: Scope) {
  const { rows } = await sql<{ own: boolean; used: number; untold: boolean }>`
    select
      kind = 'connector' as own,
      bool_or(${isUntold}) as untold,
      max(case when limit_micros = 0 then 1 else (${spentNow} + reserved_micros)::float8 / limit_micros end) as used
    from ai_budgets
    where limit_micros is not null
      and ${isOf(scope)}
    group by 1`.execute(ctx.db);
  if (rows.some(({ untold }) => untold)) await notifyUntold(ctx, scope);
  return {
    connector: rows.find(({ own }) => own)?.used ?? 0,
    others: rows.find(({ own }) => !own)?.used ?? 0,
  };
}

async function notifyUntold(ctx: GatewayContext, scope: Scope) {
  const { rows } = await repeatOnDeadlock(() =>
    sql<Crossed>`
      update ai_budgets
      set notified_percent = ${NOTIFY_FROM * 100}::int
      where ${isUntold}
        and ${isOf(scope)}
      returning kind, owner_id as "ownerId", limit_micros as "limit", spent_micros as spent`.execute(ctx.db),
  );
  await notifyCrossed(ctx, rows);
}

export type Price = { input: number; output: number } | null;
/**
 * The current price of a model: the one with the latest first day that is not in the future. For audio, per million
 * seconds.
 */
export function priceOf({ use, prices }: ConnectorModel, today = new Date().toISOString().slice(0, 10)): Price {
  const [price] = prices
    .filter(({ validFrom }) => validFrom <= today)
    .toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1));
  if (!price) return null;
  return use === "transcription" ? { input: (price.input * 1_000_000) / 60, output: 0 } : price;
}
/** A price per million tokens equals the price of one token in millionths. */
export const costOf = (price: Price, inputTokens: number, outputTokens: number) =>
  price && Math.ceil(inputTokens * price.input + outputTokens * price.output);

export type Reservation = { usageId: string; price: Price };
type ReservedCall = {
  call: Pick<
    GatewayCall,
    "purpose" | "companyId" | "userId" | "visitorId" | "chatbotId" | "promptVersionId" | "passages"
  >;
  connectorId: string;
  model: string;
  fallbackFor: string | null;
  price: Price;
  inputTokens: number;
  maxOutputTokens: number;
  totalTimeoutMs: number;
};

/** Inserts the row of a call and reserves its maximum cost. Null if that exceeds a budget of the call. */
export async function reserve({ db }: Pick<GatewayContext, "db">, reserved: ReservedCall): Promise<Reservation | null> {
  const { call, connectorId, model, fallbackFor, price, inputTokens, maxOutputTokens, totalTimeoutMs } = reserved;
  const most = costOf(price, inputTokens, maxOutputTokens) ?? 0;
  const isFree = price !== null && most === 0;
  const passages = JSON.stringify((call.passages ?? []).map(({ id }) => id));
  const { rows } = await repeatOnDeadlock(() =>
    sql<{ id: string }>`
      with held as materialized (
        select id, limit_micros, ${spentNow} as spent, reserved_micros as reserved,
          case when month = ${month} then notified_percent else 0 end as notified
        from ai_budgets
        where ${isOf({ ...call, connectorId })}
        order by id
        for update
      ),
      fits as (
        select coalesce(
          bool_and(${isFree}::boolean or limit_micros is null or spent + reserved + ${most}::bigint <= limit_micros),
          true
        ) as ok
        from held
      ),
      taken as (
        update ai_budgets budget
        set month = ${month},
          spent_micros = held.spent,
          reserved_micros = held.reserved + ${most}::bigint,
          notified_percent = held.notified
        from held, fits
        where budget.id = held.id
          and fits.ok
          and (${most}::bigint > 0 or budget.month <> ${month})
      )
      insert into ai_usage (
        purpose, connector_id, model, fallback_for,
        user_id, visitor_id, company_id,
        chatbot_id, prompt_version_id,
        input_tokens, input_price, output_price, reserved_micros,
        budget_ids, passage_ids, expires_at)
      select
        ${call.purpose}, ${connectorId}::uuid, ${model}, ${fallbackFor}::uuid,
        ${call.userId ?? null}::uuid, ${call.visitorId ?? null}, ${call.companyId}::uuid,
        ${call.chatbotId ?? null}::uuid, ${call.promptVersionId ?? null}::uuid,
        ${inputTokens}, ${price?.input ?? null}::float8, ${price?.output ?? null}::float8, ${most}::bigint,
        array(select id from held), ${passages}::jsonb,
        now() + make_interval(secs => ${(totalTimeoutMs + LOST_AFTER_MS) / 1000})
      from fits
      where ok
      returning id`.execute(db),
  );
  return rows[0] ? { usageId: rows[0].id, price } : null;
}

export type Settlement = {
  status: UsageRow["status"];
  code?: ConnectorErrorCode | null;
  inputTokens: number;
  outputTokens: number;
  isEstimated: boolean;
  costMicros: number | null;
  firstTokenMs?: number | null;
  totalMs?: number | null;
};

/**
 * Replaces the reservation of a call by its cost. A call is settled once; later attempts have no effect. `store` writes
 * what the call was made for in the same transaction, so that neither is there without the other; it may run again.
 */
export async function settle(
  ctx: GatewayContext,
  usageId: string,
  settled: Settlement,
  store?: (tx: Tx) => Promise<void>,
) {
  const { status, code = null, inputTokens, outputTokens, isEstimated, costMicros } = settled;
  const { firstTokenMs = null, totalMs = null } = settled;
  const done = sql`
    update ai_usage
    set status = ${status},
      code = ${code},
      input_tokens = ${inputTokens},
      output_tokens = ${outputTokens},
      is_estimated = ${isEstimated},
      cost_micros = ${costMicros}::bigint,
      first_token_ms = ${firstTokenMs}::int,
      total_ms = ${totalMs}::int
    where id = ${usageId}
      and status = 'running'
    returning budget_ids, reserved_micros, cost_micros`;
  await book(ctx, done, store);
}

/** Settles calls whose server has died, at their maximum cost. Returns their number. */
export async function settleLostCalls(ctx: GatewayContext) {
  const { rows } = await sql<{ id: string }>`
    select id
    from ai_usage
    where status = 'running'
      and expires_at < now()
    limit 1000`.execute(ctx.db);
  for (const { id } of rows) {
    const done = sql`
      update ai_usage
      set status = 'lost',
        is_estimated = true,
        cost_micros = case when input_price is null then null else reserved_micros end
      where id = ${id}
        and status = 'running'
      returning budget_ids, reserved_micros, cost_micros`;
    await book(ctx, done);
  }
  return rows.length;
}

type Crossed = { kind: string; ownerId: string | null; limit: number; spent: number };

async function book(ctx: GatewayContext, done: ReturnType<typeof sql>, store?: (tx: Tx) => Promise<void>) {
  const crossed = await repeatOnDeadlock(() =>
    store
      ? inTransaction(ctx.db, async (tx) => {
          // Budgets are locked last and briefly: other calls wait for them.
          await store(tx);
          return bookIn(tx, done);
        })
      : bookIn(ctx.db, done),
  );
  await notifyCrossed(ctx, crossed);
}

async function bookIn(db: Db, done: ReturnType<typeof sql>) {
  const { rows } = await sql<Crossed>`
    with done as (${done}),
    held as materialized (
      select id, ${spentNow} as spent, reserved_micros as reserved,
        case when month = ${month} then notified_percent else 0 end as notified
      from ai_budgets
      where id in (select unnest(budget_ids) from done where reserved_micros > 0 or cost_micros > 0)
      order by id
      for update
    ),
    booked as (
      update ai_budgets budget
      set month = ${month},
        spent_micros = held.spent + coalesce(done.cost_micros, 0),
        reserved_micros = greatest(0, held.reserved - done.reserved_micros),
        notified_percent = case
          when budget.limit_micros is not null
            and held.spent + coalesce(done.cost_micros, 0) >= budget.limit_micros * ${NOTIFY_FROM}::float8
            then ${NOTIFY_FROM * 100}::int
          else held.notified
        end
      from held, done
      where budget.id = held.id
      returning budget.kind, budget.owner_id, budget.limit_micros, budget.spent_micros,
        held.notified, budget.notified_percent
    )
    select kind, owner_id as "ownerId", limit_micros as "limit", spent_micros as spent
    from booked
    where notified < notified_percent`.execute(db);
  return rows;
}

async function notifyCrossed(ctx: GatewayContext, rows: Crossed[]) {
  for (const { kind, ownerId, limit, spent } of rows)
    await notifyBudget(ctx, { kind, ownerId, limit: limit / MICROS, spent: spent / MICROS });
}

/** Sets the monthly limit of a budget, in money; null for none. */
export const setLimit = (
  db: Db,
  kind: "academy" | "company" | "connector",
  ownerId: string | null,
  limit: number | null,
) =>
  db
    .insertInto("aiBudgets")
    .values({ kind, ownerId, limitMicros: limit === null ? null : Math.round(limit * MICROS) })
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "ownerId"])
        .doUpdateSet((e) => ({ limitMicros: e.ref("excluded.limitMicros"), notifiedPercent: 0 })),
    )
    .execute();
