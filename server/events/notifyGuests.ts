import type { ExpressionBuilder, SelectQueryBuilder } from "kysely";
import { z } from "zod";
import { inTransaction, type Tx } from "#server/core/db.ts";
import type { DB } from "#server/core/db.types.ts";
import { job } from "#server/core/jobs.ts";
import { searchFor } from "#server/core/listing.ts";
import type { Services } from "#server/core/services.ts";
import { type EventMailKind, renderEventMail } from "#server/events/mails.ts";
import type { EventRow, RegistrationRow } from "#server/events/registrations/seats.ts";
import { registrationFilter } from "#shared/eventRegistrations.ts";
import type { RegistrationState } from "#shared/eventStates.ts";

/** Letters written in one transaction. */
const BATCH = 50;
type Rows = SelectQueryBuilder<DB, "eventRegistrations", object>;

/**
 * Writes to many registrations of one event, each exactly once for `key`: the row that says so is made in the same transaction
 * as the letter, so a job that is cut off and run again goes on behind the last one. Returns how many were written to.
 */
export async function enqueueToAll(
  services: Services,
  event: EventRow,
  key: string,
  kind: EventMailKind,
  who: (rows: Rows) => Rows,
  extra: Parameters<typeof renderEventMail>[5] = {},
) {
  let written = 0;
  for (;;) {
    const done = await inTransaction(services.db, async (tx: Tx) => {
      const open = who(
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
      const rows: RegistrationRow[] = await open
        .selectAll("eventRegistrations")
        .orderBy("queueNumber")
        .limit(BATCH)
        .execute();
      if (rows.length === 0) return 0;
      const mine = new Set(
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
        if (mine.has(registration.id)) await renderEventMail(services, tx, kind, event, registration, extra);
      return rows.length;
    });
    written += done;
    if (done === 0) return written;
  }
}

/** People who know that they are registered: everybody but those whose mailbox is not confirmed. */
const INFORMED: RegistrationState[] = ["pending_approval", "confirmed", "waitlisted", "offered"];

type Where = ExpressionBuilder<DB, "eventRegistrations">;
/** Those of a group that an organiser chose, by the filters of the list. */
export const matching =
  ({ state, attendance, attended, q = "" }: z.output<typeof registrationFilter>) =>
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
/** Whom an organiser's message may reach without a chosen state: those who are in, or wait. Nobody whose mailbox is not proven to want it. */
export const reachable = (filter: z.output<typeof registrationFilter>) => (e: Where) =>
  e.and([
    matching(filter)(e),
    e("email", "!=", ""),
    e("state", "not in", ["pending_email", "expired"]),
    ...(filter.state ? [] : [e("state", "in", INFORMED)]),
  ]);

const what = z.object({
  eventId: z.uuid(),
  kind: z.enum(["changed", "eventCancelled", "republished", "message"]),
  key: z.string(),
  subject: z.string().optional(),
  text: z.string().optional(),
  filter: z.record(z.string(), z.unknown()).optional(),
  /** Who was cancelled from then on. */
  since: z.string().optional(),
});

const calledOff = (rows: Rows, since: string) =>
  rows.where("state", "=", "cancelled").where("cancelledBy", "=", "event").where("cancelledAt", ">=", since);

/** The letters that follow an organiser's act; queued in the same transaction as the act. */
export const notifyGuests = job(
  "events:tell",
  what,
  async (services, { eventId, kind, key, subject = "", text = "", filter = {}, since = "-infinity" }) => {
    const event = await services.db.selectFrom("events").where("id", "=", eventId).selectAll().executeTakeFirst();
    if (!event) return;
    const groups: Record<typeof kind, (rows: Rows) => Rows> = {
      changed: (rows) => rows.where("state", "in", INFORMED),
      eventCancelled: (rows) => calledOff(rows, since),
      republished: (rows) => calledOff(rows, since),
      message: (rows) => rows.where(reachable(filter as z.output<typeof registrationFilter>)),
    };
    const sent = await enqueueToAll(services, event, key, kind, groups[kind], { subject, text });
    services.log.info({ event: eventId, kind, sent }, "guests were told");
  },
);
