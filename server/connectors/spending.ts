import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { setLimit } from "#server/connectors/budgets.ts";
import { countUnpriced, describeBudget, monthStart, spentMicros } from "#server/connectors/connectorRows.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { isOneOf, readPage } from "#server/core/database/listing.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { connectors } from "#shared/connectors/connectors.ts";
import type { Spending } from "#shared/connectors/spending.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** The cost of models this month in the scope of the user. */
export async function readSpending({ db, user }: Ctx<User>): Promise<Spending> {
  const { currency, limitText } = await db.selectFrom("aiSettings").selectAll().executeTakeFirstOrThrow();
  const academy = await db
    .selectFrom("aiBudgets")
    .where("kind", "=", "academy")
    .select(["limitMicros", spentMicros.as("spent"), "reservedMicros"])
    .executeTakeFirstOrThrow();
  const totals = await db
    .selectFrom("aiUsage")
    .innerJoin("connectors", "connectors.id", "aiUsage.connectorId")
    .where("at", ">=", monthStart)
    .where(inScope(user, { company: "aiUsage.companyId" }))
    .select([
      sql<number>`count(*)::int`.as("calls"),
      sql<number>`count(*) filter (where ai_usage.status in ('failed', 'cut', 'lost'))::int`.as("failed"),
      countUnpriced.as("unpriced"),
      sql<number>`coalesce(sum(ai_usage.cost_micros), 0)::float8`.as("cost"),
      sql<number | null>`percentile_cont(0.5) within group (order by ai_usage.first_token_ms)`.as("firstTokenMs"),
      sql<number | null>`percentile_cont(0.95) within group (order by ai_usage.first_token_ms)`.as("slowFirstTokenMs"),
    ])
    .executeTakeFirstOrThrow();
  const companies = await db
    .selectFrom("aiBudgets")
    .innerJoin("companies", "companies.id", "aiBudgets.ownerId")
    .where("kind", "=", "company")
    .where("limitMicros", "is not", null)
    .where(inScope(user, { company: "companies.id" }))
    .select(["companies.id", "companies.name", "limitMicros", spentMicros.as("spent"), "reservedMicros"])
    .orderBy(sql`lower(companies.name)`)
    .execute();
  const { calls, failed, unpriced, cost, firstTokenMs, slowFirstTokenMs } = totals;
  // Calls without a company are included only for the academy.
  const budget = describeBudget(academy.limitMicros, user.companyId ? cost : academy.spent, academy.reservedMicros);
  return {
    currency,
    limitText,
    monthlyBudget: budget.limit,
    budget,
    forecast: budget.spent / passedShareOfMonth(new Date()),
    calls,
    failed,
    unpriced,
    firstTokenMs,
    slowFirstTokenMs,
    companies: companies.map(({ id, name, limitMicros, spent, reservedMicros }) => {
      const own = describeBudget(limitMicros, spent, reservedMicros);
      return { companyId: id, company: name, monthlyBudget: own.limit, budget: own };
    }),
  };
}

/** The elapsed share of the month (UTC), at least one day. */
function passedShareOfMonth(now: Date) {
  const days = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate();
  const passed = (now.getTime() - Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)) / 86_400_000;
  return Math.max(1, passed) / days;
}

export async function setSpending(ctx: Ctx<User>, input: BodyOf<typeof connectors.setSpending>): Promise<Spending> {
  const { currency, limitText, monthlyBudget } = input;
  return inTransaction(ctx.db, async (tx) => {
    await tx.updateTable("aiSettings").set({ currency, limitText }).execute();
    await setLimit(tx, "academy", null, monthlyBudget);
    await record(tx, ctx, { action: "connectors.spending", details: { budget: "academy" } });
    return readSpending({ ...ctx, db: tx });
  });
}

export async function setCompanyBudget(
  ctx: Ctx<User>,
  { companyId, monthlyBudget }: BodyOf<typeof connectors.setCompanyBudget>,
): Promise<Spending> {
  return inTransaction(ctx.db, async (tx) => {
    await tx
      .selectFrom("companies")
      .where("id", "=", companyId)
      .where(inScope(ctx.user, { company: "companies.id" }))
      .select("id")
      .executeTakeFirstOrThrow(notFound);
    await setLimit(tx, "company", companyId, monthlyBudget);
    await record(tx, ctx, { action: "connectors.spending", companyId, details: { budget: "company" } });
    return readSpending({ ...ctx, db: tx });
  });
}

export async function listUsage({ db, user }: Ctx<User>, query: QueryOf<typeof connectors.usage>) {
  let rows = db.selectFrom("aiUsage").where(inScope(user, { company: "aiUsage.companyId" }));
  const { connectorId, companyId, purpose, status } = query;
  if (connectorId) rows = rows.where("connectorId", "=", connectorId);
  if (companyId) rows = rows.where("companyId", "=", companyId);
  if (purpose) rows = rows.where("purpose", "=", purpose);
  if (status) rows = rows.where("status", "=", status);
  return readPage(query, {
    ids: rows.orderBy("at", "desc").orderBy("id").select("id"),
    total: rows.select((e) => e.fn.countAll<number>().as("total")),
    rows: async (ids) =>
      db
        .selectFrom("aiUsage")
        .innerJoin("connectors", "connectors.id", "aiUsage.connectorId")
        .leftJoin("users", "users.id", "aiUsage.userId")
        .leftJoin("companies", "companies.id", "aiUsage.companyId")
        .where(isOneOf("aiUsage.id", ids))
        .select([
          "aiUsage.id",
          "at",
          "purpose",
          "connectorId",
          "connectors.name as connector",
          "model",
          "userId",
          sql<string | null>`coalesce(nullif(users.name, ''), users.email)`.as("person"),
          "companies.name as company",
          "aiUsage.status",
          "code",
          "inputTokens",
          "outputTokens",
          "isEstimated",
          sql<number | null>`cost_micros / 1e6::float8`.as("cost"),
          "firstTokenMs",
          "totalMs",
          sql<number>`jsonb_array_length(passage_ids)`.as("passages"),
        ])
        .execute(),
  });
}
