import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { inScope } from "#server/core/scope.ts";
import { endCourseSessions } from "#server/courses/courseSessions.ts";
import { ENROLMENT_SCOPE } from "#server/courses/enrolments.ts";
import type { User } from "#shared/users.ts";

/** Withdraws a course from learners who have not completed it. Progress and history are kept and restored by a new assignment. */
export async function withdrawLearners(ctx: Ctx<User>, courseId: string, userIds: string[]) {
  return inTransaction(ctx.db, async (tx) => {
    const enrolments = await tx
      .selectFrom("enrolments")
      .where("courseId", "=", courseId)
      .where("userId", "in", userIds)
      .where(inScope(ctx.user, ENROLMENT_SCOPE))
      .select("id")
      .execute();
    const changed = await withdrawEnrolments(tx, enrolments);
    await record(tx, ctx, {
      action: "courses.withdraw",
      courseId,
      people: changed.flatMap(({ userId }) => userId ?? []),
    });
    return { changed: changed.length };
  });
}

/** Withdraws those of the enrolments that are not completed, and ends their course sessions. Returns whose they were. */
export async function withdrawEnrolments(tx: Tx, enrolments: { id: string }[]) {
  const ids = enrolments.map(({ id }) => id);
  const isWithdrawable = sql<boolean>`enrolments.id = any(${ids}::uuid[]) and enrolments.status in ('assigned', 'in_progress', 'failed')`;
  // Sessions first: commits lock an attempt before its enrolment.
  const open = await tx.selectFrom("enrolments").where(isWithdrawable).select("id").execute();
  await endCourseSessions(
    tx,
    "enrolmentId",
    open.map(({ id }) => id),
  );
  return tx.updateTable("enrolments").set({ status: "withdrawn" }).where(isWithdrawable).returning("userId").execute();
}
