import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { reactionsOf } from "#server/player/completionReactions.ts";
import { reopenAttempt } from "#server/player/outcomes.ts";
import { closeCycles } from "#server/requirements/cycles.ts";
import type { ExternalBefore } from "#shared/completions/completionBefore.ts";
import type { User } from "#shared/core/users.ts";

// Taking completions from elsewhere back

/** `acted`: the person has opened the course since; `changed`: an admin or the rules have changed it. */
export type ExternalUndo = "restored" | "acted" | "changed";

/** A row of `external_completions`. */
export type StoredExternal = {
  id: string;
  personId: string;
  courseId: string | null;
  attemptId: string | null;
  before: ExternalBefore | null;
  endedAt: string | null;
};

/** Takes a completion back, its course locked, unless something has happened since. */
export async function removeExternal(ctx: Ctx<User>, tx: Tx, stored: StoredExternal): Promise<ExternalUndo> {
  if (stored.before !== null) {
    const kept = await restoreEnrolment(ctx, tx, stored, stored.before);
    if (kept) return kept;
  }
  await tx.deleteFrom("externalCompletions").where("id", "=", stored.id).execute();
  return "restored";
}

/** Null if the enrolment is as before. */
async function restoreEnrolment(ctx: Ctx<User>, tx: Tx, stored: StoredExternal, before: ExternalBefore) {
  const { attemptId, endedAt } = stored;
  if (attemptId === null || endedAt !== null) return "changed";
  const attempt = await tx
    .selectFrom("attempts")
    .where("id", "=", attemptId)
    .forNoKeyUpdate()
    .select(["enrolmentId", "rev", "no"])
    .executeTakeFirst();
  if (!attempt?.enrolmentId) return "changed";
  const { enrolmentId, rev, no } = attempt;
  const { isActed, isDecided } = await readSince(tx, { enrolmentId, no, externalId: stored.id });
  if (isActed) return "acted";
  if (isDecided) return "changed";
  // A completion that is no longer valid has opened the course again.
  await closeCycles(tx, sql`enrolments.id = ${enrolmentId}`);
  const enrolment = await tx
    .selectFrom("enrolments")
    .where("id", "=", enrolmentId)
    .forNoKeyUpdate()
    .select(["cycle", "status"])
    .executeTakeFirst();
  if (enrolment?.cycle !== before.cycle || enrolment.status !== "completed") return "changed";
  const completion = await reopenAttempt(tx, { attemptId, rev });
  if (!completion) return "changed";
  await reactionsOf(ctx).runWithdrawn(tx, completion);
  const { happenedAt } = before;
  await tx
    .updateTable("enrolments")
    .set({ ...before.enrolment, happenedAt })
    .where("id", "=", enrolmentId)
    .execute();
  await tx.deleteFrom("attempts").where("id", "=", attemptId).execute();
  if (before.isNew) await leave(tx, enrolmentId);
  return null;
}

/** What has happened to an enrolment since a completion from elsewhere was stored. */
async function readSince(
  tx: Tx,
  { enrolmentId, no, externalId }: { enrolmentId: string; no: number; externalId: string },
) {
  const { rows } = await sql<{ isActed: boolean; isDecided: boolean }>`
    select
      exists (
        select from sessions
        join attempts on attempts.id = sessions.attempt_id
        where attempts.enrolment_id = ${enrolmentId}
          and attempts.no >= ${no}
      ) as is_acted,
      exists (
        select from completion_decisions
        where completion_decisions.enrolment_id = ${enrolmentId}
          and completion_decisions.made_at >= external_completions.created_at
          and completion_decisions.undone_at is null
      ) as is_decided
    from external_completions
    where id = ${externalId}`.execute(tx);
  return rows[0] ?? { isActed: false, isDecided: true };
}

/** Ends the enrolment that a completion has made; for another reason, it stays since the day of that reason. */
async function leave(tx: Tx, enrolmentId: string) {
  const { since } = await tx
    .selectFrom("enrolmentReasons")
    .where("enrolmentId", "=", enrolmentId)
    // A server of the version before called it `import`.
    .where("kind", "not in", ["elsewhere", "import"])
    .select((e) => e.fn.min("since").as("since"))
    .executeTakeFirstOrThrow();
  if (since === null) await tx.deleteFrom("enrolments").where("id", "=", enrolmentId).execute();
  else await tx.updateTable("enrolments").set({ assignedAt: since }).where("id", "=", enrolmentId).execute();
}
