import type { Db, Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { hashToken } from "#server/core/secrets.ts";
import { readLog, record } from "#server/events/registrations/registrationLog.ts";
import { enqueueEventMail } from "#server/events/mails.ts";
import {
  offerFreeSeats,
  waitlistPositionOf,
  waitlistReasonOf,
  withLockedEvent,
} from "#server/events/registrations/offers.ts";
import {
  cancelRegistration,
  confirmRegistration,
  isActive,
  advanceRegistration,
  updateRegistration,
} from "#server/events/registrations/registrationTransitions.ts";
import { validAnswers } from "#server/events/registrations/registrations.ts";
import { type EventRow, isSeated, type RegistrationRow, releaseSeat } from "#server/events/registrations/seats.ts";
import { ticketOf, ticketPicture } from "#server/events/checkin/tickets.ts";
import { calendarUrlOf, publicRows } from "#server/events/views.ts";
import { deleteRegistrationMails } from "#server/mails/service.ts";
import type { Question } from "#shared/events/eventQuestions.ts";
import { type MyRegistration, ticketPicturePath, type eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { BodyOf } from "#shared/core/route.ts";

// What guests do with the link in their email. Reading must change nothing, because mail programs prefetch links.

const DAY = 86_400_000;

const byToken = async (db: Db, token: string): Promise<RegistrationRow> =>
  db
    .selectFrom("eventRegistrations")
    .where("manageTokenHash", "=", hashToken(token))
    .where("purgedAt", "is", null)
    .selectAll()
    .executeTakeFirstOrThrow(notFound);

/** Runs `work` on the registration of a token with its event locked, and returns the registration afterwards. */
async function changeByToken(
  ctx: Ctx,
  token: string,
  work: (tx: Tx, event: EventRow, registration: RegistrationRow) => Promise<unknown>,
) {
  const { eventId } = await byToken(ctx.db, token);
  await withLockedEvent(ctx.db, eventId, async (tx, event) => work(tx, event, await byToken(tx, token)));
  return getMyRegistration(ctx, token);
}

export const purgeTimeOf = (event: Pick<EventRow, "endsAt" | "retentionDays">) =>
  new Date(Date.parse(event.endsAt) + event.retentionDays * DAY).toISOString();

const canCancel = (event: EventRow, registration: RegistrationRow) =>
  isActive(registration) && event.cancelledAt === null && Date.now() < Date.parse(event.endsAt);
function canChange(event: EventRow, registration: RegistrationRow) {
  if (!canCancel(event, registration) || event.modificationMode === "never") return false;
  return event.modificationMode === "always" || Date.now() < Date.parse(event.registrationClosesAt ?? event.startsAt);
}

/** The questions of a form version. */
export async function questionsOfVersion(db: Db, eventId: string, version: number): Promise<Question[]> {
  const row = await db
    .selectFrom("eventQuestionVersions")
    .where("eventId", "=", eventId)
    .where("version", "=", version)
    .select("questions")
    .executeTakeFirst();
  return row?.questions ?? [];
}

export async function getMyRegistration(ctx: Ctx, token: string): Promise<MyRegistration> {
  const registration = await byToken(ctx.db, token);
  const event = await ctx.db
    .selectFrom("events")
    .where("id", "=", registration.eventId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const { reference, state, name, email, company, attendance, createdAt, confirmedAt, offerExpiresAt } = registration;
  const [row] = await publicRows(ctx, [event]);
  const isAttending = state === "confirmed" && event.cancelledAt === null;
  const isJoinable = Date.now() >= Date.parse(event.startsAt) - event.joinOpensMinutes * 60_000;
  const hasTicket = isAttending && attendance === "in_person";
  return {
    reference,
    state,
    name,
    email,
    company,
    attendance,
    answers: registration.answers,
    questions: await questionsOfVersion(ctx.db, event.id, registration.questionVersion),
    createdAt,
    confirmedAt,
    offerExpiresAt,
    waitlistPosition: await waitlistPositionOf(ctx.db, event, registration),
    waitlistReason: await waitlistReasonOf(ctx.db, event, registration),
    canChange: canChange(event, registration),
    canCancel: canCancel(event, registration),
    purgeAt: purgeTimeOf(event),
    onlineUrl: isAttending && attendance === "online" && isJoinable && event.onlineUrl ? event.onlineUrl : null,
    ticket: hasTicket ? ticketOf(ctx, registration) : null,
    ticketUrl: hasTicket ? ticketPicturePath(token) : null,
    event: {
      ...(row as NonNullable<typeof row>),
      venue: event.venue,
      calendarUrl: calendarUrlOf(ctx, event),
      organiserName: event.organiserName,
      organiserEmail: event.organiserEmail,
      cancelReason: event.cancelReason,
    },
  };
}

/**
 * Confirms the email address. Repeating it changes nothing. The link is valid for a day, at most until the start of the
 * event.
 */
export const confirmEmail = (ctx: Ctx, token: string) =>
  changeByToken(ctx, token, async (tx, event, registration) => {
    const ownUserId = ctx.user?.email?.toLowerCase() === registration.email ? ctx.user.id : null;
    if (registration.state === "expired") throw conflict("events.linkExpired");
    if (registration.state !== "pending_email") return;
    if (registration.confirmUntil && Date.parse(registration.confirmUntil) <= Date.now())
      throw conflict("events.linkExpired");
    if (event.cancelledAt) throw conflict("events.isCancelled");
    if (event.status !== "published" || Date.now() >= Date.parse(event.startsAt))
      throw conflict("events.registrationClosed");
    const account =
      ownUserId ??
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
    await advanceRegistration(
      ctx,
      tx,
      event,
      await updateRegistration(tx, registration.id, { emailVerifiedAt: new Date().toISOString(), userId: account }),
    );
  });

type Change = BodyOf<typeof eventRegistrations.updateMine>;

/** Changes what the guest entered. A new name invalidates the ticket; the new one is sent by email. */
export const updateMyRegistration = (ctx: Ctx, token: string, { name, company, answers }: Change) =>
  changeByToken(ctx, token, async (tx, event, registration) => {
    if (!canChange(event, registration)) throw conflict("events.mayNotChange");
    const valid =
      answers && validAnswers(await questionsOfVersion(tx, event.id, registration.questionVersion), answers);
    const isRenamed = name !== undefined && name !== registration.name;
    const changed = await updateRegistration(tx, registration.id, {
      ...(name !== undefined && { name }),
      ...(company !== undefined && { company }),
      ...(valid && { answers: JSON.stringify(valid) }),
      ...(isRenamed && { ticketVersion: registration.ticketVersion + 1 }),
    });
    await record(
      tx,
      [registration.id],
      "changed",
      "self",
      [isRenamed && "name", company !== undefined && company !== registration.company && "company", valid && "answers"]
        .filter(Boolean)
        .join(", "),
    );
    if (isRenamed && changed.state === "confirmed") await enqueueEventMail(ctx, tx, "confirmed", event, changed);
  });

function checkOffer(event: EventRow, { state, offerExpiresAt }: RegistrationRow) {
  if (state === "offer_expired" || (state === "offered" && offerExpiresAt && Date.parse(offerExpiresAt) <= Date.now()))
    throw conflict("events.offerExpired");
  if (state !== "offered" || event.cancelledAt) throw conflict("events.noOffer");
}

/** Accepts the offered seat. Repeating it changes nothing. */
export const acceptOffer = (ctx: Ctx, token: string) =>
  changeByToken(ctx, token, async (tx, event, registration) => {
    if (registration.state === "confirmed") return;
    checkOffer(event, registration);
    // Opening the offer by the link in the email verifies the address.
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

/** Declines the offered seat, which is then offered to the next person. */
export const declineOffer = (ctx: Ctx, token: string) =>
  changeByToken(ctx, token, async (tx, event, registration) => {
    if (registration.state === "offer_declined") return;
    checkOffer(event, registration);
    await updateRegistration(tx, registration.id, { state: "offer_declined", offerExpiresAt: null });
    await releaseSeat(tx, event, registration.attendance);
    await record(tx, [registration.id], "offer_declined", "self");
    await offerFreeSeats(ctx, tx, event.id);
  });

export const cancelMyRegistration = (ctx: Ctx, token: string) =>
  changeByToken(ctx, token, async (tx, event, registration) => {
    if (registration.state === "cancelled") return;
    if (!canCancel(event, registration)) throw conflict("events.mayNotCancel");
    await cancelRegistration(ctx, tx, event, registration, "self");
  });

/** All data stored about a registration, for its guest (GDPR, articles 15 and 20). */
export async function exportMyRegistration(ctx: Ctx, token: string) {
  const registration = await byToken(ctx.db, token);
  const { id, eventId, manageTokenHash: _, userId: __, ...stored } = registration;
  const [registrationView, notice, checkIns, mails, log] = await Promise.all([
    getMyRegistration(ctx, token),
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
    event: {
      title: registrationView.event.title,
      startsAt: registrationView.event.startsAt,
      timezone: registrationView.event.timezone,
    },
    registration: stored,
    answers: registrationView.questions.map(({ id: question, label }) => ({
      question: label,
      answer: registrationView.answers[question] ?? null,
    })),
    agreedNotice: notice ?? null,
    deletedAfter: registrationView.purgeAt,
    checkIns,
    mails,
    log: log.map(({ at, action, by }) => ({ at, action, by: by === "self" || by === "system" ? by : "organiser" })),
  };
}

/** Deletes a registration with all its data. A seat becomes free for the waiting list. */
export const eraseMyRegistration = async (ctx: Ctx, token: string) =>
  eraseRegistration(ctx, await byToken(ctx.db, token));

/** Deletes a registration by id, when an account is erased. */
export async function eraseRegistration(ctx: Ctx, { id, eventId }: { id: string; eventId: string }) {
  await withLockedEvent(ctx.db, eventId, async (tx, event) => {
    const registration = await tx
      .selectFrom("eventRegistrations")
      .where("id", "=", id)
      .select(["state", "attendance"])
      .executeTakeFirst();
    if (!registration) return;
    const seated = isSeated(registration.state) && event.cancelledAt === null;
    await deleteRegistrationMails(tx, [id]);
    await tx.deleteFrom("eventRegistrations").where("id", "=", id).execute();
    if (!seated) return;
    await releaseSeat(tx, event, registration.attendance);
    await offerFreeSeats(ctx, tx, eventId);
  });
}

/** The ticket as an image; 404 without an in-person seat. */
export async function myTicketPicture(ctx: Ctx, token: string) {
  const { ticket } = await getMyRegistration(ctx, token);
  if (!ticket) throw notFound();
  return ticketPicture(ticket);
}
