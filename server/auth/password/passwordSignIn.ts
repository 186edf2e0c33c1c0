import { sql } from "kysely";
import type { BetterAuth } from "#server/auth/betterAuth.ts";
import { findKnownDevice } from "#server/auth/cookies.ts";
import { openSession, type SignedIn } from "#server/auth/sessions.ts";
import { runInPasswordQueue, verifyPassword } from "#server/auth/password/hashing.ts";
import { reserveSignIn } from "#server/auth/password/lockouts.ts";
import type { Client } from "#server/auth/service.ts";
import { refuseIfSsoEnforced } from "#server/auth/sso/ssoDomains.ts";
import type { Db } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import type { auth } from "#shared/auth/auth.ts";
import type { BodyOf } from "#shared/core/route.ts";

/** Signs a person in with email and password. */
export async function signInWithPassword(
  services: Services,
  library: BetterAuth,
  client: Client,
  input: BodyOf<typeof auth.signIn>,
): Promise<SignedIn> {
  const { db } = services;
  const email = input.email.toLowerCase();
  const user = await verifyCredentials(services, client, { ...input, email });
  if (!user) throw new Problem(401, "auth.invalidCredentials");
  await refuseIfSsoEnforced(db, email, user.companyId);
  return openSession(services, library, client, user.id, "password");
}

/**
 * The user with this email (lower case) and password, or null if they do not match. Throws 429 after too many attempts
 * (lockouts.ts), or if too many people sign in at once: everything runs in the queue, so that a flood cannot use up the
 * database connections. Known devices go first; they are bounded by their own limit.
 */
export async function verifyCredentials(
  services: Services,
  client: Client,
  { email, password, proofOfWork }: BodyOf<typeof auth.signIn>,
) {
  const verify = async () => {
    const attempt = await reserveSignIn(services, client, email, proofOfWork);
    const credential = await findCredential(services.db, email);
    if (!(await verifyPassword(credential?.password, password)) || !credential) return null;
    await attempt.clear();
    return credential;
  };
  const device = findKnownDevice(services.config, client.cookies, email);
  return runInPasswordQueue(verify, { client: device ?? client.network, isPriority: device !== null });
}

export const findCredential = (db: Db, email: string) =>
  db
    .selectFrom("users")
    .innerJoin("authAccounts", "authAccounts.userId", "users.id")
    .where(sql`lower(users.email)`, "=", email)
    .where("providerId", "=", "credential")
    .select(["users.id", "users.companyId", "authAccounts.password"])
    .executeTakeFirst();
