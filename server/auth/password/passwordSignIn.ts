import { sql } from "kysely";
import { type BetterAuth, verifyPassword } from "#server/auth/betterAuth.ts";
import { openSession, type SignedIn } from "#server/auth/openSession.ts";
import { reserveSignIn } from "#server/auth/password/lockouts.ts";
import type { Client } from "#server/auth/service.ts";
import { refuseIfSsoEnforced } from "#server/auth/sso/ssoDomains.ts";
import type { Db } from "#server/core/db.ts";
import { Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import type { auth } from "#shared/auth.ts";
import type { BodyOf } from "#shared/route.ts";

/** Signs a person in with email and password. */
export async function signInWithPassword(
  services: Services,
  library: BetterAuth,
  client: Client,
  input: BodyOf<typeof auth.signIn>,
): Promise<SignedIn> {
  const { db } = services;
  const email = input.email.toLowerCase();
  const found = await verifyCredentials(services, client, email, input.password);
  if (!found) throw new Problem(401, "auth.invalidCredentials");
  await refuseIfSsoEnforced(db, email, found.companyId);
  return openSession(services, library, client, found.id, "password");
}

/** The user with this email (lower case) and password, or null if they do not match. Throws 429 after too many attempts (lockouts.ts). */
export async function verifyCredentials(services: Services, client: Client, email: string, password: string) {
  const attempt = await reserveSignIn(services, client, email);
  const found = await findCredential(services.db, email);
  if (!(await verifyPassword(found?.password, password)) || !found) return null;
  await attempt.clear();
  return found;
}

export const findCredential = (db: Db, email: string) =>
  db
    .selectFrom("users")
    .innerJoin("authAccounts", "authAccounts.userId", "users.id")
    .where(sql`lower(users.email)`, "=", email)
    .where("providerId", "=", "credential")
    .select(["users.id", "users.companyId", "authAccounts.password"])
    .executeTakeFirst();
