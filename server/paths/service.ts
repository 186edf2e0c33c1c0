import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { checkSteps } from "#server/paths/checks.ts";
import { getPath } from "#server/paths/pathRows.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { MAX_PATHS, type paths } from "#shared/paths/paths.ts";

export const createPath = (ctx: Ctx<User>, { steps, ...input }: BodyOf<typeof paths.create>) =>
  inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    await sql`select pg_advisory_xact_lock(hashtextextended('paths', 0))`.execute(tx);
    const { count } = await tx
      .selectFrom("paths")
      .where("status", "!=", "archived")
      .select((e) => e.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= MAX_PATHS) throw conflict("paths.tooMany", undefined, { count: MAX_PATHS });
    await checkSteps(tx, steps);
    const { id } = await tx
      .insertInto("paths")
      .values({ ...input, draft: JSON.stringify(steps), updatedBy: ctx.user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, { action: "paths.create", object: { paths: id } });
    return getPath(scoped, id);
  });

/** Locks a path for a change; 404 if it is unknown, 409 if it changed since `version`. */
export async function lockPath(ctx: Ctx<User>, tx: Tx, id: string, version: number) {
  const path = await tx
    .selectFrom("paths")
    .where("id", "=", id)
    .selectAll()
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound);
  if (path.version === version) return path;
  const changedBy = await tx
    .selectFrom("users")
    .where("id", "=", path.updatedBy)
    .select(sql<string>`coalesce(nullif(name, ''), email)`.as("name"))
    .executeTakeFirst();
  const current = await getPath({ ...ctx, db: tx }, id);
  throw conflict("core.conflict", { current, changedBy: changedBy?.name ?? null, changedAt: path.updatedAt });
}

export const nextVersion = ({ user }: Ctx<User>, version: number) => ({
  version: version + 1,
  updatedAt: sql<string>`now()`,
  updatedBy: user.id,
});

export const updatePath = (ctx: Ctx<User>, id: string, { version, steps, ...change }: BodyOf<typeof paths.update>) =>
  inTransaction(ctx.db, async (tx) => {
    const path = await lockPath(ctx, tx, id, version);
    if (steps) await checkSteps(tx, steps, path.draft);
    await tx
      .updateTable("paths")
      .set({ ...change, ...(steps && { draft: JSON.stringify(steps) }), ...nextVersion(ctx, version) })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, {
      action: "paths.update",
      object: { paths: id },
      details: { fields: [...Object.keys(change), ...(steps ? ["steps"] : [])] },
    });
    return getPath({ ...ctx, db: tx }, id);
  });

/** Archives a path, so that it can no longer be assigned, or restores it. */
export const setArchived = (ctx: Ctx<User>, id: string, { archived, version }: BodyOf<typeof paths.setArchived>) =>
  inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    const path = await lockPath(ctx, tx, id, version);
    if (archived === (path.status === "archived")) return getPath(scoped, id);
    const { live } = await getPath(scoped, id);
    const open = live ? "published" : "draft";
    await tx
      .updateTable("paths")
      .set({ status: archived ? "archived" : open, ...nextVersion(ctx, version) })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, { action: archived ? "paths.archive" : "paths.restore", object: { paths: id } });
    return getPath(scoped, id);
  });
