import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";

/**
 * Ends the open course sessions of these people or enrolments. Events that are not stored yet stay in the browser and
 * are sent at the next launch. Attempts are changed first, as in a commit (commitWriter.ts), to lock in the same order,
 * and so that a running commit finds a new revision.
 */
export async function endCourseSessions(db: Db, column: "userId" | "enrolmentId", ids: string[]) {
  if (ids.length === 0) return;
  const matches = isOneOf(`attempts.${column}`, ids);
  await db
    .updateTable("attempts")
    .set((e) => ({ rev: e("rev", "+", 1) }))
    .where(matches)
    .execute();
  await db
    .updateTable("sessions")
    .from("attempts")
    .set({ endedAt: new Date().toISOString(), endReason: "revoked" })
    .whereRef("attempts.id", "=", "sessions.attemptId")
    .where(matches)
    .where("endedAt", "is", null)
    .execute();
}
