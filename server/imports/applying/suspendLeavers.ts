import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { endSessions } from "#server/auth/service.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { storeAfter, storeBefore } from "#server/imports/applying/before.ts";
import type { ImportRecord } from "#server/imports/lease.ts";
import texts from "#shared/locales/en/imports.json" with { type: "json" };
import { fillText } from "#shared/variables/templates.ts";
import type { User } from "#shared/core/users.ts";

/** Suspends the next leavers. Returns whether there were any. */
export async function suspendLeavers(ctx: Ctx<User>, tx: Tx, file: ImportRecord, limit: number) {
  const leavers = await tx
    .selectFrom("peopleImportLeavers")
    .where("importId", "=", file.id)
    .where("appliedAt", "is", null)
    .orderBy("userId")
    .limit(limit)
    .select("userId")
    .execute();
  if (leavers.length === 0) return false;
  const ids = leavers.map(({ userId }) => userId);
  await storeBefore(tx, "people_import_leavers", file.id, ids);
  const { rows } = await sql<{ id: string }>`
    update users
    set status = 'suspended',
      suspended_at = now(),
      suspended_reason = ${fillText(texts.missing, { name: file.fileName }).slice(0, 300)},
      version = version + 1
    where id = any(${ids}::uuid[])
      and role = 'learner'
      and company_id = ${file.companyId}
      and status <> 'suspended'
    returning id`.execute(tx);
  const suspended = rows.map(({ id }) => id);
  await endSessions(tx, suspended);
  await storeAfter(tx, "people_import_leavers", file.id, ids);
  await record(tx, ctx, { action: "learners.suspend", people: suspended, companyId: file.companyId });
  await tx
    .updateTable("peopleImports")
    .set((e) => ({ done: e("done", "+", ids.length) }))
    .where("id", "=", file.id)
    .execute();
  return true;
}
