import { sql } from "kysely";
import { z } from "zod";
import { recordAccountAction } from "#server/audit/service.ts";
import { findKnownDevice } from "#server/auth/cookies.ts";
import type { Client } from "#server/auth/service.ts";
import type { Db } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { Problem } from "#server/core/http/problem.ts";
import { consumeSolution, newChallenge } from "#server/core/limits/proofOfWork.ts";
import { hashToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { release, releaseAll, reserve } from "#server/core/limits/throttle.ts";
import type { Challenge } from "#shared/auth/auth.ts";

// Lockout rules. Failed attempts are counted in windows of 15 minutes; a success clears the count. An attempt is
// reserved before it is verified, so that parallel attempts cannot exceed a limit. Beyond a limit the answer is 429
// `auth.tooManyAttempts`.
//
// Limits must not allow anyone to lock other people out. A known device has its own count and no other limit. Other
// devices may exceed the limits with proof of work, up to higher limits: the 429 has a challenge in
// `details.challenge`. Beyond those, a password reset by email clears all counts of the person.

const WINDOW_SECONDS = 900;
/** Attempts per email and network or known device; also per person for a password confirmation or second factor. */
const MAX_ATTEMPTS = 5;
/** Attempts per email from all networks. */
const MAX_ATTEMPTS_PER_EMAIL = 50;
/** Attempts per network for any email. */
const MAX_ATTEMPTS_PER_NETWORK = 200;
/**
 * Further attempts with proof of work: per email and network, per network for any email, and per email from all
 * networks.
 */
const MAX_PROVED_ATTEMPTS = 25;
const MAX_PROVED_ATTEMPTS_PER_NETWORK = 1000;
const MAX_PROVED_ATTEMPTS_PER_EMAIL = 500;
/** Upper limit of the numbers that a browser has to try: about 0.5 s on a laptop, 2 s on a phone. */
const MAX_NUMBER = 500_000;

/** A reserved attempt; `clear` must be called after a success. */
type Attempt = { clear: () => Promise<unknown> };
type Limit = { key: string[]; attempts: number };

const tooManyAttempts = (challenge?: Challenge) =>
  new Problem(429, "auth.tooManyAttempts", challenge && { details: { challenge } });

/**
 * Reserves an attempt to sign in with a password; `email` in lower case. `proofOfWork`: a solution of the challenge in
 * the 429.
 */
export async function reserveSignIn(
  services: Services,
  client: Client,
  email: string,
  proofOfWork?: string,
): Promise<Attempt> {
  const { db, config } = services;
  const device = findKnownDevice(config, client.cookies, email);
  if (device) {
    const limit = { key: ["sign-in", email, "device", device], attempts: MAX_ATTEMPTS };
    if (!(await reserveWithin(db, [limit], email))) throw tooManyAttempts();
    return { clear: () => release(db, [limit.key]) };
  }
  const network = ["sign-in from", client.network];
  const limits = [
    { key: ["sign-in", email, client.network], attempts: MAX_ATTEMPTS },
    { key: ["sign-in", email], attempts: MAX_ATTEMPTS_PER_EMAIL },
  ];
  const provedLimits = [
    { key: ["sign-in proved", email, client.network], attempts: MAX_PROVED_ATTEMPTS },
    { key: ["sign-in proved", email], attempts: MAX_PROVED_ATTEMPTS_PER_EMAIL },
  ];
  // The limit of the network comes first: beyond it, attempts must not use up those of the email.
  const isWithinLimits =
    (await reserve(db, network, MAX_ATTEMPTS_PER_NETWORK, WINDOW_SECONDS)) && (await reserveWithin(db, limits, email));
  if (!isWithinLimits) {
    if (!(await consumeSolution(services, purposeOf(email), proofOfWork)))
      throw tooManyAttempts(await newChallenge(services, purposeOf(email), MAX_NUMBER));
    const provedNetwork = ["sign-in proved from", client.network];
    const isAllowed = await reserve(db, provedNetwork, MAX_PROVED_ATTEMPTS_PER_NETWORK, WINDOW_SECONDS);
    if (!isAllowed || !(await reserveWithin(db, provedLimits, email))) throw tooManyAttempts();
  }
  const keys = [...limits, ...provedLimits].map(({ key }) => key);
  return { clear: () => release(db, keys, network) };
}

/** The email is hashed, because solutions are readable. */
const purposeOf = (email: string) => `sign-in ${hashToken(email)}`;

/** Reserves an attempt of each limit, in this order. At the first that is reached, records a lockout; then false. */
async function reserveWithin(db: Db, limits: Limit[], email: string) {
  for (const { key, attempts } of limits) {
    if (await reserve(db, key, attempts, WINDOW_SECONDS, email)) continue;
    await enqueueLockout(db, key, email);
    return false;
  }
  return true;
}

/** Reserves an attempt to confirm the password in a session. */
export async function reserveConfirmation(db: Db, userId: string): Promise<Attempt> {
  const key = ["prove", userId];
  if (!(await reserve(db, key, MAX_ATTEMPTS, WINDOW_SECONDS))) throw tooManyAttempts();
  return { clear: () => release(db, [key]) };
}

/** Reserves an attempt to enter a code of the authenticator app or a recovery code. A lockout is recorded once. */
export async function reserveFactorAttempt(db: Db, userId: string, method: "app" | "recovery"): Promise<Attempt> {
  const key = ["second step", userId];
  const recorded = [...key, "lock"];
  if (!(await reserve(db, key, MAX_ATTEMPTS, WINDOW_SECONDS))) {
    if (await reserve(db, recorded, 1, WINDOW_SECONDS))
      await recordAccountAction(db, userId, "account.locked", { second: method }, "nobody");
    throw tooManyAttempts();
  }
  return { clear: () => release(db, [key, recorded]) };
}

/** Clears all sign-in lockouts of an email (lower case), for every network and device. */
export const clearLockouts = (db: Db, email: string) => releaseAll(db, email);

/**
 * Records a lockout, once per window. The account is looked up later, by a job, so that the response takes the same
 * time whether or not the email has an account.
 */
async function enqueueLockout(db: Db, key: string[], email: string) {
  if (await reserve(db, [...key, "recorded"], 1, WINDOW_SECONDS, email)) await recordLockout.enqueue(db, { email });
}

export const recordLockout = job("auth:locked", z.object({ email: z.string() }), async ({ db }, { email }) => {
  const person = await db
    .selectFrom("users")
    .where(sql`lower(email)`, "=", email)
    .select("id")
    .executeTakeFirst();
  if (person) await recordAccountAction(db, person.id, "account.locked", {}, "nobody");
});
