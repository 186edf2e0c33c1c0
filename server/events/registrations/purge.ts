import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import type { Services } from "#server/core/services.ts";
import { record } from "#server/events/registrations/registrationLog.ts";
import { withLockedEvent } from "#server/events/registrations/offers.ts";
import { deleteRegistrationMails } from "#server/mails/service.ts";

/** Overwrites all personal data of a registration; state, attendance and times stay for the statistics of the event. */
const ERASED_COLUMNS = {
  name: "",
  email: "",
  company: "",
  answers: "{}",
  userId: null,
  timezone: "UTC",
  marketingOptIn: false,
  manageTokenHash: null,
  emailVerifiedAt: null,
} as const;

type DueCondition = (e: ExpressionBuilder<DB, "eventRegistrations" | "events">) => Expression<SqlBool>;

/**
 * Deletes the personal data of due registrations and their emails. Locks one event at a time, so that no registration
 * changes meanwhile.
 */
async function purge(
  { db }: Services,
  isDue: DueCondition,
  action: "purged" | "expired",
  extra: { state?: "expired" } = {},
) {
  const due = (tx: Db) =>
    tx
      .selectFrom("eventRegistrations")
      .innerJoin("events", "events.id", "eventRegistrations.eventId")
      .where("purgedAt", "is", null)
      .where(isDue);
  let purged = 0;
  for (const { id: eventId } of await due(db).select("events.id").distinct().execute()) {
    purged += await withLockedEvent(db, eventId, async (tx) => {
      const ids = (await due(tx).where("events.id", "=", eventId).select("eventRegistrations.id").execute()).map(
        ({ id }) => id,
      );
      if (ids.length === 0) return 0;
      await deleteRegistrationMails(tx, ids);
      await tx.updateTable("eventRegistrationLog").set({ detail: "" }).where("registrationId", "in", ids).execute();
      await tx
        .updateTable("eventRegistrations")
        .set((e) => ({
          ...ERASED_COLUMNS,
          ...extra,
          purgedAt: new Date().toISOString(),
          version: e("version", "+", 1),
        }))
        .where("id", "in", ids)
        .execute();
      await record(tx, ids, action, "system");
      return ids.length;
    });
  }
  return purged;
}

/** Purges registrations whose event ended longer ago than its retention period. */
export const purgeRegistrations = (services: Services) =>
  purge(services, () => sql<boolean>`events.ends_at + make_interval(days => events.retention_days) < now()`, "purged");

/** Purges email addresses that were not confirmed in time: they may belong to someone else. */
export const purgeUnconfirmed = (services: Services) =>
  purge(
    services,
    (e) =>
      e.and([
        e("eventRegistrations.state", "=", "pending_email"),
        e("eventRegistrations.confirmUntil", "<", sql<string>`now()`),
      ]),
    "expired",
    { state: "expired" },
  );

/** Deletes answers to questions, of any form version, with a shorter retention period than the event. */
export async function purgeAnswers({ db }: Services) {
  const { numAffectedRows } = await sql`
    with due as (
      select
        versions.event_id,
        array_agg(distinct question ->> 'id') as question_ids
      from event_question_versions versions
      join events on events.id = versions.event_id
      cross join jsonb_array_elements(versions.questions) question
      where jsonb_typeof(question -> 'retentionDays') = 'number'
        and events.ends_at + make_interval(days => (question ->> 'retentionDays')::int) < now()
      group by versions.event_id
    )
    update event_registrations registrations
    set answers = registrations.answers - due.question_ids
    from due
    where due.event_id = registrations.event_id
      and registrations.answers ?| due.question_ids`.execute(db);
  return Number(numAffectedRows ?? 0);
}
