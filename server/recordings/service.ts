import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isRecordingOpen, mayRecord } from "#server/recordings/permission.ts";
import type { User } from "#shared/core/users.ts";

/** Starts the recording of a session that is being opened, if it may be recorded. Returns whether it may. */
export async function openRecording(tx: Tx, sessionId: string) {
  // A session that is opened again starts a new recording.
  await tx.deleteFrom("recordings").where("sessionId", "=", sessionId).execute();
  const isAllowed = sql.raw(mayRecord("sessions.user_id", "sessions.company_id", "attempts.course_id"));
  const { rows } = await sql`
    insert into recordings (session_id, user_id, company_id)
    select sessions.id, sessions.user_id, sessions.company_id
    from sessions
    join attempts on attempts.id = sessions.attempt_id
    where sessions.id = ${sessionId}
      and not attempts.preview
      and ${isAllowed}
    returning session_id`.execute(tx);
  return rows.length > 0;
}

/** Deletes all recordings of a person who has withdrawn the consent, and stops open players from recording. */
export async function removeRecordingsOf(db: Db, userId: string) {
  await db.deleteFrom("recordings").where("userId", "=", userId).execute();
  await announceChange(db, { domain: "recordings", userId });
}

/** Makes the recording players of a company check whether they may still record. */
export async function announceToRecorded(db: Db, companyId: string) {
  const open = await db
    .selectFrom("recordings")
    .innerJoin("sessions", "sessions.id", "recordings.sessionId")
    .where("recordings.companyId", "=", companyId)
    .where("sessions.endedAt", "is", null)
    .select("recordings.userId")
    .distinct()
    .execute();
  for (const { userId } of open) await announceChange(db, { domain: "recordings", userId });
}

/** Whether the page of a session of the user may be recorded now. */
export async function readRecordingState({ db, user }: Ctx<User>, sessionId: string) {
  await db
    .selectFrom("sessions")
    .where("id", "=", sessionId)
    .where(inScope(user, { company: "sessions.companyId", person: "sessions.userId" }))
    .select("id")
    .executeTakeFirstOrThrow(notFound);
  return { recording: await isRecordingOpen(db, sessionId) };
}

const findCompany = ({ db, user }: Ctx<User>, id: string) =>
  db
    .selectFrom("companies")
    .where("id", "=", id)
    .where(inScope(user, { company: "companies.id" }))
    .select("id")
    .executeTakeFirstOrThrow(notFound);

/** The extent of the stored recordings of a company. */
export async function readStoredRecordings(ctx: Ctx<User>, companyId: string) {
  await findCompany(ctx, companyId);
  return ctx.db
    .selectFrom("recordings")
    .where("companyId", "=", companyId)
    .where("chunks", ">", 0)
    .where(inScope(ctx.user, { company: "recordings.companyId" }))
    .select([
      sql<number>`count(*)::int`.as("sessions"),
      sql<number>`count(distinct user_id)::int`.as("learners"),
      sql<number>`coalesce(sum(bytes), 0)::float8`.as("bytes"),
      sql<string | null>`min(started_at)`.as("oldest"),
    ])
    .executeTakeFirstOrThrow();
}

/** Deletes all recordings of a company and ends running ones. */
export async function removeCompanyRecordings(ctx: Ctx<User>, companyId: string) {
  await findCompany(ctx, companyId);
  return inTransaction(ctx.db, async (tx) => {
    await announceToRecorded(tx, companyId);
    const removed = await tx
      .deleteFrom("recordings")
      .where("companyId", "=", companyId)
      .where(inScope(ctx.user, { company: "recordings.companyId" }))
      .returning("chunks")
      .execute();
    const count = removed.filter(({ chunks }) => chunks > 0).length;
    await record(tx, ctx, { action: "recordings.remove", companyId, details: { recordings: count } });
    return { removed: count };
  });
}
