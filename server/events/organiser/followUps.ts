import { sql } from "kysely";
import { enrolLearner } from "#server/courses/enrolments.ts";
import { inTransaction, type Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { record } from "#server/events/registrations/registrationLog.ts";
import { findEvent } from "#server/events/service.ts";
import { inviteLearners } from "#server/learners/invitations.ts";
import type { User } from "#shared/users.ts";

// From guest to learner

/** Invites confirmed guests into a company. Who is a learner already, or belongs elsewhere, is counted and left alone. */
export async function inviteGuests(
  ctx: Ctx<User>,
  eventId: string,
  { ids, companyId }: { ids: string[]; companyId: string },
) {
  await findEvent(ctx.db, eventId);
  const guests = await ctx.db
    .selectFrom("eventRegistrations")
    .where("eventId", "=", eventId)
    .where("id", "in", ids)
    .where("state", "=", "confirmed")
    .where("purgedAt", "is", null)
    .select(["id", "email", "name"])
    .execute();
  if (guests.length === 0) return { invited: 0, already: 0 };
  const { outcomes } = await inviteLearners(ctx, {
    companyId,
    courseIds: [],
    people: guests.map(({ email, name }) => ({ email, name })),
  });
  const invited = new Set(outcomes.filter(({ outcome }) => outcome !== "skipped").map(({ email }) => email));
  await record(
    ctx.db,
    guests.filter(({ email }) => invited.has(email)).map(({ id }) => id),
    "invited",
    { userId: ctx.user.id },
  );
  return { invited: invited.size, already: outcomes.length - invited.size };
}

/**
 * Attaches registrations of an address to the account whose mailbox it is. To be called when that is proven, in the same
 * transaction; a job does it for those that were proven in another way.
 */
export async function attachRegistrations(tx: Tx, user: { id: string; email: string }) {
  const done = await tx
    .updateTable("eventRegistrations")
    .set({ userId: user.id })
    .where(sql`lower(email)`, "=", user.email.toLowerCase())
    .where("userId", "is", null)
    .where("purgedAt", "is", null)
    .executeTakeFirst();
  await enrolAttendees(tx, user.id);
  return Number(done.numUpdatedRows);
}

/** The same for every account with a proven mailbox. */
export const attachAll = async (tx: Tx) => {
  const done =
    await sql`update event_registrations r set user_id = u.id from users u where r.user_id is null and r.purged_at is null and r.email <> '' and u.email_verified and lower(u.email) = lower(r.email)`.execute(
      tx,
    );
  return Number(done.numAffectedRows ?? 0);
};

/** Attendees of events that are over get the course that follows, once they are learners of the company that pays for it. */
export async function enrolAttendees(tx: Tx, userId?: string) {
  let due = tx
    .selectFrom("eventRegistrations")
    .innerJoin("events", "events.id", "eventRegistrations.eventId")
    .innerJoin("users", "users.id", "eventRegistrations.userId")
    .where("attendedAt", "is not", null)
    .where("followedUpAt", "is", null)
    .where("events.endsAt", "<", sql<string>`now()`)
    .where("events.followUpCourseId", "is not", null)
    .whereRef("users.companyId", "=", "events.followUpCompanyId")
    .where("users.role", "=", "learner");
  if (userId) due = due.where("users.id", "=", userId);
  const rows = await due
    .select([
      "eventRegistrations.id",
      "users.id as userId",
      "events.followUpCompanyId as companyId",
      "events.followUpCourseId as courseId",
    ])
    .limit(500)
    .forUpdate("eventRegistrations")
    .skipLocked()
    .execute();
  let enrolled = 0;
  for (const { id, userId: learner, companyId, courseId } of rows) {
    if (await enrolLearner(tx, learner, companyId as string, courseId as string)) enrolled++;
    await tx
      .updateTable("eventRegistrations")
      .set({ followedUpAt: new Date().toISOString() })
      .where("id", "=", id)
      .execute();
    await record(tx, [id], "enrolled", "system");
  }
  return enrolled;
}

export const followUp = ({ db }: Pick<Ctx, "db">) =>
  inTransaction(db, async (tx) => ({ attached: await attachAll(tx), enrolled: await enrolAttendees(tx) }));
