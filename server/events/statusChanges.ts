import type { Ctx } from "#server/core/http/http.ts";
import { conflict } from "#server/core/http/problem.ts";
import { changeEvent } from "#server/events/eventChanges.ts";
import { notifyGuests } from "#server/events/guestMails.ts";
import { checkPublishable, columnsOf } from "#server/events/organiser/eventInput.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { ACTIVE_STATES } from "#shared/events/eventPhases.ts";
import type { events } from "#shared/events/events.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

// Status changes of an event: publish, unpublish, cancel, archive.

const wrongState = (event: EventRow) =>
  conflict("events.wrongState", { status: event.status }, { status: event.status });

/**
 * Publishes a draft, or undoes a cancellation before the start. Undoing restores no registrations, but notifies those
 * who were registered.
 */
export function publishEvent(ctx: Ctx<User>, id: string, version: number) {
  return changeEvent(
    ctx,
    id,
    version,
    async (tx, event) => {
      const wasCancelled = event.status === "cancelled";
      if (event.status !== "draft" && !wasCancelled) throw wrongState(event);
      if (wasCancelled && Date.parse(event.startsAt) <= Date.now()) throw conflict("events.isOver");
      checkPublishable({
        ...(await columnsOf(ctx, tx, event, event)),
        hasCode: event.accessCodeHash !== null,
      });
      return {
        status: "published",
        publishedAt: event.publishedAt ?? new Date().toISOString(),
        cancelledAt: null,
        cancelReason: "",
        ...(wasCancelled && { icsSequence: event.icsSequence + 1, seatsTaken: 0, seatsTakenOnline: 0 }),
      };
    },
    async (tx, before, now) => {
      if (before.status === "cancelled")
        await notifyGuests.enqueue(tx, {
          eventId: id,
          kind: "republished",
          key: `republished ${now.icsSequence}`,
          since: before.cancelledAt ?? now.updatedAt,
        });
    },
  );
}

/** Returns an event to draft while nobody is registered. */
export const unpublishEvent = (ctx: Ctx<User>, id: string, version: number) =>
  changeEvent(ctx, id, version, async (tx, event) => {
    if (event.status !== "published") throw wrongState(event);
    const { n } = await tx
      .selectFrom("eventRegistrations")
      .where("eventId", "=", id)
      .where("state", "not in", ["cancelled", "expired"])
      .select((e) => e.fn.countAll<number>().as("n"))
      .executeTakeFirstOrThrow();
    if (n > 0) throw conflict("events.hasRegistrations", { count: n }, { count: n });
    return { status: "draft" };
  });

/**
 * Cancels an event. Its page stays and shows the reason; everyone registered gets an email that also cancels their
 * calendar entry.
 */
export const cancelEvent = (ctx: Ctx<User>, id: string, { version, reason }: BodyOf<typeof events.cancel>) =>
  changeEvent(
    ctx,
    id,
    version,
    async (tx, event) => {
      if (event.status !== "published") throw wrongState(event);
      if (Date.parse(event.endsAt) <= Date.now()) throw conflict("events.isOver");
      const now = new Date().toISOString();
      const cancelled = await tx
        .updateTable("eventRegistrations")
        .set((e) => ({
          state: "cancelled",
          cancelledAt: now,
          cancelledBy: "event",
          offerExpiresAt: null,
          confirmUntil: null,
          updatedAt: now,
          version: e("version", "+", 1),
        }))
        .where("eventId", "=", id)
        .where("state", "in", ACTIVE_STATES)
        .returning("id")
        .execute();
      if (cancelled.length > 0) {
        await tx
          .insertInto("eventRegistrationLog")
          .columns(["registrationId", "action", "actor", "byUser"])
          .expression(
            tx
              .selectFrom("eventRegistrations")
              .where("eventId", "=", id)
              .where("cancelledBy", "=", "event")
              .where("cancelledAt", "=", now)
              .select((e) => [
                "id",
                e.val("event_cancelled" as const).as("action"),
                e.val("admin").as("actor"),
                e.val(ctx.user.id).as("byUser"),
              ]),
          )
          .execute();
      }
      return { status: "cancelled", cancelledAt: now, cancelReason: reason, icsSequence: event.icsSequence + 1 };
    },
    (tx, _, now) =>
      notifyGuests.enqueue(tx, {
        eventId: id,
        kind: "eventCancelled",
        key: `event cancelled ${now.icsSequence}`,
        since: now.cancelledAt ?? now.updatedAt,
      }),
  );

/** Removes a cancelled or past event from the lists. */
export const archiveEvent = (ctx: Ctx<User>, id: string, version: number) =>
  changeEvent(ctx, id, version, async (_, event) => {
    if (event.status !== "published" && event.status !== "cancelled") throw wrongState(event);
    if (event.status === "published" && Date.parse(event.endsAt) > Date.now()) throw conflict("events.notOver");
    return { status: "archived" };
  });
