import type { z } from "zod";
import type { Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { badField, conflict, Problem, sentence } from "#server/core/problem.ts";
import { hashToken } from "#server/core/secrets.ts";
import { checkProofOfWork, countForm, newChallenge } from "#server/events/registrations/registrationLimits.ts";
import { record } from "#server/events/registrations/registrationLog.ts";
import { renderEventMail } from "#server/events/mails.ts";
import { withEvent } from "#server/events/registrations/offers.ts";
import { isFull, admitRegistration, updateRegistration } from "#server/events/registrations/registrationTransitions.ts";
import { type EventRow, type RegistrationRow, seatsOf } from "#server/events/registrations/seats.ts";
import { manageTokenOf, newReference } from "#server/events/checkin/tickets.ts";
import { questionsOf } from "#server/events/views.ts";
import { openEvent, type Visit } from "#server/events/public/visibility.ts";
import { type Answers, checkAnswers } from "#shared/eventQuestions.ts";
import { CONFIRM_HOURS, type RegistrationInput, type registrationReply } from "#shared/eventRegistrations.ts";
import { ACTIVE_STATES, eventPhase } from "#shared/eventStates.ts";

type Reply = z.infer<typeof registrationReply>;
/** A form that was sent twice within this time gets no second mail. */
const DOUBLE_CLICK_MS = 20_000;

/** A challenge for the form of an event that this visitor may see. */
export async function challengeFor(ctx: Ctx, slug: string, visit: Visit) {
  const event = await openEvent(ctx, slug, visit);
  return newChallenge(ctx, event.id);
}

/**
 * Takes a form. What it answers is the same for an address that is registered already and for one that is not; the mail tells
 * how it stands. Only a signed-in person whose own, proven mailbox it is gets to know it here.
 */
export async function registerFor(ctx: Ctx, slug: string, input: RegistrationInput, visit: Visit): Promise<Reply> {
  const event = await openEvent(ctx, slug, { ...visit, code: input.accessCode });
  const seen = await seatsOf(ctx.db, event);
  checkOpen(event, eventPhase(event, seen, new Date()));
  const attendance = attendanceFor(event, input.attendance);
  // Before anybody is looked for: what is full is full for those who are in, too, or the answer would tell them apart.
  if (isFull(event, seen, attendance)) throw conflict("events.full");
  const answers = answersFor(event, input);
  const proven = await isProven(ctx, input.email);
  const answer: Reply = { next: event.requireEmailConfirmation ? "check_mail" : "done", reference: null, state: null };
  // A field that people do not see was filled in: a program, which learns nothing.
  if (input.website !== "") return answer;
  if (event.challenge === "pow" && !proven) await checkProofOfWork(ctx, event.id, input.proofOfWork);
  await countForm(ctx, {
    eventId: event.id,
    email: input.email,
    network: visit.network,
    userId: ctx.user?.id ?? null,
    proven,
  });

  const made = await withEvent(ctx.db, event.id, async (tx, fresh) => {
    const known = await tx
      .selectFrom("eventRegistrations")
      .where("eventId", "=", event.id)
      .where("email", "=", input.email)
      .where("state", "in", ACTIVE_STATES)
      .where("purgedAt", "is", null)
      .selectAll()
      .executeTakeFirst();
    if (known) return again(ctx, tx, fresh, known, proven);
    const seats = await seatsOf(tx, fresh);
    checkOpen(fresh, eventPhase(fresh, seats, new Date()));
    const waits = fresh.requireEmailConfirmation && !proven;
    const registration = await insert(ctx, tx, fresh, {
      name: input.name,
      email: input.email,
      company: input.company,
      attendance,
      answers,
      source: "web",
      timezone: input.timezone,
      marketingOptIn: input.marketingOptIn,
      questionVersion: input.questionVersion,
      noticeVersion: fresh.noticeVersion,
      privacyAcceptedAt: new Date().toISOString(),
      userId: proven ? (ctx.user?.id ?? null) : null,
      emailVerifiedAt: proven ? new Date().toISOString() : null,
      confirmUntil: waits ? new Date(Date.now() + CONFIRM_HOURS * 3_600_000).toISOString() : null,
    });
    await record(tx, [registration.id], "registered", "self");
    if (!waits) return admitRegistration(ctx, tx, fresh, registration, seats);
    await renderEventMail(ctx, tx, "confirm", fresh, registration);
    return registration;
  });
  return proven ? { next: "done", reference: made.reference, state: made.state } : answer;
}

/** Somebody who is registered already: nothing changes but what is proven now, and a mail says so. */
async function again(ctx: Ctx, tx: Tx, event: EventRow, known: RegistrationRow, proven: boolean) {
  if (proven && known.state === "pending_email") {
    return admitRegistration(
      ctx,
      tx,
      event,
      await updateRegistration(tx, known.id, {
        emailVerifiedAt: new Date().toISOString(),
        userId: ctx.user?.id ?? null,
      }),
    );
  }
  if (known.state === "pending_email")
    await updateRegistration(tx, known.id, {
      confirmUntil: new Date(Date.now() + CONFIRM_HOURS * 3_600_000).toISOString(),
    });
  if (Date.now() - Date.parse(known.createdAt) > DOUBLE_CLICK_MS)
    await renderEventMail(ctx, tx, known.state === "pending_email" ? "confirm" : "already", event, known);
  return proven && !known.userId
    ? updateRegistration(tx, known.id, {
        userId: ctx.user?.id ?? null,
        emailVerifiedAt: known.emailVerifiedAt ?? new Date().toISOString(),
      })
    : known;
}

/** Sends the link of a registration once more. Whether there was one only the mailbox gets to know. */
export async function sendLink(
  ctx: Ctx,
  slug: string,
  { email, accessCode }: { email: string; accessCode?: string | undefined },
  visit: Visit,
) {
  const event = await openEvent(ctx, slug, { ...visit, code: accessCode });
  await countForm(ctx, {
    eventId: event.id,
    email,
    network: visit.network,
    userId: ctx.user?.id ?? null,
    proven: false,
  });
  await withEvent(ctx.db, event.id, async (tx, fresh) => {
    const known = await tx
      .selectFrom("eventRegistrations")
      .where("eventId", "=", event.id)
      .where("email", "=", email)
      .where("state", "in", ACTIVE_STATES)
      .where("purgedAt", "is", null)
      .selectAll()
      .executeTakeFirst();
    if (known) await renderEventMail(ctx, tx, known.state === "pending_email" ? "confirm" : "link", fresh, known);
  });
}

type New = Pick<RegistrationRow, "name" | "email" | "company" | "attendance" | "source"> & {
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

/** A new row in its first state; the place in the queue is taken here, at the time of the form. */
export async function insert(
  ctx: Pick<Ctx, "config">,
  tx: Tx,
  event: EventRow,
  { answers, ...values }: New,
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

/** Whether this address is the own, proven mailbox of who is signed in. */
export async function isProven({ db, user }: Ctx, email: string) {
  if (!user || user.email.toLowerCase() !== email) return false;
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

/** How somebody takes part: said by the event, unless it is hybrid. */
export function attendanceFor(event: EventRow, wanted: RegistrationRow["attendance"] | undefined) {
  if (event.attendanceMode !== "hybrid") return event.attendanceMode;
  if (!wanted) throw badField("attendance", "events.attendanceNeeded");
  return wanted;
}

/** Answers that fit the form; a form that changed in the meantime comes back with the refusal, so that nothing entered is lost. */
function answersFor(event: EventRow, input: RegistrationInput): Answers {
  const questions = questionsOf(event);
  if (input.questionVersion !== event.questionVersion)
    throw conflict("events.formChanged", { questions, questionVersion: event.questionVersion });
  return validAnswers(questions, input.answers);
}

export function validAnswers(questions: Parameters<typeof checkAnswers>[0], given: Answers): Answers {
  const { answers, problems } = checkAnswers(questions, given);
  if (problems.length > 0)
    throw new Problem(422, "core.invalid", {
      issues: problems.map(({ id, code }) => ({ path: `answers.${id}`, code, message: sentence(code) })),
    });
  return answers;
}
