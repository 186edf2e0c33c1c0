import { record } from "#server/audit/service.ts";
import { countFreeSeats } from "#server/auth/account/companySeats.ts";
import { repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Services } from "#server/core/services.ts";
import { asOrderer } from "#server/imports/applying/actor.ts";
import { applyCompletions } from "#server/imports/applying/completions.ts";
import { createPeople } from "#server/imports/applying/createPeople.ts";
import { applyManagers } from "#server/imports/applying/managers.ts";
import { rejectRows } from "#server/imports/applying/rejectRows.ts";
import { updatePeople } from "#server/imports/applying/updatePeople.ts";
import { suspendLeavers } from "#server/imports/applying/suspendLeavers.ts";
import { judgeRows } from "#server/imports/checking/judgeRows.ts";
import { type ImportRecord, inBatch, setImport } from "#server/imports/lease.ts";
import type { User } from "#shared/core/users.ts";

/** Rows per transaction, which also sends their invitations. */
const BATCH = 100;

/**
 * Imports the accepted rows in batches, then suspends leavers. The changes of a batch and its progress are committed
 * together; a server that takes over continues with the first row that is not done.
 */
export async function applyRows(services: Services, taken: ImportRecord) {
  const ctx = await asOrderer(services, taken, "imports.apply");
  if (taken.about === "people") await applyPeople(ctx, taken);
  else
    while (
      await repeatOnDeadlock(() => inBatch(ctx.db, taken, (tx) => applyCompletionBatch({ ...ctx, db: tx }, tx, taken)))
    );
  await inBatch(ctx.db, taken, (tx) =>
    setImport(tx, taken.id, {
      state: "applied",
      appliedAt: new Date().toISOString(),
      tries: 0,
      leasedUntil: null,
    }),
  );
}

async function applyPeople(ctx: Ctx<User>, taken: ImportRecord) {
  while (await inBatch(ctx.db, taken, (tx) => applyBatch({ ...ctx, db: tx }, tx, taken)));
  await inBatch(ctx.db, taken, (tx) => applyManagers(ctx, tx, taken));
  while (await inBatch(ctx.db, taken, (tx) => suspendLeavers({ ...ctx, db: tx }, tx, taken, BATCH)));
}

async function applyCompletionBatch(ctx: Ctx<User>, tx: Tx, taken: ImportRecord) {
  const count = await applyCompletions(ctx, tx, taken);
  await addDone(tx, taken.id, count);
  return count > 0;
}

const addDone = (tx: Tx, id: string, count: number) =>
  tx
    .updateTable("peopleImports")
    .set((e) => ({ done: e("done", "+", count) }))
    .where("id", "=", id)
    .execute();

/** Returns whether there were rows. They are judged again, because people may have changed since the check. */
async function applyBatch(ctx: Ctx<User>, tx: Tx, taken: ImportRecord) {
  const company = await tx
    .selectFrom("companies")
    .where("id", "=", taken.companyId)
    .select(["id", "learnerLimit"])
    .forUpdate()
    .executeTakeFirstOrThrow();
  const rows = await tx
    .selectFrom("peopleImportRows")
    .where("importId", "=", taken.id)
    .where("outcome", "in", ["create", "update"])
    .where("appliedAt", "is", null)
    .orderBy("number")
    .limit(BATCH)
    .select("number")
    .execute();
  if (rows.length === 0) return false;
  const judged = await judgeRows(
    tx,
    taken,
    rows.map(({ number }) => number),
  );
  const free = await countFreeSeats(tx, company);
  const created = judged.filter(({ outcome }) => outcome === "create");
  const seated = created.slice(0, Math.max(0, free));
  await rejectRows(
    tx,
    taken.id,
    created.slice(seated.length).map(({ number }) => number),
    { field: null, code: "full" },
  );
  const people = await createPeople(ctx, tx, taken, seated);
  await record(tx, ctx, { action: "imports.createPerson", people, companyId: taken.companyId });
  await updatePeople(
    ctx,
    tx,
    taken,
    judged.filter(({ outcome }) => outcome === "update"),
  );
  await addDone(tx, taken.id, rows.length);
  return true;
}
