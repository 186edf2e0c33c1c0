import { record as audit } from "#server/audit/service.ts";
import { sql } from "kysely";
import { inTransaction, isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { orderBy } from "#server/core/database/listing.ts";
import { conflict, notFound, Problem } from "#server/core/http/problem.ts";
import { reserve } from "#server/core/limits/throttle.ts";
import { readLog, record } from "#server/events/registrations/registrationLog.ts";
import { enqueueEventMail } from "#server/events/mails.ts";
import { offerSeatsTo, withLockedEvent } from "#server/events/registrations/offers.ts";
import { purgeTimeOf, questionsOfVersion } from "#server/events/registrations/selfService.ts";
import {
  cancelRegistration,
  confirmRegistration,
  isActive,
  seatOrWaitlist,
  updateRegistration,
  waitlistRegistration,
} from "#server/events/registrations/registrationTransitions.ts";
import { attendanceFor, insertRegistration } from "#server/events/registrations/registrations.ts";
import { type EventRow, type RegistrationRow, takeSeats } from "#server/events/registrations/seats.ts";
import { findEvent, findEventOf } from "#server/events/eventChanges.ts";
import { canReceiveMessage, matchesFilter, notifyGuests } from "#server/events/guestMails.ts";
import type { Question } from "#shared/events/eventQuestions.ts";
import type { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { Registration } from "#shared/events/registrationRows.ts";

/** The most messages per hour, organiser and event. */
const MESSAGE_LIMIT = 20;

/** Registrations with their position on the waiting list; hybrid events have one list per attendance. */
export const registrationsOf = (db: Ctx["db"], event: EventRow) =>
  db
    .selectFrom("eventRegistrations")
    .where("eventRegistrations.eventId", "=", event.id)
    .selectAll()
    .select(
      sql<number | null>`case
        when state = 'waitlisted' then (
          select count(*)::int + 1
          from event_registrations earlier
          where earlier.event_id = event_registrations.event_id
            and earlier.state = 'waitlisted'
            and earlier.queue_number < event_registrations.queue_number
            and (
              ${event.attendanceMode !== "hybrid"}
              or earlier.attendance = event_registrations.attendance
            )
        )
      end`.as("waitlistPosition"),
    );
type RegistrationWithPosition = RegistrationRow & { waitlistPosition: number | null };

export const toRegistration = (event: EventRow, row: RegistrationWithPosition): Registration => ({
  ...row,
  answers: row.answers,
  emailVerified: row.emailVerifiedAt !== null,
  purgeAt: purgeTimeOf(event),
});

export async function readRegistration(ctx: Ctx<User>, id: string): Promise<Registration> {
  const event = await findEventOf(ctx, id);
  return toRegistration(
    event,
    await registrationsOf(ctx.db, event).where("id", "=", id).executeTakeFirstOrThrow(notFound),
  );
}

/** The history of a registration, latest first. */
export async function readRegistrationLog(ctx: Ctx<User>, id: string) {
  await findEventOf(ctx, id);
  return readLog(ctx.db, id);
}

/** Registrations of an event, with counts by state for the same search and the questions of all form versions. */
export async function listRegistrations(
  ctx: Ctx<User>,
  eventId: string,
  query: QueryOf<typeof eventRegistrations.list>,
) {
  const event = await findEvent(ctx, eventId);
  const { state: _, ...withoutState } = query;
  const registrations = () => ctx.db.selectFrom("eventRegistrations").where("eventRegistrations.eventId", "=", eventId);
  const states = await registrations()
    .where(matchesFilter(withoutState))
    .groupBy("state")
    .select(["state", (e) => e.fn.countAll<number>().as("n")])
    .execute();
  const { total } = await registrations()
    .where(matchesFilter(query))
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const { reached } = await registrations()
    .where("purgedAt", "is", null)
    .where(canReceiveMessage(query))
    .select((e) => e.fn.countAll<number>().as("reached"))
    .executeTakeFirstOrThrow();
  const rows = await registrationsOf(ctx.db, event)
    .where(matchesFilter(query))
    .orderBy(
      orderBy(query.sort ?? "-createdAt", {
        createdAt: sql`created_at`,
        name: sql`lower(name)`,
        waitlistPosition: sql`case when state = 'waitlisted' then queue_number end`,
      }),
    )
    .orderBy("queueNumber")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return {
    items: rows.map((row) => toRegistration(event, row)),
    total,
    byState: Object.fromEntries(states.map(({ state: of, n }) => [of, n])),
    reachable: reached,
    questions: await allQuestions(ctx, event),
  };
}

/** All questions ever asked, the current ones first; removed ones with their last label. */
export async function allQuestions({ db }: Pick<Ctx, "db">, event: EventRow): Promise<Question[]> {
  const questions = new Map(event.questions.map((question) => [question.id, question]));
  for (let version = event.questionVersion - 1; version > 0; version--)
    for (const question of await questionsOfVersion(db, event.id, version))
      if (!questions.has(question.id)) questions.set(question.id, question);
  return [...questions.values()];
}

/** Runs `action` for each of these registrations of an event, in queue order, with the event locked. */
async function forEachRegistration(
  ctx: Ctx<User>,
  eventId: string,
  ids: string[],
  action: (tx: Tx, event: EventRow, registration: RegistrationRow) => Promise<unknown>,
) {
  await findEvent(ctx, eventId);
  await withLockedEvent(ctx.db, eventId, async (tx, event) => {
    const rows = await tx
      .selectFrom("eventRegistrations")
      .where("eventId", "=", eventId)
      .where("id", "in", ids)
      .where("purgedAt", "is", null)
      .selectAll()
      .orderBy("queueNumber")
      .execute();
    // Each action changes the seat counts, so the event is read again every time.
    for (const row of rows) await action(tx, await findEvent({ ...ctx, db: tx }, event.id), row);
  });
}
const actorOf = ({ user }: Ctx<User>) => ({ userId: user.id });

/** Approves or rejects pending requests. Approved guests without a free seat join the waiting list. */
export async function approveRegistrations(
  ctx: Ctx<User>,
  eventId: string,
  { ids, reject, reason }: BodyOf<typeof eventRegistrations.approve>,
) {
  let changed = 0;
  let waitlisted = 0;
  await forEachRegistration(ctx, eventId, ids, async (tx, event, registration) => {
    if (registration.state !== "pending_approval") return;
    if (event.status !== "published") throw conflict("events.wrongState", undefined, { status: event.status });
    changed++;
    if (!reject) {
      if ((await seatOrWaitlist(ctx, tx, event, registration, actorOf(ctx))).state === "waitlisted") waitlisted++;
      return;
    }
    const rejected = await updateRegistration(tx, registration.id, { state: "rejected" });
    await record(tx, [registration.id], "rejected", actorOf(ctx), reason);
    await enqueueEventMail(ctx, tx, "rejected", event, rejected, { reason });
  });
  return { changed, waitlisted };
}

/** Offers seats to chosen people on the waiting list, in order. Exceeds the capacity only with `overCapacity`. */
export async function offerSeats(
  ctx: Ctx<User>,
  eventId: string,
  { ids, overCapacity }: BodyOf<typeof eventRegistrations.offerSeats>,
) {
  let offered = 0;
  let full = 0;
  await forEachRegistration(ctx, eventId, ids, async (tx, event, registration) => {
    if (registration.state !== "waitlisted") return;
    if (event.status !== "published" || Date.parse(event.startsAt) <= Date.now())
      throw conflict("events.registrationClosed");
    if (await takeSeats(tx, event, registration.attendance, { overCapacity }))
      offered += await offerSeatsTo(ctx, tx, event, [registration], actorOf(ctx));
    else full++;
  });
  return { offered, full };
}

export async function cancelRegistrations(
  ctx: Ctx<User>,
  eventId: string,
  { ids, notify }: BodyOf<typeof eventRegistrations.cancel>,
) {
  let changed = 0;
  await forEachRegistration(ctx, eventId, ids, async (tx, _, registration) => {
    // Read again, because an earlier cancellation of this batch may have led to an offer for this registration.
    const current = await tx
      .selectFrom("eventRegistrations")
      .where("id", "=", registration.id)
      .selectAll()
      .executeTakeFirstOrThrow();
    if (!isActive(current)) return;
    await cancelRegistration(ctx, tx, await findEvent({ ...ctx, db: tx }, eventId), current, actorOf(ctx), notify);
    changed++;
  });
  return { changed };
}

/**
 * Adds a registration on behalf of a guest: confirmed if a seat is free or `overCapacity` is set, or on the waiting
 * list.
 */
export async function addRegistration(
  ctx: Ctx<User>,
  eventId: string,
  input: BodyOf<typeof eventRegistrations.add>,
): Promise<Registration> {
  try {
    await findEvent(ctx, eventId);
    const id = await withLockedEvent(ctx.db, eventId, async (tx, event) => {
      if (event.status !== "published") throw conflict("events.wrongState", undefined, { status: event.status });
      const { name, email, company, answers } = input;
      const account = await tx
        .selectFrom("users")
        .where("email", "=", email)
        .where("emailVerified", "=", true)
        .select("id")
        .executeTakeFirst();
      const added = await insertRegistration(ctx, tx, event, {
        name,
        email,
        company,
        answers,
        source: "admin",
        attendance: attendanceFor(event, input.attendance),
        userId: account?.id ?? null,
      });
      await record(tx, [added.id], "added", actorOf(ctx), input.overCapacity ? "over capacity" : "");
      if (input.state === "waitlisted") await waitlistRegistration(ctx, tx, event, added, actorOf(ctx), input.notify);
      else if (await takeSeats(tx, event, added.attendance, { overCapacity: input.overCapacity }))
        await confirmRegistration(ctx, tx, event, added, actorOf(ctx), input.notify);
      else throw conflict("events.noSeat");
      return added.id;
    });
    return await readRegistration(ctx, id);
  } catch (error) {
    if (isUniqueViolation(error, "event_registrations_active")) throw conflict("events.alreadyRegistered");
    throw error;
  }
}

/** Emails a filtered group of guests by a job. Returns the number of recipients. */
export async function sendMessage(
  ctx: Ctx<User>,
  eventId: string,
  { filter, subject, text }: BodyOf<typeof eventRegistrations.sendMessage>,
) {
  const event = await findEvent(ctx, eventId);
  if (!(await reserve(ctx.db, ["event messages", eventId, ctx.user.id], MESSAGE_LIMIT, 3600)))
    throw new Problem(429, "core.tooMany", { values: { seconds: 3600 } });
  return inTransaction(ctx.db, async (tx) => {
    const rows = tx.selectFrom("eventRegistrations").where("eventId", "=", eventId).where("purgedAt", "is", null);
    const { sent } = await rows
      .where(canReceiveMessage(filter))
      .select((e) => e.fn.countAll<number>().as("sent"))
      .executeTakeFirstOrThrow();
    if (sent > 0)
      await notifyGuests.enqueue(tx, {
        eventId,
        kind: "message",
        key: `message ${crypto.randomUUID()}`,
        subject,
        text,
        filter,
      });
    await audit(tx, ctx, {
      action: "events.message",
      companyId: event.companyId,
      details: { event: event.slug, sent },
    });
    return { sent };
  });
}
