import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { filterEnrolments, findSearched } from "#server/courses/enrolments.ts";
import { createUndoStep, storeEnrolments } from "#server/courses/undo.ts";
import { withdrawEnrolments } from "#server/courses/withdrawals.ts";
import type { AuditAction, AuditDetails } from "#shared/audit/audit.ts";
import type { User } from "#shared/core/users.ts";
import type { EnrolmentSelection } from "#shared/courses/enrolments.ts";

// Changes of many enrolments in one course, each in one transaction and with one step to undo it

const OPEN_STATUSES = ["assigned", "in_progress", "failed"];
/** SQL: the status of a withdrawn enrolment that is assigned again. */
export const STATUS_BEFORE_WITHDRAWAL = sql<string>`case
  when completed_at is not null then 'completed'
  when first_started_at is null then 'assigned'
  else 'in_progress'
end`;

/**
 * Locks the selected enrolments in the scope of the user, in the order of their ids; their attempts first, as commits
 * do. Grouped commits lock several in another order, so a deadlock remains possible: callers repeat the transaction.
 */
async function lockChosen(tx: Tx, ctx: Ctx<User>, courseId: string, { userIds, filter }: EnrolmentSelection) {
  const scoped = { ...ctx, db: tx };
  const searched = await findSearched(scoped, filter?.q);
  const rows = filterEnrolments(scoped, { ...filter, courseId, withdrawn: true }, searched);
  const shown = userIds
    ? rows.where(isOneOf("enrolments.user_id", userIds))
    : rows.$if(!filter?.status, (all) => all.where("enrolments.status", "!=", "withdrawn"));
  const ids = shown.select("enrolments.id").orderBy("enrolments.id");
  const matchingIds = (await ids.execute()).map(({ id }) => id);
  await sql`
    select from attempts
    where ${isOneOf("enrolment_id", matchingIds)}
    order by id
    for no key update`.execute(tx);
  return ids.where(isOneOf("enrolments.id", matchingIds)).forUpdate("enrolments").execute();
}

const inRepeatedTransaction = <T>({ db }: Ctx<User>, work: (tx: Tx) => Promise<T>) =>
  repeatOnDeadlock(() => inTransaction(db, work));

type Change = { action: AuditAction; details?: AuditDetails; statuses: string[]; set: ReturnType<typeof sql> };

async function changeEnrolments(ctx: Ctx<User>, courseId: string, selection: EnrolmentSelection, change: Change) {
  return inRepeatedTransaction(ctx, async (tx) => {
    const undoId = await createUndoStep(tx, ctx.user);
    const chosen = await lockChosen(tx, ctx, courseId, selection);
    const selected = chosen.map(({ id }) => id);
    const { rows } = await sql<{ id: string }>`
      select id
      from enrolments
      where ${isOneOf("id", selected)}
        and status = any(${change.statuses}::text[])`.execute(tx);
    const ids = rows.map(({ id }) => id);
    await storeEnrolments(tx, undoId, ids);
    const { rows: changed } = await sql<{ userId: string }>`
      update enrolments
      set ${change.set}
      where ${isOneOf("id", ids)}
      returning user_id`.execute(tx);
    await record(tx, ctx, {
      action: change.action,
      courseId,
      people: changed.map(({ userId }) => userId),
      ...(change.details && { details: change.details }),
    });
    return { changed: changed.length, undoId };
  });
}

/**
 * Withdraws a course from learners who have not completed it. Progress and history are kept and restored by a new
 * assignment.
 */
export async function withdrawLearners(ctx: Ctx<User>, courseId: string, selection: EnrolmentSelection) {
  return inRepeatedTransaction(ctx, async (tx) => {
    const undoId = await createUndoStep(tx, ctx.user);
    const chosen = await lockChosen(tx, ctx, courseId, selection);
    const ids = chosen.map(({ id }) => id);
    const changed = await withdrawEnrolments(tx, undoId, ids);
    const people = changed.flatMap(({ userId }) => userId ?? []);
    await record(tx, ctx, { action: "courses.withdraw", courseId, people });
    return { changed: changed.length, undoId };
  });
}

/** Assigns a withdrawn course again; progress and due dates are as before. */
export const restoreLearners = (ctx: Ctx<User>, courseId: string, selection: EnrolmentSelection) =>
  changeEnrolments(ctx, courseId, selection, {
    action: "courses.restore",
    statuses: ["withdrawn"],
    set: sql`status = ${STATUS_BEFORE_WITHDRAWAL}, assigned_by = ${ctx.user.id}`,
  });

export const setDueDate = (
  ctx: Ctx<User>,
  courseId: string,
  { dueDate, ...selection }: EnrolmentSelection & { dueDate: string | null },
) =>
  changeEnrolments(ctx, courseId, selection, {
    action: "courses.due",
    details: { dueDate },
    statuses: [...OPEN_STATUSES, "completed"],
    set: sql`due_date = ${dueDate}::date`,
  });
