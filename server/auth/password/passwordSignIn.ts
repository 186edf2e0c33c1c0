import { sql } from "kysely";
import { findKnownDevice } from "#server/auth/cookies.ts";
import { openSession, type SignedIn } from "#server/auth/openSession.ts";
import { type BetterAuth, verifyPassword } from "#server/auth/betterAuth.ts";
import { enqueueLockout } from "#server/auth/password/lockouts.ts";
import type { Client } from "#server/auth/service.ts";
import { refuseIfSsoEnforced } from "#server/auth/sso/ssoDomains.ts";
import type { Db } from "#server/core/db.ts";
import { Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { giveBack, release, reserve } from "#server/core/throttle.ts";

/** Wrong guesses for one email from one network, and from everywhere, before guessing is refused for a quarter of an hour. */
const GUESSES = 5;
const GUESSES_ANYWHERE = 50;
/** Wrong guesses from one network, whatever the email. */
const GUESSES_OF_NETWORK = 200;
const WINDOW_SECONDS = 900;

/** Signs a person in. */
export async function signInWithPassword(
  services: Services,
  library: BetterAuth,
  client: Client,
  input: { email: string; password: string },
): Promise<SignedIn> {
  const { db } = services;
  const email = input.email.toLowerCase();
  const found = await verifyCredentials(services, client, email, input.password);
  if (!found) throw new Problem(401, "auth.invalidCredentials");
  await refuseIfSsoEnforced(db, email, found.companyId);
  return openSession(services, library, client, found.id, "password");
}

/**
 * Whose email (lower case) and password these are; null when they do not fit. The try is reserved before the password is
 * looked at; a success forgets the earlier ones. Throws when there were too many.
 */
export async function verifyCredentials({ db, config }: Services, client: Client, email: string, password: string) {
  const device = findKnownDevice(config, client.cookies, email);
  const network = ["sign-in from", client.network];
  const locks = device
    ? [["sign-in", email, "device", device]]
    : [
        ["sign-in", email, client.network],
        ["sign-in", email],
      ];
  if (!(await tryAgain(db, network, locks, email))) throw new Problem(429, "auth.tooManyAttempts");

  const found = await findCredential(db, email);
  if (!(await verifyPassword(found?.password, password)) || !found) return null;
  await Promise.all([...locks.map((lock) => release(db, lock)), giveBack(db, network)]);
  return found;
}

/** One after the other: a network that has used up its own guesses must not use up everybody's. */
async function tryAgain(db: Db, network: string[], [own, anywhere]: string[][], email: string) {
  if (!(await reserve(db, network, GUESSES_OF_NETWORK, WINDOW_SECONDS))) return false;
  for (const [lock, guesses] of [
    [own, GUESSES],
    [anywhere, GUESSES_ANYWHERE],
  ] as const) {
    if (!lock || (await reserve(db, lock, guesses, WINDOW_SECONDS, email))) continue;
    await enqueueLockout(db, lock, WINDOW_SECONDS, email);
    return false;
  }
  return true;
}

export const findCredential = (db: Db, email: string) =>
  db
    .selectFrom("users")
    .innerJoin("authAccounts", "authAccounts.userId", "users.id")
    .where(sql`lower(users.email)`, "=", email)
    .where("providerId", "=", "credential")
    .select(["users.id", "users.companyId", "authAccounts.password"])
    .executeTakeFirst();
