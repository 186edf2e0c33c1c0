import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Connector, ConnectorState } from "#shared/connectors/connectors.ts";
import type { User } from "#shared/core/users.ts";

const MICROS = 1_000_000;
/** The first moment of this month, UTC. */
export const monthStart = sql<string>`date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`;
/** Amount spent from a budget this month. */
export const spentMicros = sql<number>`case
  when month = date_trunc('month', now() at time zone 'UTC')::date then spent_micros
  else 0
end`;
/** The number of calls without a price; requires `ai_usage` and `connectors` in the query. */
export const countUnpriced = sql<number>`count(*) filter (
  where ai_usage.cost_micros is null
    and ai_usage.status <> 'running'
    and connectors.kind <> 'builtin'
)::int`;

export const selectConnectors = ({ db, user }: Ctx<User>) =>
  db
    .selectFrom("connectors")
    .leftJoin("aiBudgets as budget", (join) =>
      join.onRef("budget.ownerId", "=", "connectors.id").on("budget.kind", "=", "connector"),
    )
    .leftJoinLateral(
      (e) =>
        e
          .selectFrom("aiUsage")
          .whereRef("aiUsage.connectorId", "=", "connectors.id")
          .where("at", ">=", monthStart)
          .where(inScope(user, { company: "aiUsage.companyId" }))
          .select([
            sql<number>`count(*)::int`.as("calls"),
            sql<number>`count(*) filter (where status in ('failed', 'cut', 'lost'))::int`.as("failed"),
            countUnpriced.as("unpriced"),
            sql<number | null>`percentile_cont(0.5) within group (order by first_token_ms)`.as("firstTokenMs"),
          ])
          .as("used"),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (e) =>
        e
          .selectFrom("aiUsage")
          .whereRef("aiUsage.fallbackFor", "=", "connectors.id")
          .where("at", ">=", monthStart)
          .where(inScope(user, { company: "aiUsage.companyId" }))
          .select(sql<number>`count(*)::int`.as("fallbackCalls"))
          .as("replaced"),
      (join) => join.onTrue(),
    )
    .selectAll("connectors")
    .select([
      "budget.limitMicros",
      sql<number>`coalesce(${spentMicros}, 0)`.as("spent"),
      sql<number>`coalesce(budget.reserved_micros, 0)`.as("reserved"),
      "used.calls",
      "used.failed",
      "used.unpriced",
      "used.firstTokenMs",
      "replaced.fallbackCalls",
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof selectConnectors>["execute"]>>[number];

function stateOf({ status, pausedUntil, lastErrorCode }: Row): ConnectorState {
  if (status !== "active") return status;
  if (pausedUntil) return "paused";
  return lastErrorCode ? "failing" : "active";
}

/** A budget for admins, from amounts in millionths. */
export function describeBudget(limit: number | null, spent: number, reserved: number): Connector["budget"] {
  // A limit of 0 counts as used up.
  const usedOf = (whole: number) => (whole === 0 ? 1 : (spent + reserved) / whole);
  const used = limit === null ? 0 : usedOf(limit);
  return { limit: limit === null ? null : limit / MICROS, spent: spent / MICROS, reserved: reserved / MICROS, used };
}

export function describeConnector(row: Row): Connector {
  const { limitMicros, spent, reserved, calls, failed, unpriced, fallbackCalls } = row;
  const budget = describeBudget(limitMicros, spent, reserved);
  return {
    ...row,
    state: stateOf(row),
    budget,
    monthlyBudget: budget.limit,
    calls: calls ?? 0,
    failed: failed ?? 0,
    unpriced: unpriced ?? 0,
    fallbackCalls: fallbackCalls ?? 0,
  };
}

export async function readConnector(ctx: Ctx<User>, id: string): Promise<Connector> {
  return describeConnector(
    await selectConnectors(ctx).where("connectors.id", "=", id).executeTakeFirstOrThrow(notFound),
  );
}
