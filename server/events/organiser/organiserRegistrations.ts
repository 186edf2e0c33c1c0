import { record as audit } from "#server/audit/service.ts";
import { sql } from "kysely";
import type { z } from "zod";
import { inTransaction, isUniqueViolation, type Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { type Listing, orderBy } from "#server/core/listing.ts";
import { conflict, notFound, Problem } from "#server/core/problem.ts";
import { reserve } from "#server/core/throttle.ts";
import { record } from "#server/events/registrations/registrationLog.ts";
import { renderEventMail } from "#server/events/mails.ts";
import { offerTo, withEvent } from "#server/events/registrations/offers.ts";
import { purgeTime, questionsAt } from "#server/events/registrations/selfService.ts";
import {
  cancelRegistration,
  confirmRegistration,
  isActive,
  seatRegistration,
  updateRegistration,
  waitlistRegistration,
} from "#server/events/registrations/registrationTransitions.ts";
import { attendanceFor, insert } from "#server/events/registrations/registrations.ts";
import { type EventRow, type RegistrationRow, takeSeats } from "#server/events/registrations/seats.ts";
import { findEvent } from "#server/events/service.ts";
import { matching, reachable, notifyGuests } from "#server/events/notifyGuests.ts";
import { questionsOf } from "#server/events/views.ts";
import type { Answers, Question } from "#shared/eventQuestions.ts";
import type { eventRegistrations, Registration, registrationFilter } from "#shared/eventRegistrations.ts";
import type { User } from "#shared/users.ts";

type Filter = z.output<typeof registrationFilter>;
type Person = z.output<(typeof eventRegistrations.add)["body"]>;
/** Messages of one organiser to one event in an hour. */
const MESSAGES = 20;

/** Registrations with their place in the waiting list, counted among those with the same seats. */
export const registrationsOf = (db: Ctx["db"], event: EventRow) =>
  db
    .selectFrom("eventRegistrations")
    .where("eventRegistrations.eventId", "=", event.id)
    .selectAll()
    .select(
      sql<
        number | null
      >`case when state = 'waitlisted' then (select count(*)::int + 1 from event_registrations w where w.event_id = event_registrations.event_id and w.state = 'waitlisted'
      and w.queue_number < event_registrations.queue_number and (${event.attendanceMode !== "hybrid"} or w.attendance = event_registrations.attendance)) end`.as(
        "waitlistPosition",
      ),
    );
type Listed = RegistrationRow & { waitlistPosition: number | null };

export const asRegistration = (event: EventRow, row: Listed): Registration => ({
  ...row,
  answers: row.answers as Answers,
  emailVerified: row.emailVerifiedAt !== null,
  purgeAt: purgeTime(event),
});

export async function readRegistration(ctx: Ctx<User>, id: string): Promise<Registration> {
  const { eventId } = await ctx.db
    .selectFrom("eventRegistrations")
    .where("id", "=", id)
    .select("eventId")
    .executeTakeFirstOrThrow(notFound);
  const event = await findEvent(ctx.db, eventId);
  return asRegistration(
    event,
    await registrationsOf(ctx.db, event).where("id", "=", id).executeTakeFirstOrThrow(notFound),
  );
}

/** Who comes, with the numbers of every state for the same search, and the questions of every version of the form. */
export async function listRegistrations(ctx: Ctx<User>, eventId: string, query: Listing & Filter) {
  const event = await findEvent(ctx.db, eventId);
  const { state, ...others } = query;
  const base = () => ctx.db.selectFrom("eventRegistrations").where("eventRegistrations.eventId", "=", eventId);
  const states = await base()
    .where(matching(others))
    .groupBy("state")
    .select(["state", (e) => e.fn.countAll<number>().as("n")])
    .execute();
  const { total } = await base()
    .where(matching(query))
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const { reached } = await base()
    .where("purgedAt", "is", null)
    .where(reachable(query))
    .select((e) => e.fn.countAll<number>().as("reached"))
    .executeTakeFirstOrThrow();
  const rows = await registrationsOf(ctx.db, event)
    .where(matching(query))
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
    items: rows.map((row) => asRegistration(event, row)),
    total,
    byState: Object.fromEntries(states.map(({ state: of, n }) => [of, n])),
    reachable: reached,
    questions: await allQuestions(ctx, event),
  };
}

/** Every question that was ever asked, the present ones first; gone ones keep their last label. */
export async function allQuestions({ db }: Pick<Ctx, "db">, event: EventRow): Promise<Question[]> {
  const found = new Map(questionsOf(event).map((question) => [question.id, question]));
  for (let version = event.questionVersion - 1; version > 0; version--)
    for (const question of await questionsAt(db, event.id, version))
      if (!found.has(question.id)) found.set(question.id, question);
  return [...found.values()];
}

/** Runs `work` for each of these registrations of one event, in the order of the queue, with the event locked. */
async function each(
  ctx: Ctx<User>,
  eventId: string,
  ids: string[],
  work: (tx: Tx, event: EventRow, registration: RegistrationRow) => Promise<unknown>,
) {
  await withEvent(ctx.db, eventId, async (tx, event) => {
    const rows = await tx
      .selectFrom("eventRegistrations")
      .where("eventId", "=", eventId)
      .where("id", "in", ids)
      .where("purgedAt", "is", null)
      .selectAll()
      .orderBy("queueNumber")
      .execute();
    // What one takes the next cannot have: the numbers of the event are read again each time.
    for (const row of rows) await work(tx, await findEvent(tx, event.id), row);
  });
}
const by = ({ user }: Ctx<User>) => ({ userId: user.id });

/** Approves or rejects those who wait for a decision; approved ones beyond the seats go to the waiting list. */
export async function approve(
  ctx: Ctx<User>,
  eventId: string,
  { ids, reject, reason }: { ids: string[]; reject: boolean; reason: string },
) {
  let changed = 0;
  let waitlisted = 0;
  await each(ctx, eventId, ids, async (tx, event, registration) => {
    if (registration.state !== "pending_approval") return;
    if (event.status !== "published") throw conflict("events.wrongState", undefined, { status: event.status });
    changed++;
    if (!reject) {
      if ((await seatRegistration(ctx, tx, event, registration, by(ctx))).state === "waitlisted") waitlisted++;
      return;
    }
    const rejected = await updateRegistration(tx, registration.id, { state: "rejected" });
    await record(tx, [registration.id], "rejected", by(ctx), reason);
    await renderEventMail(ctx, tx, "rejected", event, rejected, { reason });
  });
  return { changed, waitlisted };
}

/** Offers seats to chosen people of the waiting list, in the order of the list; over capacity only when said. */
export async function promote(
  ctx: Ctx<User>,
  eventId: string,
  { ids, overCapacity }: { ids: string[]; overCapacity: boolean },
) {
  let offered = 0;
  let full = 0;
  await each(ctx, eventId, ids, async (tx, event, registration) => {
    if (registration.state !== "waitlisted") return;
    if (event.status !== "published" || Date.parse(event.startsAt) <= Date.now())
      throw conflict("events.registrationClosed");
    if (await takeSeats(tx, event, registration.attendance, { over: overCapacity }))
      offered += await offerTo(ctx, tx, event, [registration], by(ctx));
    else full++;
  });
  return { offered, full };
}

export async function cancelFor(ctx: Ctx<User>, eventId: string, { ids, notify }: { ids: string[]; notify: boolean }) {
  let changed = 0;
  await each(ctx, eventId, ids, async (tx, _, registration) => {
    // An earlier one of this batch may have led to an offer for this one.
    const row = await tx
      .selectFrom("eventRegistrations")
      .where("id", "=", registration.id)
      .selectAll()
      .executeTakeFirstOrThrow();
    if (!isActive(row)) return;
    await cancelRegistration(ctx, tx, await findEvent(tx, eventId), row, by(ctx), notify);
    changed++;
  });
  return { changed };
}

/** Adds somebody by hand: confirmed when a seat is free, over capacity only when said, or on the waiting list. */
export async function addPerson(ctx: Ctx<User>, eventId: string, person: Person): Promise<Registration> {
  try {
    const id = await withEvent(ctx.db, eventId, async (tx, event) => {
      if (event.status !== "published") throw conflict("events.wrongState", undefined, { status: event.status });
      const { name, email, company, answers } = person;
      const account = await tx
        .selectFrom("users")
        .where("email", "=", email)
        .where("emailVerified", "=", true)
        .select("id")
        .executeTakeFirst();
      const made = await insert(ctx, tx, event, {
        name,
        email,
        company,
        answers,
        source: "admin",
        attendance: attendanceFor(event, person.attendance),
        userId: account?.id ?? null,
      });
      await record(tx, [made.id], "added", by(ctx), person.overCapacity ? "over capacity" : "");
      if (person.state === "waitlisted") await waitlistRegistration(ctx, tx, event, made, by(ctx), person.notify);
      else if (await takeSeats(tx, event, made.attendance, { over: person.overCapacity }))
        await confirmRegistration(ctx, tx, event, made, by(ctx), person.notify);
      else throw conflict("events.noSeat");
      return made.id;
    });
    return await readRegistration(ctx, id);
  } catch (error) {
    if (isUniqueViolation(error, "event_registrations_active")) throw conflict("events.alreadyRegistered");
    throw error;
  }
}

/** Writes to a filtered group, each person once. Says how many that are; the letters are written by a job. */
export async function message(
  ctx: Ctx<User>,
  eventId: string,
  { filter, subject, text }: { filter: Filter; subject: string; text: string },
) {
  const event = await findEvent(ctx.db, eventId);
  if (!(await reserve(ctx.db, ["event messages", eventId, ctx.user.id], MESSAGES, 3600)))
    throw new Problem(429, "core.tooMany", { values: { seconds: 3600 } });
  return inTransaction(ctx.db, async (tx) => {
    const rows = tx.selectFrom("eventRegistrations").where("eventId", "=", eventId).where("purgedAt", "is", null);
    const { sent } = await rows
      .where(reachable(filter))
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
