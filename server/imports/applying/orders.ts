import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict } from "#server/core/http/problem.ts";
import { processImports } from "#server/imports/jobs.ts";
import { ordered } from "#server/imports/lease.ts";
import { countMembers, selectLeavers } from "#server/imports/leavers.ts";
import { getImport, hasLeavers, isRecent, lockImport } from "#server/imports/service.ts";
import { unmappedFields } from "#shared/imports/guessColumns.ts";
import { type imports, needsNumber } from "#shared/imports/imports.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Orders a job to import the accepted rows, and to suspend leavers if the admin chose so. */
export async function applyImport(ctx: Ctx<User>, id: string, order: BodyOf<typeof imports.apply>) {
  return inTransaction(ctx.db, async (tx) => {
    const file = await lockImport(ctx, tx, id);
    if (file.state !== "ready") throw conflict("imports.notReady");
    const { status, pinLogin } = await tx
      .selectFrom("companies")
      .where("id", "=", file.companyId)
      .select(["status", "pinLogin"])
      .executeTakeFirstOrThrow();
    if (status !== "active") throw conflict("companies.notActive");
    if (unmappedFields(file.about, file.mapping, pinLogin !== "off").length > 0) throw conflict("imports.unmapped");
    const leavers = hasLeavers(file) ? await selectLeavers(tx, file).select("users.id").execute() : [];
    if (leavers.length > 0 && !order.leavers) throw badField("leavers", "imports.leaversUnanswered");
    const kept = new Set(order.keepIds);
    const leaving = order.leavers === "suspend" ? leavers.filter((leaver) => !kept.has(leaver.id)) : [];
    const suspended = leaving.length + (await countSuspendedRows(tx, id));
    const members = await countMembers(tx, file.companyId);
    if (needsNumber(suspended, members) && order.confirm !== suspended)
      throw conflict("imports.confirmNumber", { suspended, members }, { count: suspended });
    await sql`
      insert into people_import_leavers (import_id, user_id)
      select ${id}, unnest(${leaving.map((leaver) => leaver.id)}::uuid[])`.execute(tx);
    const { total } = await tx
      .selectFrom("peopleImportRows")
      .where("importId", "=", id)
      .where("outcome", "in", ["create", "update"])
      .select((e) => e.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    await tx
      .updateTable("peopleImports")
      .set({
        ...ordered,
        state: "applying",
        invites: order.invites,
        orderedBy: ctx.user.id,
        total: total + leaving.length,
      })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, { action: "imports.apply", companyId: file.companyId, details: { count: total } });
    await processImports.enqueue(tx, {}, { key: "imports:process" });
    return getImport({ ...ctx, db: tx }, id);
  });
}

/** People whose row says that they have left, and who are not suspended yet. */
async function countSuspendedRows(tx: Tx, id: string) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from people_import_rows
    join users on users.id = people_import_rows.user_id
    where import_id = ${id}
      and outcome = 'update'
      and said->>'status' = 'suspended'
      and users.status <> 'suspended'`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Orders a job to undo an import, at most `UNDO_HOURS` after it was applied. */
export async function undoImport(ctx: Ctx<User>, id: string) {
  return inTransaction(ctx.db, async (tx) => {
    const file = await lockImport(ctx, tx, id);
    if (file.state !== "applied" || !isRecent(file.appliedAt)) throw conflict("imports.cannotUndo");
    const { rows } = await sql<{ total: number }>`
      select (
        select count(*)::int
        from people_import_rows
        where import_id = ${id}
          and applied_at is not null
      ) + (
        select count(*)::int
        from people_import_leavers
        where import_id = ${id}
          and applied_at is not null
      ) as total`.execute(tx);
    await tx
      .updateTable("peopleImports")
      .set({ ...ordered, state: "undoing", orderedBy: ctx.user.id, total: rows[0]?.total ?? 0 })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, { action: "imports.undo", companyId: file.companyId });
    await processImports.enqueue(tx, {}, { key: "imports:process" });
    return getImport({ ...ctx, db: tx }, id);
  });
}
