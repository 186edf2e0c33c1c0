import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { endCourseSessions } from "#server/courses/courseSessions.ts";
import { storeEnrolments } from "#server/courses/undo.ts";

/**
 * Withdraws the enrolments that are not completed and were not before the course opened again, and ends their course
 * sessions. Stores them under the undo step. Returns their learners.
 */
export async function withdrawEnrolments(tx: Tx, undoId: string, enrolmentIds: string[]) {
  const isWithdrawable = sql<boolean>`${isOneOf("enrolments.id", enrolmentIds)}
    and enrolments.status in ('assigned', 'in_progress', 'failed')
    and enrolments.first_attempt = 1`;
  const open = await tx.selectFrom("enrolments").where(isWithdrawable).select("id").execute();
  const ids = open.map(({ id }) => id);
  // Sessions first: commits lock an attempt before its enrolment.
  await endCourseSessions(tx, "enrolmentId", ids);
  await storeEnrolments(tx, undoId, ids);
  return tx.updateTable("enrolments").set({ status: "withdrawn" }).where(isWithdrawable).returning("userId").execute();
}
