import type { Ctx } from "#server/core/http/http.ts";
import { badField, Problem } from "#server/core/http/problem.ts";
import { consumeSolution, newChallenge } from "#server/core/limits/proofOfWork.ts";
import { reserve } from "#server/core/limits/throttle.ts";

const HOUR = 3600;
/** Upper limits per hour: emails to an address; forms from a network, by a user, and for an event. */
const MAILS_PER_ADDRESS = 3;
const FORMS_PER_NETWORK = 100;
const FORMS_PER_USER = 20;
const FORMS_PER_EVENT = 3000;
/** Upper limit of the numbers that a browser has to try: about 0.2 s on a phone. */
const MAX_NUMBER = 60_000;

type FormAttempt = { eventId: string; email: string; network: string; userId: string | null; isVerified: boolean };

/**
 * Counts a form before anything is sent or stored; 429 above a limit. Treats known and unknown addresses alike.
 * `isVerified`: the user's own verified address, to which the mail limit does not apply.
 */
export async function enforceRateLimits(
  { db }: Pick<Ctx, "db">,
  { eventId, email, network, userId, isVerified }: FormAttempt,
) {
  const tooMany = (code: "events.tooManyEntries" | "events.tooManyMails") => new Problem(429, code);
  if (userId && !(await reserve(db, ["event forms of person", userId], FORMS_PER_USER, HOUR)))
    throw tooMany("events.tooManyEntries");
  if (!userId && !(await reserve(db, ["event forms of network", network], FORMS_PER_NETWORK, HOUR)))
    throw tooMany("events.tooManyEntries");
  if (!(await reserve(db, ["event forms", eventId], FORMS_PER_EVENT, HOUR))) throw tooMany("events.tooManyEntries");
  if (!isVerified && !(await reserve(db, ["event mails", email], MAILS_PER_ADDRESS, HOUR)))
    throw tooMany("events.tooManyMails");
}

const purposeOf = (eventId: string) => `event ${eventId}`;

/** A proof-of-work challenge for one event; its solution is accepted once. */
export const challengeOf = (ctx: Pick<Ctx, "config">, eventId: string) =>
  newChallenge(ctx, purposeOf(eventId), MAX_NUMBER);

/** Rejects a form without an unused solution of a challenge for this event. */
export async function checkProofOfWork(ctx: Pick<Ctx, "config" | "db">, eventId: string, solution: string | undefined) {
  if (!(await consumeSolution(ctx, purposeOf(eventId), solution)))
    throw badField("proofOfWork", "events.proofOfWorkRequired");
}
