import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { selectFiltered } from "#server/analysis/filtering.ts";
import { runAnalyses } from "#server/analysis/runWorker.ts";
import { inTransaction, type Db } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { searchFor } from "#server/core/listing.ts";
import { conflict, notFound } from "#server/core/problem.ts";
import { inScope } from "#server/core/scope.ts";
import { type analysisRuns, MAX_CONVERSATIONS, type Run } from "#shared/analysisRuns.ts";
import type { AnalyticsFilter } from "#shared/analysis.ts";
import type { BodyOf, QueryOf } from "#shared/route.ts";
import { scopeOf, type User } from "#shared/users.ts";

const SCOPE = { company: "analysisRuns.companyId" };

const selectRuns = (db: Db, user: User) =>
  db
    .selectFrom("analysisRuns")
    .leftJoin("users", "users.id", "analysisRuns.createdBy")
    .leftJoin("chatbots", (join) => join.on(sql<boolean>`chatbots.id::text = analysis_runs.filter->>'chatbotId'`))
    .where(inScope(user, SCOPE))
    .select([
      "analysisRuns.id",
      "analysisRuns.title",
      "analysisRuns.kind",
      "analysisRuns.question",
      "analysisRuns.filter",
      "chatbots.name as chatbot",
      "analysisRuns.state",
      "analysisRuns.code",
      sql<number>`cardinality(analysis_runs.conversation_ids)`.as("conversations"),
      "analysisRuns.read",
      "analysisRuns.model",
      "analysisRuns.spentMicros",
      "analysisRuns.createdAt",
      sql<string | null>`coalesce(nullif(users.name, ''), users.email)`.as("createdBy"),
      "analysisRuns.finishedAt",
    ]);

/** Ids of conversations that a run would read, the newest first. */
const findConversations = (ctx: Ctx<User>, filter: AnalyticsFilter) =>
  selectFiltered(ctx, filter).orderBy("startedAt", "desc").limit(MAX_CONVERSATIONS).select("id");

async function countNewer(ctx: Ctx<User>, { filter, createdAt }: Pick<Run, "filter" | "createdAt">): Promise<number> {
  const today = new Date().toISOString().slice(0, 10);
  const { count } = await selectFiltered(ctx, { ...filter, to: filter.to > today ? filter.to : today })
    .where("startedAt", ">", createdAt)
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

export async function readRun(ctx: Ctx<User>, id: string): Promise<Run> {
  const row = await selectRuns(ctx.db, ctx.user).where("analysisRuns.id", "=", id).executeTakeFirstOrThrow(notFound);
  return { ...row, newer: await countNewer(ctx, row) };
}

export async function listRuns(ctx: Ctx<User>, { q, page, size }: QueryOf<typeof analysisRuns.list>) {
  const match = q ? searchFor(q, ["analysisRuns.title"]) : sql<boolean>`true`;
  const { total } = await ctx.db
    .selectFrom("analysisRuns")
    .where(inScope(ctx.user, SCOPE))
    .where(match)
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await selectRuns(ctx.db, ctx.user)
    .where(match)
    .orderBy("analysisRuns.createdAt", "desc")
    .orderBy("analysisRuns.id")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items: rows.map((row) => ({ ...row, newer: 0 })), total };
}

/** How much an analysis would read: characters divided by four are tokens. */
export async function estimateRun(ctx: Ctx<User>, filter: AnalyticsFilter) {
  const { count, chars } = await ctx.db
    .selectFrom(findConversations(ctx, filter).as("found"))
    .leftJoin("turns", "turns.conversationId", "found.id")
    .select([
      sql<number>`count(distinct found.id)::int`.as("count"),
      sql<number>`coalesce(sum(length(turns.text)), 0)::float8`.as("chars"),
    ])
    .executeTakeFirstOrThrow();
  return { conversations: count, tokens: Math.ceil(chars / 4) };
}

export async function createRun(ctx: Ctx<User>, input: BodyOf<typeof analysisRuns.create>): Promise<Run> {
  const scope = scopeOf(ctx.user);
  const ids = (await findConversations(ctx, input.filter).execute()).map(({ id }) => id);
  return inTransaction(ctx.db, async (tx) => {
    if (input.connectorId)
      await tx
        .selectFrom("connectors")
        .where("id", "=", input.connectorId)
        .where("status", "=", "active")
        .select("id")
        .executeTakeFirstOrThrow(notFound);
    const { id } = await tx
      .insertInto("analysisRuns")
      .values({
        ...input,
        filter: JSON.stringify(input.filter),
        conversationIds: ids,
        companyId: scope.kind === "company" ? scope.companyId : null,
        createdBy: ctx.user.id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await runAnalyses.enqueue(tx, {}, { key: "analysis:run" });
    await record(tx, ctx, { action: "analysis.create", details: { conversations: ids.length } });
    return readRun({ ...ctx, db: tx }, id);
  });
}

export async function cancelRun(ctx: Ctx<User>, id: string): Promise<Run> {
  await readRun(ctx, id);
  await ctx.db
    .updateTable("analysisRuns")
    .set({ state: "cancelled", leasedUntil: null })
    .where("id", "=", id)
    .where("state", "in", ["waiting", "running"])
    .execute();
  return readRun(ctx, id);
}

async function startAgain(ctx: Ctx<User>, id: string, added: string[]): Promise<Run> {
  await inTransaction(ctx.db, async (tx) => {
    await tx
      .updateTable("analysisRuns")
      .set({
        state: "waiting",
        code: null,
        leasedUntil: null,
        ...(added.length > 0 && {
          conversationIds: sql<string[]>`conversation_ids || ${added}::uuid[]`,
          createdAt: sql<string>`now()`,
        }),
      })
      .where("id", "=", id)
      .where("state", "not in", ["waiting", "running"])
      .execute();
    await runAnalyses.enqueue(tx, {}, { key: "analysis:run" });
  });
  return readRun(ctx, id);
}

export async function resumeRun(ctx: Ctx<User>, id: string): Promise<Run> {
  const run = await readRun(ctx, id);
  if (run.state === "done") throw conflict("analysis.isDone");
  return startAgain(ctx, id, []);
}

/** Adds the conversations that began since the run. */
export async function updateRun(ctx: Ctx<User>, id: string): Promise<Run> {
  const run = await readRun(ctx, id);
  const today = new Date().toISOString().slice(0, 10);
  const to = run.filter.to > today ? run.filter.to : today;
  const added = await findConversations(ctx, { ...run.filter, to })
    .where("startedAt", ">", run.createdAt)
    .execute();
  return startAgain(
    ctx,
    id,
    added.map((one) => one.id),
  );
}

export async function removeRun(ctx: Ctx<User>, id: string) {
  await readRun(ctx, id);
  await ctx.db.deleteFrom("analysisRuns").where("id", "=", id).execute();
}
