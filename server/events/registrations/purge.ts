import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import type { Db, Tx } from "#server/core/db.ts";
import type { DB } from "#server/core/db.types.ts";
import type { Services } from "#server/core/services.ts";
import { record } from "#server/events/registrations/registrationLog.ts";
import { withEvent } from "#server/events/registrations/offers.ts";
import { deleteRegistrationMails } from "#server/mails/service.ts";

/** What is left of a person: nothing; what is left of the registration: state, way and times, for the figures of the event. */
const FORGOTTEN = {
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

type Rule = (e: ExpressionBuilder<DB, "eventRegistrations" | "events">) => Expression<SqlBool>;

/** Forgets everybody whom the rule names, with the letters about them; event by event, so that nobody is confirmed meanwhile. */
async function forget({ db }: Services, rule: Rule, action: string, more: { state?: "expired" } = {}) {
  const due = (tx: Db | Tx) =>
    tx
      .selectFrom("eventRegistrations")
      .innerJoin("events", "events.id", "eventRegistrations.eventId")
      .where("purgedAt", "is", null)
      .where(rule);
  let done = 0;
  for (const { id: eventId } of await due(db).select("events.id").distinct().execute()) {
    done += await withEvent(db, eventId, async (tx) => {
      const ids = (await due(tx).where("events.id", "=", eventId).select("eventRegistrations.id").execute()).map(
        ({ id }) => id,
      );
      if (ids.length === 0) return 0;
      await deleteRegistrationMails(tx, ids);
      await tx.updateTable("eventRegistrationLog").set({ detail: "" }).where("registrationId", "in", ids).execute();
      await tx
        .updateTable("eventRegistrations")
        .set((e) => ({ ...FORGOTTEN, ...more, purgedAt: new Date().toISOString(), version: e("version", "+", 1) }))
        .where("id", "in", ids)
        .execute();
      await record(tx, ids, action, "system");
      return ids.length;
    });
  }
  return done;
}

/** Registrations of events that are over for as many days as they promised. */
export const purgeRegistrations = (services: Services) =>
  forget(services, () => sql<boolean>`events.ends_at + make_interval(days => events.retention_days) < now()`, "purged");

/** Addresses that nobody confirmed within a day: perhaps a stranger typed them. */
export const purgeUnconfirmed = (services: Services) =>
  forget(
    services,
    (e) =>
      e.and([
        e("eventRegistrations.state", "=", "pending_email"),
        e("eventRegistrations.confirmUntil", "<", sql<string>`now()`),
      ]),
    "expired",
    { state: "expired" },
  );

/** Answers to questions that keep them for fewer days than the event; the question of any version counts. */
export async function purgeAnswers({ db }: Services) {
  const { numAffectedRows } = await sql`
    with gone as (
      select v.event_id, array_agg(distinct q ->> 'id') as ids
      from event_question_versions v join events e on e.id = v.event_id, jsonb_array_elements(v.questions) q
      where jsonb_typeof(q -> 'retentionDays') = 'number' and e.ends_at + make_interval(days => (q ->> 'retentionDays')::int) < now()
      group by v.event_id)
    update event_registrations r set answers = r.answers - gone.ids from gone where gone.event_id = r.event_id and r.answers ?| gone.ids`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
