import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { withEvent } from "#server/events/registrations/offers.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { notifyGuests } from "#server/events/notifyGuests.ts";
import { instantOf } from "#server/events/eventTimes.ts";

/**
 * Every night: a country may change its clocks after an event was planned. What was meant is the wall time, so the instants of
 * coming events are worked out again, and guests get the new entry for their calendars when one has moved.
 */
export const recomputeEventTimes = job(
  "events:zones",
  z.object({}),
  async (services) => {
    const coming = await services.db
      .selectFrom("events")
      .where("status", "in", ["draft", "published"])
      .where("startsAt", ">", new Date().toISOString())
      .selectAll()
      .execute();
    for (const event of coming) if (instantsOf(event, services)) await follow(services, event.id);
  },
  "7 4 * * *",
);

async function follow(services: Services, id: string) {
  await withEvent(services.db, id, async (tx, event) => {
    const instants = instantsOf(event, services);
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
    services.log.info({ event: id }, "the clocks of a zone have changed, and an event with them");
  });
}

/** The instants of the wall times by today's rules, when they differ from those that are stored. */
function instantsOf(event: EventRow, { log }: Pick<Services, "log">) {
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
    log.warn({ event: event.id }, "by the new rules of its zone a time of this event does not exist");
    return null;
  }
}
