import { type RawBuilder, sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Services } from "#server/core/services.ts";
import { asOrderer } from "#server/imports/applying/actor.ts";
import { undoCompletions } from "#server/imports/applying/completions.ts";
import { lockLearners } from "#server/imports/applying/before.ts";
import { restorePeople } from "#server/imports/applying/restorePeople.ts";
import { restoreManagers } from "#server/imports/applying/managers.ts";
import { type ImportRecord, inBatch, setImport } from "#server/imports/lease.ts";
import type { User } from "#shared/core/users.ts";

/** People per transaction. */
const BATCH = 200;

/** SQL: whether a person has done anything since they were created. */
const hasActed = sql<boolean>`(
  users.status = 'active'
  or users.last_active is not null
  or users.last_login_at is not null
  or exists (select from auth_accounts where user_id = users.id)
  or exists (select from attempts where user_id = users.id)
  or exists (select from event_registrations where user_id = users.id)
  or exists (select from conversations where user_id = users.id)
  or exists (select from consent_records where user_id = users.id)
)`;
/** SQL: whether an admin has changed them since. */
const isChanged = sql<boolean>`(users.version > 1 or users.role <> 'learner' or users.status <> 'invited')`;

/**
 * Undoes an import in batches: completions are taken back; leavers and changed people are restored, new people deleted.
 * People who have acted or were changed since stay as they are and are listed.
 */
export async function undoRows(services: Services, taken: ImportRecord) {
  const ctx = await asOrderer(services, taken, "imports.undo");
  const each = async (undo: (ctx: Ctx<User>, tx: Tx) => Promise<number>) => {
    const batch = async (tx: Tx) => {
      const count = await undo({ ...ctx, db: tx }, tx);
      await tx
        .updateTable("peopleImports")
        .set((e) => ({ done: e("done", "+", count) }))
        .where("id", "=", taken.id)
        .execute();
      return count;
    };
    while ((await repeatOnDeadlock(() => inBatch(ctx.db, taken, batch))) > 0);
  };
  if (taken.about === "completions") await each((scoped, tx) => undoCompletions(scoped, tx, taken));
  else {
    await each((scoped, tx) => restorePeople(scoped, tx, taken, "people_import_leavers", BATCH));
    await each((scoped, tx) => restorePeople(scoped, tx, taken, "people_import_rows", BATCH));
    await each((_, tx) => deletePeople(tx, taken));
  }
  await inBatch(ctx.db, taken, async (tx) => {
    if (taken.about === "people") await restoreManagers(tx, taken);
    await setImport(tx, taken.id, { state: "undone", undoneAt: new Date().toISOString(), leasedUntil: null });
    await record(tx, ctx, { action: "imports.undone", companyId: taken.companyId });
  });
}

/** Deletes people whom the import created. Their invitations go with them. */
async function deletePeople(tx: Tx, { id, companyId }: ImportRecord) {
  const next = await tx
    .selectFrom("peopleImportRows")
    .where("importId", "=", id)
    .where("appliedAt", "is not", null)
    .where("before", "is", null)
    .where("undone", "is", null)
    .orderBy("number", "desc")
    .limit(BATCH)
    .select(["number", "userId"])
    .execute();
  // Who accepts an invitation now waits until the person is deleted or stays.
  await lockLearners(
    tx,
    companyId,
    next.flatMap(({ userId }) => userId ?? []),
  );
  const { rows } = await sql<{ number: number; userId: string | null; acted: boolean; changed: boolean }>`
    select number, user_id, coalesce(${hasActed}, false) as acted, coalesce(${isChanged}, false) as changed
    from people_import_rows
    left join users on users.id = people_import_rows.user_id
    where import_id = ${id}
      and number = any(${next.map(({ number }) => number)}::integer[])
      and undone is null
    for update of people_import_rows`.execute(tx);
  const mark = (undone: "acted" | "changed" | "restored", of: typeof rows) =>
    markUndone(tx, id, undone, sql`number = any(${of.map(({ number }) => number)}::integer[])`);
  const acted = rows.filter((row) => row.acted);
  const changed = rows.filter((row) => row.changed && !row.acted);
  const gone = rows.filter((row) => !row.acted && !row.changed);
  await mark("acted", acted);
  await mark("changed", changed);
  await mark("restored", gone);
  const ids = gone.flatMap(({ userId }) => userId ?? []);
  await sql`
    delete from users
    where id = any(${ids}::uuid[])`.execute(tx);
  return rows.length;
}

const markUndone = (tx: Tx, id: string, undone: string, which: RawBuilder<unknown>) =>
  sql`
    update people_import_rows
    set undone = ${undone}
    where import_id = ${id}
      and ${which}`.execute(tx);
