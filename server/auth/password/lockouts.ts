import { sql } from "kysely";
import { z } from "zod";
import { recordAccountAction } from "#server/audit/service.ts";
import { findKnownDevice } from "#server/auth/cookies.ts";
import type { Client } from "#server/auth/service.ts";
import type { Db } from "#server/core/db.ts";
import { job } from "#server/core/jobs.ts";
import { Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { giveBack, release, releaseAll, reserve } from "#server/core/throttle.ts";

// Lockout rules. Failed attempts are counted in windows of 15 minutes; a success clears the count. An attempt is reserved before it is
// verified, so that parallel attempts cannot exceed a limit. Beyond a limit the answer is 429 `auth.tooManyAttempts`.

const WINDOW_SECONDS = 900;
/** Attempts per email and network or known device; also per person for a password confirmation or second factor. */
const MAX_ATTEMPTS = 5;
/** Attempts per email from all networks. */
const MAX_ATTEMPTS_PER_EMAIL = 50;
/** Attempts per network for any email. */
const MAX_ATTEMPTS_PER_NETWORK = 200;

/** A reserved attempt; `clear` must be called after a success. */
type Attempt = { clear: () => Promise<unknown> };
type Limit = { key: string[]; attempts: number };

const tooManyAttempts = () => new Problem(429, "auth.tooManyAttempts");

/** Reserves an attempt to sign in with a password; `email` in lower case. */
export async function reserveSignIn({ db, config }: Services, client: Client, email: string): Promise<Attempt> {
  const network = ["sign-in from", client.network];
  const limits = limitsFor(findKnownDevice(config, client.cookies, email), client, email);
  // The network first: once it has used up its own attempts, it must not use up those of the email.
  if (!(await reserve(db, network, MAX_ATTEMPTS_PER_NETWORK, WINDOW_SECONDS))) throw tooManyAttempts();
  for (const { key, attempts } of limits) {
    if (await reserve(db, key, attempts, WINDOW_SECONDS, email)) continue;
    await enqueueLockout(db, key, email);
    throw tooManyAttempts();
  }
  return { clear: () => Promise.all([...limits.map(({ key }) => release(db, key)), giveBack(db, network)]) };
}

/** A known device has its own count, which attackers elsewhere cannot use up. */
function limitsFor(device: string | null, client: Client, email: string): Limit[] {
  if (device) return [{ key: ["sign-in", email, "device", device], attempts: MAX_ATTEMPTS }];
  return [
    { key: ["sign-in", email, client.network], attempts: MAX_ATTEMPTS },
    { key: ["sign-in", email], attempts: MAX_ATTEMPTS_PER_EMAIL },
  ];
}

/** Reserves an attempt to confirm the password in a session. */
export async function reserveConfirmation(db: Db, userId: string): Promise<Attempt> {
  const key = ["prove", userId];
  if (!(await reserve(db, key, MAX_ATTEMPTS, WINDOW_SECONDS))) throw tooManyAttempts();
  return { clear: () => release(db, key) };
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
  return { clear: () => Promise.all([release(db, key), release(db, recorded)]) };
}

/** Clears all sign-in lockouts of an email (lower case), for every network and device. */
export const clearLockouts = (db: Db, email: string) => releaseAll(db, email);

/**
 * Records a lockout, once per window. The account is looked up later, by a job, so that the response takes the same time whether
 * or not the email has an account.
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
