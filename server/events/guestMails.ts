import type { ExpressionBuilder, SelectQueryBuilder } from "kysely";
import { z } from "zod";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { job } from "#server/core/jobs.ts";
import { searchFor } from "#server/core/database/listing.ts";
import type { Services } from "#server/core/services.ts";
import { enqueueEventMail, type EventMailKind, type MailDetails } from "#server/events/mails.ts";
import type { EventRow, RegistrationRow } from "#server/events/registrations/seats.ts";
import type { RegistrationState } from "#shared/events/eventPhases.ts";
import type { RegistrationFilter } from "#shared/events/registrationRows.ts";

/** Emails queued in one transaction. */
const BATCH = 50;
type Rows = SelectQueryBuilder<DB, "eventRegistrations", object>;

/**
 * Queues an email to the selected registrations of an event, exactly once per registration and `key`. The log row is
 * written in the transaction that queues the email, so an interrupted job continues where it stopped. Returns the
 * number of emails.
 */
export async function enqueueMailToAll(
  services: Services,
  event: EventRow,
  key: string,
  kind: EventMailKind,
  select: (rows: Rows) => Rows,
  details: MailDetails = {},
) {
  let total = 0;
  for (;;) {
    const batchSize = await inTransaction(services.db, async (tx: Tx) => {
      const pending = select(
        tx.selectFrom("eventRegistrations").where("eventId", "=", event.id).where("purgedAt", "is", null) as Rows,
      ).where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("eventMailLog")
              .whereRef("eventMailLog.registrationId", "=", "eventRegistrations.id")
              .where("eventMailLog.key", "=", key)
              .select("key"),
          ),
        ),
      );
      const rows: RegistrationRow[] = await pending
        .selectAll("eventRegistrations")
        .orderBy("queueNumber")
        .limit(BATCH)
        .execute();
      if (rows.length === 0) return 0;
      const claimed = new Set(
        (
          await tx
            .insertInto("eventMailLog")
            .values(rows.map(({ id }) => ({ registrationId: id, key })))
            .onConflict((conflict) => conflict.doNothing())
            .returning("registrationId")
            .execute()
        ).map(({ registrationId }) => registrationId),
      );
      for (const registration of rows)
        if (claimed.has(registration.id)) await enqueueEventMail(services, tx, kind, event, registration, details);
      return rows.length;
    });
    total += batchSize;
    if (batchSize === 0) return total;
  }
}

/** Active states in which the email address is confirmed, so that guests know that they are registered. */
const INFORMED_STATES: RegistrationState[] = ["pending_approval", "confirmed", "waitlisted", "offered"];

type Where = ExpressionBuilder<DB, "eventRegistrations">;
/** Registrations that match the filters of the organiser's list. */
export const matchesFilter =
  ({ state, attendance, attended, q = "" }: RegistrationFilter) =>
  (e: Where) =>
    e.and([
      ...(state ? [e("state", "=", state)] : []),
      ...(attendance ? [e("attendance", "=", attendance)] : []),
      ...(attended === undefined ? [] : [e("attendedAt", attended ? "is not" : "is", null)]),
      ...(q.trim()
        ? [
            searchFor(q, [
              "event_registrations.name",
              "event_registrations.email",
              "event_registrations.company",
              "event_registrations.reference",
            ]),
          ]
        : []),
    ]);
/**
 * Registrations that an organiser's message may reach: confirmed, waiting or awaiting approval by default, or those in
 * the chosen state. Never an unconfirmed address.
 */
export const canReceiveMessage = (filter: RegistrationFilter) => (e: Where) =>
  e.and([
    matchesFilter(filter)(e),
    e("email", "!=", ""),
    e("state", "not in", ["pending_email", "expired"]),
    ...(filter.state ? [] : [e("state", "in", INFORMED_STATES)]),
  ]);

const input = z.object({
  eventId: z.uuid(),
  kind: z.enum(["changed", "eventCancelled", "republished", "message"]),
  key: z.string(),
  subject: z.string().optional(),
  text: z.string().optional(),
  filter: z.record(z.string(), z.unknown()).optional(),
  /** ISO time: includes registrations cancelled with the event since then. */
  since: z.string().optional(),
});

const cancelledWithEvent = (rows: Rows, since: string) =>
  rows.where("state", "=", "cancelled").where("cancelledBy", "=", "event").where("cancelledAt", ">=", since);

/** Emails to guests about an organiser's action; enqueued in the same transaction as the action. */
export const notifyGuests = job(
  "events:tell",
  input,
  async (services, { eventId, kind, key, subject = "", text = "", filter = {}, since = "-infinity" }) => {
    const event = await services.db.selectFrom("events").where("id", "=", eventId).selectAll().executeTakeFirst();
    if (!event) return;
    const groups: Record<typeof kind, (rows: Rows) => Rows> = {
      changed: (rows) => rows.where("state", "in", INFORMED_STATES),
      eventCancelled: (rows) => cancelledWithEvent(rows, since),
      republished: (rows) => cancelledWithEvent(rows, since),
      message: (rows) => rows.where(canReceiveMessage(filter as RegistrationFilter)),
    };
    const sent = await enqueueMailToAll(services, event, key, kind, groups[kind], { subject, text });
    services.log.info({ event: eventId, kind, sent }, "guests notified");
  },
);
