import { isDeepStrictEqual } from "node:util";
import slugify from "@sindresorhus/slugify";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, type Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { badField, conflict, notFound } from "#server/core/problem.ts";
import {
  checkPublishable,
  type Columns,
  columnsOf,
  inputOf,
  keepVersions,
  releasePicture,
} from "#server/events/organiser/eventInput.ts";
import { offerFreeSeats, withEvent } from "#server/events/registrations/offers.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { notifyGuests } from "#server/events/notifyGuests.ts";
import { adminView, publicView, speakersOf } from "#server/events/views.ts";
import { openEvent, type Visit } from "#server/events/public/visibility.ts";
import { eventInput, type EventInput } from "#shared/eventInput.ts";
import type { AdminEvent } from "#shared/eventViews.ts";
import type { User } from "#shared/users.ts";

/** Addresses that pages of ours have. */
const RESERVED = new Set(["registration", "create", "new"]);

export const findEvent = (db: Db | Tx, id: string): Promise<EventRow> =>
  db.selectFrom("events").where("id", "=", id).selectAll().executeTakeFirstOrThrow(notFound);
export const getEvent = async (ctx: Ctx<User>, id: string) => adminView(ctx, await findEvent(ctx.db, id));

/** An event for a visitor; by an address that it does not have any more, only the new one. */
export async function showEvent(ctx: Ctx, slug: string, visit: Visit) {
  const event = await openEvent(ctx, slug, visit);
  return event.slug === slug
    ? { event: await publicView(ctx, event), movedTo: null }
    : { event: null, movedTo: event.slug };
}

/** `Größe & Öl` becomes `groesse-oel`, other alphabets what they sound like; `event` where nothing is left. */
const slugOf = (title: string) =>
  slugify(title, { decamelize: false, customReplacements: [["&", " "]] })
    .slice(0, 80)
    .replace(/-$/, "") || "event";

/** Takes an address for an event for good. Addresses of others, also of deleted events, stay theirs. */
async function takeSlug(tx: Tx, eventId: string, slug: string): Promise<boolean> {
  if (RESERVED.has(slug)) return false;
  await tx
    .insertInto("eventSlugs")
    .values({ slug, eventId })
    .onConflict((clash) => clash.doNothing())
    .execute();
  return (
    (await tx
      .selectFrom("eventSlugs")
      .where("slug", "=", slug)
      .where("eventId", "=", eventId)
      .select("slug")
      .executeTakeFirst()) !== undefined
  );
}

/** A new draft. Its address is the one asked for, or made from the title; its id the one wished for, if nobody has it. */
export async function createEvent(
  ctx: Ctx<User>,
  { id: wish, ...input }: EventInput & { id?: string | undefined },
): Promise<AdminEvent> {
  return inTransaction(ctx.db, async (tx) => {
    const columns = await columnsOf(ctx, tx, input, null);
    const free = wish && !(await tx.selectFrom("events").where("id", "=", wish).select("id").executeTakeFirst());
    const id = free ? wish : crypto.randomUUID();
    const base = input.slug ?? slugOf(input.title);
    await tx
      .insertInto("events")
      .values({ id, slug: `draft-${id}`, ...columns, createdBy: ctx.user.id, updatedBy: ctx.user.id })
      .execute();
    let slug = base;
    for (let n = 2; !(await takeSlug(tx, id, slug)); n++) {
      if (input.slug) throw badField("slug", "events.slugTaken");
      slug = n > 50 ? `${base}-${id.slice(0, 8)}` : `${base}-${n}`;
    }
    const versions = await keepVersions(tx, id, columns, null);
    await tx
      .updateTable("events")
      .set({ slug, ...versions })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, { action: "events.create", companyId: columns.companyId, details: { event: slug } });
    return adminView({ ...ctx, db: tx as unknown as Db }, await findEvent(tx, id));
  });
}

/**
 * Changes an event that is still at `version`, with everything that touches its seats held back; otherwise 409 with the event
 * as it is now and who changed it. Returns what it is afterwards.
 */
async function change(
  ctx: Ctx<User>,
  id: string,
  version: number,
  work: (tx: Tx, event: EventRow) => Promise<Record<string, unknown>>,
  after?: (tx: Tx, before: EventRow, now: EventRow) => Promise<unknown>,
) {
  return withEvent(ctx.db, id, async (tx, event) => {
    const inside = { ...ctx, db: tx as unknown as Db };
    if (event.version !== version) {
      const by = event.updatedBy
        ? await tx.selectFrom("users").where("id", "=", event.updatedBy).select("name").executeTakeFirst()
        : undefined;
      throw conflict("core.conflict", {
        current: await adminView(inside, event),
        changedBy: by?.name ?? null,
        changedAt: event.updatedAt,
      });
    }
    const values = await work(tx, event);
    await tx
      .updateTable("events")
      .set(
        (e) =>
          ({
            ...values,
            version: e("version", "+", 1),
            updatedAt: new Date().toISOString(),
            updatedBy: ctx.user.id,
          }) as never,
      )
      .where("id", "=", id)
      .execute();
    const now = await findEvent(tx, id);
    await after?.(tx, event, now);
    const turned = now.status !== event.status;
    await record(tx, ctx, {
      action: turned ? "events.status" : "events.update",
      companyId: now.companyId,
      details: { event: now.slug, ...(turned && { status: now.status }) },
    });
    return adminView(inside, await findEvent(tx, id));
  });
}

const VISIBLE_CHANGES = ["startsAt", "endsAt", "timezone", "attendanceMode", "onlineUrl"] as const;
const isMoved = (before: EventRow, next: Columns) =>
  VISIBLE_CHANGES.some((field) => before[field] !== next[field]) ||
  !isDeepStrictEqual(before.venue, JSON.parse(next.venue));

/** Changes what is named. A new time, place or link of a published event makes a new version of its calendar entry and, unless `notify` is off, a letter to everybody. */
export async function updateEvent(
  ctx: Ctx<User>,
  id: string,
  { version, notify, ...input }: Partial<EventInput> & { version: number; notify: boolean },
) {
  let moved = false;
  return change(
    ctx,
    id,
    version,
    async (tx, event) => {
      const columns = await columnsOf(ctx, tx, { ...inputOf(event), ...dropUndefined(input) }, event);
      if (event.status === "published")
        checkPublishable({
          ...columns,
          endsAt: "9999",
          hasCode: (columns.accessCodeHash === undefined ? event.accessCodeHash : columns.accessCodeHash) !== null,
        });
      if (input.slug && input.slug !== event.slug && !(await takeSlug(tx, id, input.slug)))
        throw badField("slug", "events.slugTaken");
      moved = event.status === "published" && isMoved(event, columns);
      return {
        ...columns,
        slug: input.slug ?? event.slug,
        ...(await keepVersions(tx, id, columns, event)),
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
const dropUndefined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<EventInput>;

/** Another way to take part sorts people into other seats; an event that is not hybrid has one way only. */
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
    .where("state", "in", ["confirmed", "offered"])
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

const wrongState = (event: EventRow) =>
  conflict("events.wrongState", { status: event.status }, { status: event.status });

/** Draft → published, and a cancellation taken back before the start: nobody is registered again by that, everybody is told. */
export function publishEvent(ctx: Ctx<User>, id: string, version: number) {
  return change(
    ctx,
    id,
    version,
    async (tx, event) => {
      const again = event.status === "cancelled";
      if (event.status !== "draft" && !again) throw wrongState(event);
      if (again && Date.parse(event.startsAt) <= Date.now()) throw conflict("events.isOver");
      checkPublishable({
        ...(await columnsOf(ctx, tx, inputOf(event), event)),
        hasCode: event.accessCodeHash !== null,
      });
      return {
        status: "published",
        publishedAt: event.publishedAt ?? new Date().toISOString(),
        cancelledAt: null,
        cancelReason: "",
        ...(again && { icsSequence: event.icsSequence + 1, seatsTaken: 0, seatsTakenOnline: 0 }),
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

export const unpublishEvent = (ctx: Ctx<User>, id: string, version: number) =>
  change(ctx, id, version, async (tx, event) => {
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

/** Calls an event off. Its page stays, with the reason; everybody who had or wanted a place is told, with the entry for their calendar taken back. */
export const cancelEvent = (ctx: Ctx<User>, id: string, { version, reason }: { version: number; reason: string }) =>
  change(
    ctx,
    id,
    version,
    async (tx, event) => {
      if (event.status !== "published") throw wrongState(event);
      if (Date.parse(event.endsAt) <= Date.now()) throw conflict("events.isOver");
      const now = new Date().toISOString();
      const ended = await tx
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
        .where("state", "in", ["pending_email", "pending_approval", "confirmed", "waitlisted", "offered"])
        .returning("id")
        .execute();
      if (ended.length > 0) {
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
                e.val("event_cancelled").as("action"),
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

export const archiveEvent = (ctx: Ctx<User>, id: string, version: number) =>
  change(ctx, id, version, async (_, event) => {
    if (event.status !== "published" && event.status !== "cancelled") throw wrongState(event);
    if (event.status === "published" && Date.parse(event.endsAt) > Date.now()) throw conflict("events.notOver");
    return { status: "archived" };
  });

/** Deletes a draft. Its addresses are kept, so that no other event gets them. */
export async function removeEvent(ctx: Ctx<User>, id: string) {
  await withEvent(ctx.db, id, async (tx, event) => {
    const { n } = await tx
      .selectFrom("eventRegistrations")
      .where("eventId", "=", id)
      .select((e) => e.fn.countAll<number>().as("n"))
      .executeTakeFirstOrThrow();
    if (event.status !== "draft" || n > 0) throw conflict("events.notDraft");
    for (const picture of [event.cover, ...speakersOf(event).map(({ photo }) => photo)])
      if (picture) await releasePicture(tx, picture, id);
    await tx.deleteFrom("events").where("id", "=", id).execute();
    await record(tx, ctx, { action: "events.remove", details: { event: event.slug } });
  });
}

type Part = "description" | "cover" | "agenda" | "speakers" | "questions" | "seats" | "registration";
const PARTS: Record<Part, (keyof EventInput)[]> = {
  description: ["summary", "description", "category", "language"],
  cover: ["cover"],
  agenda: ["agenda"],
  speakers: ["speakers"],
  questions: ["questions"],
  seats: ["capacity", "capacityOnline", "waitlistEnabled", "waitlistMode", "offerMinutes"],
  registration: [
    "visibility",
    "companyId",
    "registrationMode",
    "externalUrl",
    "requireEmailConfirmation",
    "challenge",
    "modificationMode",
    "privacyNotice",
    "retentionDays",
    "indexable",
    "reminders",
    "followUpCourseId",
    "followUpCompanyId",
  ],
};
const ALWAYS: (keyof EventInput)[] = [
  "timezone",
  "attendanceMode",
  "venue",
  "onlineUrl",
  "joinOpensMinutes",
  "organiserName",
  "organiserKind",
  "organiserEmail",
];

/** A new draft with the chosen parts of another event, as long as that one; codes and dates of registration are not copied. */
export async function duplicateEvent(
  ctx: Ctx<User>,
  id: string,
  { title, startsLocal, with: parts }: { title: string; startsLocal: string; with: Part[] },
) {
  const event = await findEvent(ctx.db, id);
  const source = inputOf(event);
  const taken = Object.fromEntries(
    [...ALWAYS, ...parts.flatMap((part) => PARTS[part])].map((field) => [field, source[field]]),
  ) as Partial<EventInput>;
  // As long by the clock on the wall, whatever the clocks do that night.
  const wall = (local: string) => Date.parse(`${local}:00Z`);
  const moved = (local: string) =>
    new Date(wall(local) + wall(startsLocal) - wall(event.startsLocal)).toISOString().slice(0, 16);
  const agenda = taken.agenda?.map((item) => ({ ...item, startsAt: item.startsAt && moved(item.startsAt) }));
  return createEvent(
    ctx,
    eventInput.parse({ ...taken, ...(agenda && { agenda }), title, startsLocal, endsLocal: moved(event.endsLocal) }),
  );
}
