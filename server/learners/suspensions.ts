import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { endSessions } from "#server/auth/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import { claimUndoStep, createUndoStep } from "#server/courses/undo.ts";
import { listSelectedLearners, USER_SCOPE } from "#server/learners/learnerRows.ts";
import type { LearnerSelection } from "#shared/learners/learners.ts";
import type { User } from "#shared/core/users.ts";

/** SQL: the status of a person in `users` once a suspension has ended: invited if they have no sign-in method yet. */
export const statusBeforeSuspension = sql<"active" | "invited">`case
  when exists (select from auth_accounts where user_id = users.id) then 'active'
  else 'invited'
end`;

/** Suspends learners; their login and course sessions end immediately. */
export async function suspendLearners(ctx: Ctx<User>, selection: LearnerSelection, reason: string) {
  return inTransaction(ctx.db, async (tx) => {
    const undoId = await createUndoStep(tx, ctx.user);
    const ids = await listSelectedLearners({ ...ctx, db: tx }, selection);
    const updated = await tx
      .updateTable("users")
      .set((e) => ({
        status: "suspended",
        suspendedAt: sql<string>`now()`,
        suspendedReason: reason,
        version: e("version", "+", 1),
      }))
      .where(isOneOf("id", ids))
      .where("role", "=", "learner")
      .where(inScope(ctx.user, USER_SCOPE))
      .where("status", "!=", "suspended")
      .returning("id")
      .execute();
    const people = updated.map(({ id }) => id);
    await sql`
      insert into undo_suspensions (step_id, user_id, suspended_at)
      select ${undoId}, unnest(${people}::uuid[]), now()`.execute(tx);
    await endSessions(tx, people);
    await record(tx, ctx, { action: "learners.suspend", people });
    return { changed: people.length, undoId };
  });
}

/** Reactivates suspended learners. */
export async function reactivateLearners(ctx: Ctx<User>, selection: LearnerSelection) {
  return inTransaction(ctx.db, async (tx) => {
    const ids = await listSelectedLearners({ ...ctx, db: tx }, selection);
    return reactivate(tx, ctx, ids);
  });
}

/**
 * Reactivates the learners whom a step suspended, except those who have been reactivated meanwhile, and perhaps
 * suspended again.
 */
export async function undoSuspension(ctx: Ctx<User>, stepId: string) {
  return inTransaction(ctx.db, async (tx) => {
    await claimUndoStep(tx, ctx.user, stepId);
    const { rows } = await sql<{ id: string }>`
      select users.id
      from undo_suspensions
      join users
        on users.id = undo_suspensions.user_id
        and users.suspended_at = undo_suspensions.suspended_at
      where step_id = ${stepId}
        and ${inScope(ctx.user, USER_SCOPE)}`.execute(tx);
    return reactivate(
      tx,
      ctx,
      rows.map(({ id }) => id),
    );
  });
}

async function reactivate(tx: Tx, ctx: Ctx<User>, ids: string[]) {
  const updated = await tx
    .updateTable("users")
    .set((e) => ({
      status: statusBeforeSuspension,
      suspendedAt: null,
      suspendedReason: "",
      version: e("version", "+", 1),
    }))
    .where(isOneOf("id", ids))
    .where("role", "=", "learner")
    .where(inScope(ctx.user, USER_SCOPE))
    .where("status", "=", "suspended")
    .returning("id")
    .execute();
  await record(tx, ctx, { action: "learners.reactivate", people: updated.map(({ id }) => id) });
  return { changed: updated.length };
}
