import type { Db, Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { conflict, notFound } from "#server/core/problem.ts";
import { hashToken } from "#server/core/secrets.ts";
import { readLog, record } from "#server/events/registrations/registrationLog.ts";
import { renderEventMail } from "#server/events/mails.ts";
import { offerFreeSeats, positionOf, whyWaiting, withEvent } from "#server/events/registrations/offers.ts";
import {
  cancelRegistration,
  confirmRegistration,
  isActive,
  admitRegistration,
  updateRegistration,
} from "#server/events/registrations/registrationTransitions.ts";
import { validAnswers } from "#server/events/registrations/registrations.ts";
import { type EventRow, isSeated, type RegistrationRow, releaseSeat } from "#server/events/registrations/seats.ts";
import { ticketOf, ticketPicture } from "#server/events/checkin/tickets.ts";
import { calendarUrlOf, publicRows, venueOf } from "#server/events/views.ts";
import { deleteMailsOf } from "#server/mails/service.ts";
import type { Answers, Question } from "#shared/eventQuestions.ts";
import { type MyRegistration, ticketPicturePath } from "#shared/eventRegistrations.ts";

// What a person does with the link of their mail. Reading changes nothing; mail programs open links by themselves.

const DAY = 86_400_000;

const byToken = async (db: Db | Tx, token: string): Promise<RegistrationRow> =>
  db
    .selectFrom("eventRegistrations")
    .where("manageTokenHash", "=", hashToken(token))
    .where("purgedAt", "is", null)
    .selectAll()
    .executeTakeFirstOrThrow(notFound);

/** Runs `work` on the registration of a token with its event locked, and answers how it stands then. */
async function act(
  ctx: Ctx,
  token: string,
  work: (tx: Tx, event: EventRow, registration: RegistrationRow) => Promise<unknown>,
) {
  const { eventId } = await byToken(ctx.db, token);
  await withEvent(ctx.db, eventId, async (tx, event) => work(tx, event, await byToken(tx, token)));
  return readSelfService(ctx, token);
}

export const purgeTime = (event: Pick<EventRow, "endsAt" | "retentionDays">) =>
  new Date(Date.parse(event.endsAt) + event.retentionDays * DAY).toISOString();

const canCancel = (event: EventRow, registration: RegistrationRow) =>
  isActive(registration) && event.cancelledAt === null && Date.now() < Date.parse(event.endsAt);
function canChange(event: EventRow, registration: RegistrationRow) {
  if (!canCancel(event, registration) || event.modificationMode === "never") return false;
  return event.modificationMode === "always" || Date.now() < Date.parse(event.registrationClosesAt ?? event.startsAt);
}

/** The questions as they were when these answers were given. */
export async function questionsAt(db: Db | Tx, eventId: string, version: number): Promise<Question[]> {
  const row = await db
    .selectFrom("eventQuestionVersions")
    .where("eventId", "=", eventId)
    .where("version", "=", version)
    .select("questions")
    .executeTakeFirst();
  return (row?.questions ?? []) as unknown as Question[];
}

export async function readSelfService(ctx: Ctx, token: string): Promise<MyRegistration> {
  const registration = await byToken(ctx.db, token);
  const event = await ctx.db
    .selectFrom("events")
    .where("id", "=", registration.eventId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const { reference, state, name, email, company, attendance, createdAt, confirmedAt, offerExpiresAt } = registration;
  const [row] = await publicRows(ctx, [event]);
  const isIn = state === "confirmed" && event.cancelledAt === null;
  const roomIsOpen = Date.now() >= Date.parse(event.startsAt) - event.joinOpensMinutes * 60_000;
  const hasTicket = isIn && attendance === "in_person";
  return {
    reference,
    state,
    name,
    email,
    company,
    attendance,
    answers: registration.answers as Answers,
    questions: await questionsAt(ctx.db, event.id, registration.questionVersion),
    createdAt,
    confirmedAt,
    offerExpiresAt,
    waitlistPosition: await positionOf(ctx.db, event, registration),
    waitlistReason: await whyWaiting(ctx.db, event, registration),
    canChange: canChange(event, registration),
    canCancel: canCancel(event, registration),
    purgeAt: purgeTime(event),
    onlineUrl: isIn && attendance === "online" && roomIsOpen && event.onlineUrl ? event.onlineUrl : null,
    ticket: hasTicket ? ticketOf(ctx, registration) : null,
    ticketUrl: hasTicket ? ticketPicturePath(token) : null,
    event: {
      ...(row as NonNullable<typeof row>),
      venue: venueOf(event),
      calendarUrl: calendarUrlOf(ctx, event),
      organiserName: event.organiserName,
      organiserEmail: event.organiserEmail,
      cancelReason: event.cancelReason,
    },
  };
}

/** Opens the door after the mailbox is proven. Doing it again is fine; the link ends after a day, or with the event's start. */
export const confirmMailbox = (ctx: Ctx, token: string) =>
  act(ctx, token, async (tx, event, registration) => {
    const own = ctx.user?.email.toLowerCase() === registration.email ? ctx.user.id : null;
    if (registration.state === "expired") throw conflict("events.linkExpired");
    if (registration.state !== "pending_email") return;
    if (registration.confirmUntil && Date.parse(registration.confirmUntil) <= Date.now())
      throw conflict("events.linkExpired");
    if (event.cancelledAt) throw conflict("events.isCancelled");
    if (event.status !== "published" || Date.now() >= Date.parse(event.startsAt))
      throw conflict("events.registrationClosed");
    const account =
      own ??
      (
        await tx
          .selectFrom("users")
          .where("email", "=", registration.email)
          .where("emailVerified", "=", true)
          .select("id")
          .executeTakeFirst()
      )?.id ??
      null;
    await record(tx, [registration.id], "mailbox_confirmed", "self");
    await admitRegistration(
      ctx,
      tx,
      event,
      await updateRegistration(tx, registration.id, { emailVerifiedAt: new Date().toISOString(), userId: account }),
    );
  });

type Change = { name?: string | undefined; company?: string | undefined; answers?: Answers | undefined };

/** Changes what the person entered. A new name makes a new ticket, which goes by mail; the old one is refused from then on. */
export const changeSelfService = (ctx: Ctx, token: string, { name, company, answers }: Change) =>
  act(ctx, token, async (tx, event, registration) => {
    if (!canChange(event, registration)) throw conflict("events.mayNotChange");
    const valid = answers && validAnswers(await questionsAt(tx, event.id, registration.questionVersion), answers);
    const renamed = name !== undefined && name !== registration.name;
    const changed = await updateRegistration(tx, registration.id, {
      ...(name !== undefined && { name }),
      ...(company !== undefined && { company }),
      ...(valid && { answers: JSON.stringify(valid) }),
      ...(renamed && { ticketVersion: registration.ticketVersion + 1 }),
    });
    await record(
      tx,
      [registration.id],
      "changed",
      "self",
      [renamed && "name", company !== undefined && company !== registration.company && "company", valid && "answers"]
        .filter(Boolean)
        .join(", "),
    );
    if (renamed && changed.state === "confirmed") await renderEventMail(ctx, tx, "confirmed", event, changed);
  });

function checkOffer(event: EventRow, { state, offerExpiresAt }: RegistrationRow) {
  if (state === "offer_expired" || (state === "offered" && offerExpiresAt && Date.parse(offerExpiresAt) <= Date.now()))
    throw conflict("events.offerExpired");
  if (state !== "offered" || event.cancelledAt) throw conflict("events.noOffer");
}

/** Takes the seat that is kept. Doing it again is fine. */
export const acceptOffer = (ctx: Ctx, token: string) =>
  act(ctx, token, async (tx, event, registration) => {
    if (registration.state === "confirmed") return;
    checkOffer(event, registration);
    // Whoever opened the offer from their mail has proven the mailbox.
    await confirmRegistration(
      ctx,
      tx,
      event,
      await updateRegistration(tx, registration.id, {
        emailVerifiedAt: registration.emailVerifiedAt ?? new Date().toISOString(),
      }),
      "self",
    );
  });

/** Gives the offered seat to the next. */
export const declineOffer = (ctx: Ctx, token: string) =>
  act(ctx, token, async (tx, event, registration) => {
    if (registration.state === "offer_declined") return;
    checkOffer(event, registration);
    await updateRegistration(tx, registration.id, { state: "offer_declined", offerExpiresAt: null });
    await releaseSeat(tx, event, registration.attendance);
    await record(tx, [registration.id], "offer_declined", "self");
    await offerFreeSeats(ctx, tx, event.id);
  });

export const cancelSelfService = (ctx: Ctx, token: string) =>
  act(ctx, token, async (tx, event, registration) => {
    if (registration.state === "cancelled") return;
    if (!canCancel(event, registration)) throw conflict("events.mayNotCancel");
    await cancelRegistration(ctx, tx, event, registration, "self");
  });

/** Everything that is kept about a registration, for its person: with words for what the numbers mean. */
export async function exportSelfService(ctx: Ctx, token: string) {
  const registration = await byToken(ctx.db, token);
  const { id, eventId, manageTokenHash: _, userId: __, ...kept } = registration;
  const [own, notice, checkIns, mails, log] = await Promise.all([
    readSelfService(ctx, token),
    registration.noticeVersion === null
      ? null
      : ctx.db
          .selectFrom("eventPrivacyNotices")
          .where("eventId", "=", eventId)
          .where("version", "=", registration.noticeVersion)
          .select(["version", "text", "sha256"])
          .executeTakeFirst(),
    ctx.db
      .selectFrom("eventCheckIns")
      .where("registrationId", "=", id)
      .select(["direction", "at", "recordedAt"])
      .orderBy("id")
      .execute(),
    ctx.db
      .selectFrom("mails")
      .where("registrationId", "=", id)
      .select(["subject", "body", "createdAt", "sentAt"])
      .orderBy("createdAt")
      .execute(),
    readLog(ctx.db, id),
  ]);
  return {
    schemaVersion: 1,
    generatedAt: new Date().toISOString(),
    event: { title: own.event.title, startsAt: own.event.startsAt, timezone: own.event.timezone },
    registration: kept,
    answers: own.questions.map(({ id: question, label }) => ({
      question: label,
      answer: own.answers[question] ?? null,
    })),
    agreedNotice: notice ?? null,
    deletedAfter: own.purgeAt,
    checkIns,
    mails,
    log: log.map(({ at, action, by }) => ({ at, action, by: by === "self" || by === "system" ? by : "organiser" })),
  };
}

/** Deletes a registration with everything about it; an active one is given up, and its seat goes to the next. */
export const eraseSelfService = async (ctx: Ctx, token: string) => eraseRegistration(ctx, await byToken(ctx.db, token));

/** The same by its id: for the erasure of a person who has an account. */
export async function eraseRegistration(ctx: Ctx, { id, eventId }: { id: string; eventId: string }) {
  await withEvent(ctx.db, eventId, async (tx, event) => {
    const registration = await tx
      .selectFrom("eventRegistrations")
      .where("id", "=", id)
      .select(["state", "attendance"])
      .executeTakeFirst();
    if (!registration) return;
    const seated = isSeated(registration.state) && event.cancelledAt === null;
    await deleteMailsOf(tx, [id]);
    await tx.deleteFrom("eventRegistrations").where("id", "=", id).execute();
    if (!seated) return;
    await releaseSeat(tx, event, registration.attendance);
    await offerFreeSeats(ctx, tx, eventId);
  });
}

/** The ticket as a picture, for those who have a place in the room. */
export async function selfServiceTicket(ctx: Ctx, token: string) {
  const { ticket } = await readSelfService(ctx, token);
  if (!ticket) throw notFound();
  return ticketPicture(ticket);
}
