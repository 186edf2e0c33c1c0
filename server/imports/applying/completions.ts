import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { addExternal, lockCourses } from "#server/completions/external.ts";
import { removeExternal, type StoredExternal } from "#server/completions/externalUndo.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { type JudgedCompletion, judgeCompletions, toExternal } from "#server/imports/checking/judgeCompletions.ts";
import type { ImportRecord } from "#server/imports/lease.ts";
import type { User } from "#shared/core/users.ts";

/** Rows per transaction. */
const BATCH = 50;

const keyOf = ({ personId, courseId }: { personId: string; courseId: string | null }) => `${personId} ${courseId}`;

/**
 * Stores the next completions of a file, the latest first, because only the latest one completes a course. They are
 * judged again, because people and courses may have changed since the check. Returns how many rows were done.
 */
export async function applyCompletions(ctx: Ctx<User>, tx: Tx, taken: ImportRecord): Promise<number> {
  const next = await tx
    .selectFrom("peopleImportRows")
    .where("importId", "=", taken.id)
    .where("outcome", "=", "create")
    .where("appliedAt", "is", null)
    .orderBy(sql`said->>'completedOn'`, "desc")
    .orderBy("number")
    .limit(BATCH)
    .select(["number", "userId"])
    .execute();
  if (next.length === 0) return 0;
  const numbers = next.map(({ number }) => number);
  const isAccepted = ({ outcome }: JudgedCompletion) => outcome === "create";
  const seen = (await judgeCompletions(tx, taken, numbers)).filter(isAccepted).map(toExternal);
  await lockCourses(tx, seen);
  // People may have changed until they were locked. Who is not locked now is left to the next batch.
  const locked = new Set(seen.map(keyOf));
  const accepted = (await judgeCompletions(tx, taken, numbers))
    .filter(isAccepted)
    .map(toExternal)
    .filter((completion) => locked.has(keyOf(completion)));
  accepted.sort((a, b) => b.completedOn.localeCompare(a.completedOn) || a.row - b.row);
  const { id: importId, companyId, fileName } = taken;
  await addExternal(tx, { companyId, importId, fileName, actorId: ctx.user.id }, accepted);
  await sql`
    update people_import_rows
    set applied_at = now()
    where import_id = ${importId}
      and number = any(${accepted.map(({ row }) => row)}::integer[])`.execute(tx);
  const people = [...new Set(accepted.map(({ personId }) => personId))];
  if (people.length > 0) await record(tx, ctx, { action: "imports.addCompletions", people, companyId });
  return next.length;
}

/** Takes the next completions of an import back, the earliest first. Returns how many rows were done. */
export async function undoCompletions(ctx: Ctx<User>, tx: Tx, taken: ImportRecord): Promise<number> {
  const { rows: next } = await sql<{ number: number }>`
    select number
    from people_import_rows
    where import_id = ${taken.id}
      and applied_at is not null
      and undone is null
    order by said->>'completedOn', number desc
    limit ${BATCH}`.execute(tx);
  if (next.length === 0) return 0;
  const numbers = next.map(({ number }) => number);
  const stored = await tx
    .selectFrom("externalCompletions")
    .where("importId", "=", taken.id)
    .where("rowNumber", "in", numbers)
    .orderBy("completedOn")
    .orderBy("rowNumber", "desc")
    .select(["id", "personId", "courseId", "attemptId", "before", "endedAt"])
    .select(sql<number>`row_number`.as("rowNumber"))
    .execute();
  await lockCourses(tx, stored);
  const undone = new Map<number, string>();
  for (const one of stored) undone.set(one.rowNumber, await removeExternal(ctx, tx, one as StoredExternal));
  const restored = stored.filter(({ rowNumber }) => undone.get(rowNumber) === "restored");
  const people = [...new Set(restored.map(({ personId }) => personId))];
  if (people.length > 0)
    await record(tx, ctx, { action: "imports.removeCompletions", people, companyId: taken.companyId });
  await sql`
    update people_import_rows
    set undone = done.undone
    from unnest(
      ${numbers}::integer[],
      ${numbers.map((number) => undone.get(number) ?? "restored")}::text[]
    ) done (number, undone)
    where people_import_rows.import_id = ${taken.id}
      and people_import_rows.number = done.number`.execute(tx);
  return next.length;
}
