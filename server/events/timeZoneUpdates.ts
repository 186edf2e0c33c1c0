import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { withLockedEvent } from "#server/events/registrations/offers.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { notifyGuests } from "#server/events/guestMails.ts";
import { instantOf } from "#server/events/eventTimes.ts";

/**
 * Every night: recomputes the instants of upcoming events, because a country may change its daylight saving rules after
 * an event was planned, and organisers mean the local time. If one changes, guests get a new calendar entry.
 */
export const recomputeEventTimes = job(
  "events:zones",
  z.object({}),
  async (services) => {
    const upcoming = await services.db
      .selectFrom("events")
      .where("status", "in", ["draft", "published"])
      .where("startsAt", ">", new Date().toISOString())
      .selectAll()
      .execute();
    for (const event of upcoming) if (changedInstantsOf(event, services)) await updateEventTimes(services, event.id);
  },
  "7 4 * * *",
);

async function updateEventTimes(services: Services, id: string) {
  await withLockedEvent(services.db, id, async (tx, event) => {
    const instants = changedInstantsOf(event, services);
    if (!instants) return;
    const sequence = event.icsSequence + (event.status === "published" ? 1 : 0);
    await tx
      .updateTable("events")
      .set((e) => ({
        ...instants,
        icsSequence: sequence,
        version: e("version", "+", 1),
        updatedAt: new Date().toISOString(),
      }))
      .where("id", "=", id)
      .execute();
    if (event.status === "published")
      await notifyGuests.enqueue(
        tx,
        { eventId: id, kind: "changed", key: `changed ${sequence}` },
        { key: `events:changed ${id}` },
      );
    services.log.info({ event: id }, "event moved because the rules of its time zone changed");
  });
}

/** The instants by the current time zone rules; null if they equal the stored ones. */
function changedInstantsOf(event: EventRow, { log }: Pick<Services, "log">) {
  const at = (wall: string | null) => (wall ? instantOf(wall, event.timezone, "") : null);
  try {
    const next = {
      startsAt: instantOf(event.startsLocal, event.timezone, ""),
      endsAt: instantOf(event.endsLocal, event.timezone, ""),
      registrationOpensAt: at(event.registrationOpensLocal),
      registrationClosesAt: at(event.registrationClosesLocal),
    };
    return (Object.keys(next) as (keyof typeof next)[]).some((name) => next[name] !== event[name]) ? next : null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log.warn({ event: event.id }, "a time of this event does not exist under the new rules of its time zone");
    return null;
  }
}
