import { isDeepStrictEqual } from "node:util";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict } from "#server/core/http/problem.ts";
import { changeEvent, findEvent } from "#server/events/eventChanges.ts";
import { notifyGuests } from "#server/events/guestMails.ts";
import {
  checkPublishable,
  type Columns,
  columnsOf,
  releasePicture,
  storeVersions,
} from "#server/events/organiser/eventInput.ts";
import { getVisibleEvent, type Visit } from "#server/events/public/visibility.ts";
import { offerFreeSeats, withLockedEvent } from "#server/events/registrations/offers.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { claimSlug, slugOf } from "#server/events/slugs.ts";
import { adminView, publicView } from "#server/events/views.ts";
import type { EventInput } from "#shared/events/eventInput.ts";
import { SEATED_STATES } from "#shared/events/eventPhases.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";
import type { events } from "#shared/events/events.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

export const getEvent = async (ctx: Ctx<User>, id: string) => adminView(ctx, await findEvent(ctx, id));

/** An event for a visitor; for a former slug, only the current one. */
export async function showEvent(ctx: Ctx, slug: string, visit: Visit) {
  const event = await getVisibleEvent(ctx, slug, visit);
  return event.slug === slug
    ? { event: await publicView(ctx, event), movedTo: null }
    : { event: null, movedTo: event.slug };
}

/**
 * Creates a draft. Its slug is the requested one or made from the title; its id is the requested one unless that is
 * taken.
 */
export async function createEvent(
  ctx: Ctx<User>,
  { id: requestedId, ...input }: EventInput & { id?: string | undefined },
): Promise<AdminEvent> {
  return inTransaction(ctx.db, async (tx) => {
    const columns = await columnsOf(ctx, tx, input, null);
    const isFree =
      requestedId && !(await tx.selectFrom("events").where("id", "=", requestedId).select("id").executeTakeFirst());
    const id = isFree ? requestedId : crypto.randomUUID();
    const base = input.slug ?? slugOf(input.title);
    await tx
      .insertInto("events")
      .values({ id, slug: `draft-${id}`, ...columns, createdBy: ctx.user.id, updatedBy: ctx.user.id })
      .execute();
    let slug = base;
    for (let attempt = 2; !(await claimSlug(tx, id, slug)); attempt++) {
      if (input.slug) throw badField("slug", "events.slugTaken");
      slug = attempt > 50 ? `${base}-${id.slice(0, 8)}` : `${base}-${attempt}`;
    }
    const versions = await storeVersions(tx, id, columns, null);
    await tx
      .updateTable("events")
      .set({ slug, ...versions })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, { action: "events.create", companyId: columns.companyId, details: { event: slug } });
    return adminView({ ...ctx, db: tx }, await findEvent({ ...ctx, db: tx }, id));
  });
}

/** Guests are notified if one of these columns or the venue changes. */
const NOTIFIED_COLUMNS = ["startsAt", "endsAt", "timezone", "attendanceMode", "onlineUrl"] as const;
const isMoved = (before: EventRow, next: Columns) =>
  NOTIFIED_COLUMNS.some((field) => before[field] !== next[field]) ||
  !isDeepStrictEqual(before.venue, JSON.parse(next.venue));

/**
 * Changes the given fields. If the time, location or joining link of a published event changes, its calendar entry gets
 * a new version and, unless `notify` is off, everyone registered gets an email.
 */
export async function updateEvent(
  ctx: Ctx<User>,
  id: string,
  { version, notify, ...input }: BodyOf<typeof events.update>,
) {
  let moved = false;
  return changeEvent(
    ctx,
    id,
    version,
    async (tx, event) => {
      const columns = await columnsOf(ctx, tx, { ...event, ...dropUndefined(input) }, event);
      if (event.status === "published")
        checkPublishable({
          ...columns,
          endsAt: "9999",
          hasCode: (columns.accessCodeHash === undefined ? event.accessCodeHash : columns.accessCodeHash) !== null,
        });
      if (input.slug && input.slug !== event.slug && !(await claimSlug(tx, id, input.slug)))
        throw badField("slug", "events.slugTaken");
      moved = event.status === "published" && isMoved(event, columns);
      return {
        ...columns,
        slug: input.slug ?? event.slug,
        ...(await storeVersions(tx, id, columns, event)),
        ...(moved && { icsSequence: event.icsSequence + 1 }),
      };
    },
    async (tx, before, now) => {
      if (before.attendanceMode !== now.attendanceMode) await recountSeats(tx, now);
      if (now.status === "published") await offerFreeSeats(ctx, tx, id);
      if (moved && notify && Date.parse(now.endsAt) > Date.now())
        await notifyGuests.enqueue(
          tx,
          { eventId: id, kind: "changed", key: `changed ${now.icsSequence}` },
          { key: `events:changed ${id}` },
        );
    },
  );
}
const dropUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<EventInput>;

/**
 * Recounts the seats after the attendance mode has changed; unless hybrid, an event has only one kind of attendance.
 */
async function recountSeats(tx: Tx, event: EventRow) {
  if (event.attendanceMode !== "hybrid")
    await tx
      .updateTable("eventRegistrations")
      .set({ attendance: event.attendanceMode })
      .where("eventId", "=", event.id)
      .execute();
  const rows = await tx
    .selectFrom("eventRegistrations")
    .where("eventId", "=", event.id)
    .where("state", "in", SEATED_STATES)
    .groupBy("attendance")
    .select(["attendance", (e) => e.fn.countAll<number>().as("n")])
    .execute();
  const of = (attendance: string) => rows.find((row) => row.attendance === attendance)?.n ?? 0;
  const hybrid = event.attendanceMode === "hybrid";
  await tx
    .updateTable("events")
    .set({
      seatsTaken: hybrid ? of("in_person") : of("in_person") + of("online"),
      seatsTakenOnline: hybrid ? of("online") : 0,
    })
    .where("id", "=", event.id)
    .execute();
}

/** Deletes a draft. Its slugs stay reserved, so that no other event gets them. */
export async function removeEvent(ctx: Ctx<User>, id: string) {
  await findEvent(ctx, id);
  await withLockedEvent(ctx.db, id, async (tx, event) => {
    const { n } = await tx
      .selectFrom("eventRegistrations")
      .where("eventId", "=", id)
      .select((e) => e.fn.countAll<number>().as("n"))
      .executeTakeFirstOrThrow();
    if (event.status !== "draft" || n > 0) throw conflict("events.notDraft");
    for (const picture of [event.cover, ...event.speakers.map(({ photo }) => photo)])
      if (picture) await releasePicture(tx, picture, id);
    await tx.deleteFrom("events").where("id", "=", id).execute();
    await record(tx, ctx, { action: "events.remove", details: { event: event.slug } });
  });
}
