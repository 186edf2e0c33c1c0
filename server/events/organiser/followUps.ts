import { sql } from "kysely";
import { enrolLearner } from "#server/courses/enrolments.ts";
import { withReason } from "#server/courses/reasons.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { record } from "#server/events/registrations/registrationLog.ts";
import { findEvent } from "#server/events/eventChanges.ts";
import { inviteLearners } from "#server/learners/invitations.ts";
import type { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

// How guests become learners.

/** Invites confirmed guests to join a company as learners. Guests who have an account are skipped and counted. */
export async function inviteGuests(
  ctx: Ctx<User>,
  eventId: string,
  { ids, companyId }: BodyOf<typeof eventRegistrations.invite>,
) {
  await findEvent(ctx, eventId);
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
 * Links the registrations of an email address to its account, in the transaction that verifies the address. A job
 * catches up on addresses that were verified otherwise.
 */
export async function attachRegistrations(tx: Tx, user: { id: string; email: string }) {
  const updated = await tx
    .updateTable("eventRegistrations")
    .set({ userId: user.id })
    .where(sql`lower(email)`, "=", user.email.toLowerCase())
    .where("userId", "is", null)
    .where("purgedAt", "is", null)
    .executeTakeFirst();
  await enrolAttendees(tx, user.id);
  return Number(updated.numUpdatedRows);
}

/** Links registrations to all accounts with a verified email address. */
export const attachAllRegistrations = async (tx: Tx) => {
  const { numAffectedRows } = await sql`
    update event_registrations registrations
    set user_id = users.id
    from users
    where registrations.user_id is null
      and registrations.purged_at is null
      and registrations.email <> ''
      and users.email_verified
      and lower(users.email) = lower(registrations.email)`.execute(tx);
  return Number(numAffectedRows ?? 0);
};

/** Enrols attendees of past events in the follow-up course, once they are learners of its company. */
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
    const enrol = () => enrolLearner(tx, learner, companyId as string, courseId as string);
    if (await withReason(tx, "event", enrol)) enrolled++;
    await tx
      .updateTable("eventRegistrations")
      .set({ followedUpAt: new Date().toISOString() })
      .where("id", "=", id)
      .execute();
    await record(tx, [id], "enrolled", "system");
  }
  return enrolled;
}

export const followUpGuests = ({ db }: Pick<Ctx, "db">) =>
  inTransaction(db, async (tx) => ({ attached: await attachAllRegistrations(tx), enrolled: await enrolAttendees(tx) }));
