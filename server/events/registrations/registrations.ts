import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, Problem, sentence } from "#server/core/http/problem.ts";
import { hashToken } from "#server/core/secrets.ts";
import { challengeOf, checkProofOfWork, enforceRateLimits } from "#server/events/registrations/registrationLimits.ts";
import { record } from "#server/events/registrations/registrationLog.ts";
import { enqueueEventMail } from "#server/events/mails.ts";
import { withLockedEvent } from "#server/events/registrations/offers.ts";
import {
  isFull,
  advanceRegistration,
  stateOfNew,
  updateRegistration,
} from "#server/events/registrations/registrationTransitions.ts";
import { type EventRow, type RegistrationRow, seatsOf } from "#server/events/registrations/seats.ts";
import { manageTokenOf, newReference } from "#server/events/checkin/tickets.ts";
import { getVisibleEvent, type Visit } from "#server/events/public/visibility.ts";
import { hasMailServer } from "#server/mails/mailServer.ts";
import { type Answers, checkAnswers } from "#shared/events/eventQuestions.ts";
import { CONFIRM_HOURS, type eventRegistrations, type RegistrationInput } from "#shared/events/eventRegistrations.ts";
import { ACTIVE_STATES, eventPhase } from "#shared/events/eventPhases.ts";
import type { BodyOf, Reply } from "#shared/core/route.ts";

/** A form that is sent again within this time does not trigger a second email. */
const DOUBLE_CLICK_MS = 20_000;

/** A proof-of-work challenge for an event that this visitor may see. */
export async function challengeFor(ctx: Ctx, slug: string, visit: Visit) {
  const event = await getVisibleEvent(ctx, slug, visit);
  return challengeOf(ctx, event.id);
}

/**
 * Handles a registration form. So that nobody can find out who is registered, the reply is the same for registered and
 * unregistered addresses: it says what happens to a new registration, and the actual status is sent by email. Only a
 * signed-in user with this verified address also gets it in the reply (docs/decisions/0021-registration-links.md).
 */
export async function registerFor(
  ctx: Ctx,
  slug: string,
  input: RegistrationInput,
  visit: Visit,
): Promise<Reply<typeof eventRegistrations.register>> {
  const event = await getVisibleEvent(ctx, slug, { ...visit, code: input.accessCode });
  const seatsBefore = await seatsOf(ctx.db, event);
  checkOpen(event, eventPhase(event, seatsBefore, new Date()));
  const attendance = attendanceFor(event, input.attendance);
  // Checked before looking up the address: otherwise the reply would differ for guests who are already registered.
  if (isFull(event, seatsBefore, attendance)) throw conflict("events.full");
  const answers = answersFor(event, input);
  const isVerified = await isVerifiedOwner(ctx, input.email);
  const reply: Reply<typeof eventRegistrations.register> = {
    next: event.requireEmailConfirmation ? "check_mail" : "done",
    reference: null,
    state: event.requireEmailConfirmation ? null : stateOfNew(event, seatsBefore, attendance),
    sendsMail: await hasMailServer(ctx),
  };
  // The honeypot field is filled in: a bot, which gets the normal reply.
  if (input.website !== "") return reply;
  if (event.challenge === "pow" && !isVerified) await checkProofOfWork(ctx, event.id, input.proofOfWork);
  await enforceRateLimits(ctx, {
    eventId: event.id,
    email: input.email,
    network: visit.network,
    userId: ctx.user?.id ?? null,
    isVerified,
  });

  const result = await withLockedEvent(ctx.db, event.id, async (tx, current) => {
    const existing = await findActive(tx, event.id, input.email);
    const seats = await seatsOf(tx, current);
    if (reply.state) reply.state = stateOfNew(current, seats, attendance);
    if (existing) return handleRepeatedForm(ctx, tx, current, existing, isVerified);
    checkOpen(current, eventPhase(current, seats, new Date()));
    const needsConfirmation = current.requireEmailConfirmation && !isVerified;
    const registration = await insertRegistration(ctx, tx, current, {
      name: input.name,
      email: input.email,
      company: input.company,
      attendance,
      answers,
      source: "web",
      timezone: input.timezone,
      marketingOptIn: input.marketingOptIn,
      questionVersion: input.questionVersion,
      noticeVersion: current.noticeVersion,
      privacyAcceptedAt: new Date().toISOString(),
      userId: isVerified ? (ctx.user?.id ?? null) : null,
      emailVerifiedAt: isVerified ? new Date().toISOString() : null,
      confirmUntil: needsConfirmation ? new Date(Date.now() + CONFIRM_HOURS * 3_600_000).toISOString() : null,
    });
    await record(tx, [registration.id], "registered", "self");
    if (!needsConfirmation) return advanceRegistration(ctx, tx, current, registration, seats);
    await enqueueEventMail(ctx, tx, "confirm", current, registration);
    return registration;
  });
  return isVerified ? { ...reply, next: "done", reference: result.reference, state: result.state } : reply;
}

/** The active registration of an email address. */
const findActive = (tx: Tx, eventId: string, email: string) =>
  tx
    .selectFrom("eventRegistrations")
    .where("eventId", "=", eventId)
    .where("email", "=", email)
    .where("state", "in", ACTIVE_STATES)
    .where("purgedAt", "is", null)
    .selectAll()
    .executeTakeFirst();

/** A form for a registered address changes nothing except its verification, and an email says so. */
async function handleRepeatedForm(ctx: Ctx, tx: Tx, event: EventRow, existing: RegistrationRow, isVerified: boolean) {
  if (isVerified && existing.state === "pending_email") {
    return advanceRegistration(
      ctx,
      tx,
      event,
      await updateRegistration(tx, existing.id, {
        emailVerifiedAt: new Date().toISOString(),
        userId: ctx.user?.id ?? null,
      }),
    );
  }
  if (existing.state === "pending_email")
    await updateRegistration(tx, existing.id, {
      confirmUntil: new Date(Date.now() + CONFIRM_HOURS * 3_600_000).toISOString(),
    });
  if (Date.now() - Date.parse(existing.createdAt) > DOUBLE_CLICK_MS)
    await enqueueEventMail(ctx, tx, existing.state === "pending_email" ? "confirm" : "already", event, existing);
  return isVerified && !existing.userId
    ? updateRegistration(tx, existing.id, {
        userId: ctx.user?.id ?? null,
        emailVerifiedAt: existing.emailVerifiedAt ?? new Date().toISOString(),
      })
    : existing;
}

/** Emails the link to a registration again. The reply does not reveal whether there is one. */
export async function sendLink(
  ctx: Ctx,
  slug: string,
  { email, accessCode }: BodyOf<typeof eventRegistrations.sendLink>,
  visit: Visit,
) {
  const event = await getVisibleEvent(ctx, slug, { ...visit, code: accessCode });
  await enforceRateLimits(ctx, {
    eventId: event.id,
    email,
    network: visit.network,
    userId: ctx.user?.id ?? null,
    isVerified: false,
  });
  await withLockedEvent(ctx.db, event.id, async (tx, current) => {
    const registration = await findActive(tx, event.id, email);
    if (!registration) return;
    const kind = registration.state === "pending_email" ? "confirm" : "link";
    await enqueueEventMail(ctx, tx, kind, current, registration);
  });
}

type NewRegistration = Pick<RegistrationRow, "name" | "email" | "company" | "attendance" | "source"> & {
  answers: Answers;
} & Partial<
    Pick<
      RegistrationRow,
      | "timezone"
      | "marketingOptIn"
      | "noticeVersion"
      | "privacyAcceptedAt"
      | "userId"
      | "emailVerifiedAt"
      | "confirmUntil"
      | "questionVersion"
    >
  >;

/** Inserts a registration in its first state. The database assigns its queue number, in the order of the forms. */
export async function insertRegistration(
  ctx: Pick<Ctx, "config">,
  tx: Tx,
  event: EventRow,
  { answers, ...values }: NewRegistration,
): Promise<RegistrationRow> {
  const id = crypto.randomUUID();
  return tx
    .insertInto("eventRegistrations")
    .values({
      id,
      eventId: event.id,
      reference: newReference(),
      state: "pending_email",
      manageTokenHash: hashToken(manageTokenOf(ctx, id)),
      questionVersion: event.questionVersion,
      ...values,
      answers: JSON.stringify(answers),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether this is the verified email address of the signed-in user. */
export async function isVerifiedOwner({ db, user }: Ctx, email: string) {
  if (!user || user.email?.toLowerCase() !== email) return false;
  const row = await db.selectFrom("users").where("id", "=", user.id).select("emailVerified").executeTakeFirst();
  return row?.emailVerified ?? false;
}

function checkOpen(event: EventRow, phase: ReturnType<typeof eventPhase>) {
  if (phase === "cancelled") throw conflict("events.isCancelled");
  if (event.status !== "published") throw conflict("events.registrationClosed", { phase });
  if (event.registrationMode === "external") throw conflict("events.external", { url: event.externalUrl });
  if (phase === "full") throw conflict("events.full");
  if (phase !== "open" && phase !== "waitlist_open") throw conflict("events.registrationClosed", { phase });
}

/** How the guest attends: chosen by the guest only for hybrid events. */
export function attendanceFor(event: EventRow, requested: RegistrationRow["attendance"] | undefined) {
  if (event.attendanceMode !== "hybrid") return event.attendanceMode;
  if (!requested) throw badField("attendance", "events.attendanceNeeded");
  return requested;
}

/**
 * The checked answers of a form. If the questions have changed meanwhile, the 409 contains the new ones, so that the
 * page can keep what was entered.
 */
function answersFor(event: EventRow, input: RegistrationInput): Answers {
  if (input.questionVersion !== event.questionVersion)
    throw conflict("events.formChanged", { questions: event.questions, questionVersion: event.questionVersion });
  return validAnswers(event.questions, input.answers);
}

export function validAnswers(questions: Parameters<typeof checkAnswers>[0], entered: Answers): Answers {
  const { answers, problems } = checkAnswers(questions, entered);
  if (problems.length > 0)
    throw new Problem(422, "core.invalid", {
      issues: problems.map(({ id, code }) => ({ path: `answers.${id}`, code, message: sentence(code) })),
    });
  return answers;
}
