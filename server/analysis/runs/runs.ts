import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { selectFiltered } from "#server/analysis/filter.ts";
import { hasOwnWords } from "#server/analysis/ownWords.ts";
import { enqueueAnalyses } from "#server/analysis/runs/runWorker.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { type analysisRuns, MAX_CONVERSATIONS, type Run, type Sample } from "#shared/analysis/analysisRuns.ts";
import type { AnalyticsFilter } from "#shared/analysis/conversationAnalytics.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

const SCOPE = { company: "analysisRuns.companyId" };
const DAY_MS = 86_400_000;
/**
 * Messages of the last minute may be in transactions that have not committed. The overlap does no harm: a conversation
 * is never added twice.
 */
const READ_UNTIL = sql<string>`now() - interval '1 minute'`;

export const selectRuns = (db: Db, user: User) =>
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
      "analysisRuns.sample",
      "chatbots.name as chatbot",
      "analysisRuns.withTone",
      "analysisRuns.state",
      "analysisRuns.code",
      sql<number>`cardinality(analysis_runs.conversation_ids)`.as("conversations"),
      "analysisRuns.read",
      sql<number>`cardinality(analysis_runs.unread_ids)`.as("unread"),
      "analysisRuns.model",
      "analysisRuns.spentMicros",
      "analysisRuns.createdAt",
      sql<string | null>`coalesce(nullif(users.name, ''), users.email)`.as("createdBy"),
      "analysisRuns.finishedAt",
    ]);

/** The ids of conversations in people's own words, in the order of the run: newest first, or that of the seed. */
export function findConversations(ctx: Ctx<User>, filter: AnalyticsFilter, sample: Sample) {
  const all = selectFiltered(ctx, filter).where(hasOwnWords).select("conversations.id");
  if (sample.kind === "random")
    return all
      .orderBy(sql`md5(conversations.id::text || ${String(sample.seed)}::text)`)
      .orderBy("conversations.id")
      .limit(sample.count);
  return all.orderBy("startedAt", "desc").limit(sample.kind === "newest" ? sample.count : MAX_CONVERSATIONS);
}

/**
 * Conversations of the filter with messages since the run that are not in the run, regardless of the last day of the
 * filter. A random sample has none: it would not be random with them.
 */
const findNewer = (
  ctx: Ctx<User>,
  id: string,
  { filter, sample, readUntil }: Pick<Run, "filter" | "sample"> & { readUntil: string },
) => {
  // Tomorrow in UTC is already today in zones ahead of it.
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  return selectFiltered(ctx, { ...filter, to: filter.to > tomorrow ? filter.to : tomorrow })
    .where(sql<boolean>`${sample.kind !== "random"}::boolean`)
    .where(hasOwnWords)
    .where("lastAt", ">", readUntil)
    .where(
      sql<boolean>`conversations.id <> all((select conversation_ids from analysis_runs where id = ${id})::uuid[])`,
    );
};

export async function readRun(ctx: Ctx<User>, id: string): Promise<Run> {
  const { readUntil, ...row } = await selectRuns(ctx.db, ctx.user)
    .where("analysisRuns.id", "=", id)
    .select("analysisRuns.readUntil")
    .executeTakeFirstOrThrow(notFound);
  const { count } = await findNewer(ctx, id, { ...row, readUntil })
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return { ...row, newer: count };
}

export async function listRuns(ctx: Ctx<User>, { q, page, size }: QueryOf<typeof analysisRuns.list>) {
  const match = q ? searchFor(q, ["analysisRuns.title"]) : sql<boolean>`true`;
  const { total } = await ctx.db
    .selectFrom("analysisRuns")
    .where(inScope(ctx.user, SCOPE))
    .where(match)
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await selectRuns(ctx.db, ctx.user)
    .where(match)
    .orderBy("analysisRuns.createdAt", "desc")
    .orderBy("analysisRuns.id")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items, total };
}

export async function createRun(ctx: Ctx<User>, input: BodyOf<typeof analysisRuns.create>): Promise<Run> {
  const scope = scopeOf(ctx.user);
  return inTransaction(ctx.db, async (tx) => {
    const ids = (await findConversations({ ...ctx, db: tx }, input.filter, input.sample).execute()).map(({ id }) => id);
    if (input.connectorId) await checkConnector(tx, input.connectorId);
    const { id } = await tx
      .insertInto("analysisRuns")
      .values({
        ...input,
        filter: JSON.stringify(input.filter),
        sample: JSON.stringify(input.sample),
        conversationIds: ids,
        readUntil: READ_UNTIL,
        companyId: scope.kind === "company" ? scope.companyId : null,
        createdBy: ctx.user.id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await enqueueAnalyses(tx);
    await record(tx, ctx, {
      action: "analysis.create",
      object: { analysisRuns: id },
      details: { conversations: ids.length },
    });
    return readRun({ ...ctx, db: tx }, id);
  });
}

/** Throws 422 unless the connector is active and has a model, unlike the built-in one. */
async function checkConnector(tx: Tx, id: string) {
  const connector = await tx
    .selectFrom("connectors")
    .where("id", "=", id)
    .where("status", "=", "active")
    .where("kind", "not in", ["builtin", "local"])
    .select("id")
    .executeTakeFirst();
  if (!connector) throw badField("connectorId", "analysis.connectorMissing");
}

export async function cancelRun(ctx: Ctx<User>, id: string): Promise<Run> {
  return inTransaction(ctx.db, async (tx) => {
    const { state } = await lockRun({ ...ctx, db: tx }, id);
    if (isOpen(state)) {
      await tx.updateTable("analysisRuns").set({ state: "cancelled" }).where("id", "=", id).execute();
      await record(tx, ctx, { action: "analysis.cancel", object: { analysisRuns: id } });
    }
    return readRun({ ...ctx, db: tx }, id);
  });
}

const isOpen = (state: Run["state"]) => state === "waiting" || state === "running";

/** Locks a run in the scope of the user, against other changes and the storing of a batch. */
const lockRun = ({ db, user }: Ctx<User>, id: string) =>
  db
    .selectFrom("analysisRuns")
    .where("id", "=", id)
    .where(inScope(user, SCOPE))
    .select(["state", "filter", "sample", "readUntil", sql<number>`cardinality(conversation_ids)`.as("conversations")])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);

/** Lets the worker continue a run. A call in progress keeps its lease, so that it is not repeated. */
async function startAgain(tx: Tx, id: string) {
  await tx.updateTable("analysisRuns").set({ state: "waiting", code: null }).where("id", "=", id).execute();
  await enqueueAnalyses(tx);
}

export async function resumeRun(ctx: Ctx<User>, id: string): Promise<Run> {
  return inTransaction(ctx.db, async (tx) => {
    const { state } = await lockRun({ ...ctx, db: tx }, id);
    if (state === "done") throw conflict("analysis.isDone");
    if (!isOpen(state)) {
      await startAgain(tx, id);
      await record(tx, ctx, { action: "analysis.resume", object: { analysisRuns: id } });
    }
    return readRun({ ...ctx, db: tx }, id);
  });
}

/**
 * Adds the conversations with messages since the run, newest first, up to the limit of an analysis. Throws 409 if full.
 */
export async function updateRun(ctx: Ctx<User>, id: string): Promise<Run> {
  return inTransaction(ctx.db, async (tx) => {
    const inTx = { ...ctx, db: tx };
    const run = await lockRun(inTx, id);
    if (isOpen(run.state)) return readRun(inTx, id);
    const room = MAX_CONVERSATIONS - run.conversations;
    if (room <= 0) throw conflict("analysis.full", undefined, { count: MAX_CONVERSATIONS });
    const newer = await findNewer(inTx, id, run)
      .orderBy("startedAt", "desc")
      .limit(room + 1)
      .select("id")
      .execute();
    const added = newer.slice(0, room).map((one) => one.id);
    await tx
      .updateTable("analysisRuns")
      .set({
        conversationIds: sql<string[]>`conversation_ids || ${added}::uuid[]`,
        // Conversations that did not fit are still newer than the run.
        ...(newer.length <= room && { readUntil: READ_UNTIL }),
      })
      .where("id", "=", id)
      .execute();
    await startAgain(tx, id);
    await record(tx, ctx, {
      action: "analysis.update",
      object: { analysisRuns: id },
      details: { conversations: added.length },
    });
    return readRun(inTx, id);
  });
}

export async function removeRun(ctx: Ctx<User>, id: string) {
  await inTransaction(ctx.db, async (tx) => {
    await lockRun({ ...ctx, db: tx }, id);
    await record(tx, ctx, { action: "analysis.remove", object: { analysisRuns: id } });
    await tx.deleteFrom("analysisRuns").where("id", "=", id).execute();
  });
}
