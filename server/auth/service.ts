import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { sql } from "kysely";
import { listFactors } from "#server/auth/factors/factors.ts";
import type { BetterAuth } from "#server/auth/betterAuth.ts";
import type { Db } from "#server/core/db.ts";
import { Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { endCourseSessions } from "#server/courses/courseSessions.ts";
import type { User } from "#shared/users.ts";

/** The columns of a `User` (shared/users.ts). */
export const userColumns = [
  "users.id",
  "users.email",
  "users.name",
  "users.role",
  "users.status",
  "users.companyId",
  "users.createdAt",
  "users.lastActive",
  "users.lastLoginAt",
] as const;

/** Users who may sign in: active and, for learners, in an active company. */
export const activeUsers = (db: Db) =>
  db
    .selectFrom("users")
    .leftJoin("companies", "companies.id", "users.companyId")
    .where("users.status", "=", "active")
    .where((where) => where.or([where("users.companyId", "is", null), where("companies.status", "=", "active")]));

/** The browser behind a request: headers for the sign-in library, cookies, and network for throttling. */
export type Client = { headers: Headers; cookies: Record<string, string | undefined>; network: string };

/** `needsFactor` for admins without a second factor, if the operator requires one (REQUIRE_ADMIN_2FA). */
export async function readFactorRequirement(
  { db, config }: Services,
  user: Pick<User, "id" | "role">,
): Promise<{ needsFactor?: true }> {
  if (!config.requireAdminFactor || user.role !== "admin") return {};
  return (await listFactors(db, user.id)).length > 0 ? {} : { needsFactor: true };
}
/** Routes that an admin without a required second factor may use. */
const allowedWithoutFactor = /^\/api\/(account|auth|me|brand)(\/|$)/;

/**
 * Returns a function that identifies the user of a bearer id token. The signature is verified with cached keys; user, company
 * and session are looked up each time, so that suspensions and sign-outs take effect immediately. `route` is the route called:
 * an admin who must set up a second factor may only use some.
 */
export function createVerifier(services: Services, library: BetterAuth) {
  const { db, config, log } = services;
  let keys: ReturnType<typeof createLocalJWKSet> | null = null;
  const check = async (token: string) => {
    keys ??= createLocalJWKSet((await library.api.getJwks()) as JSONWebKeySet);
    return jwtVerify(token, keys, { issuer: config.publicUrl, audience: config.publicUrl });
  };
  return async (authorization: string | undefined, route = ""): Promise<User | null> => {
    const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? "")?.[1];
    if (!token) return null;
    const verified = await check(token).catch(async (error: Error) => {
      if (!/no applicable key/.test(error.message)) return null;
      keys = null;
      return check(token).catch(() => null);
    });
    if (!verified) {
      log.debug("an id token was refused");
      return null;
    }
    const { sub, sid, iat = 0 } = verified.payload;
    const user = await activeUsers(db)
      .innerJoin("authSessions", "authSessions.userId", "users.id")
      .where((e) => e.or([e("authSessions.endsAt", "is", null), e("authSessions.endsAt", ">", sql<string>`now()`)]))
      .where("users.id", "=", String(sub))
      .where("authSessions.id", "=", String(sid))
      .where("users.tokenValidAfter", "<=", new Date(iat * 1000 + 999).toISOString())
      .select(userColumns)
      .executeTakeFirst();
    if (!user) return null;
    const requirement = await readFactorRequirement(services, user);
    if (requirement.needsFactor && !allowedWithoutFactor.test(route))
      throw new Problem(403, "auth.factorSetupRequired");
    return { ...user, ...requirement };
  };
}

/** Ends all login and course sessions of these people immediately. */
export async function endSessions(db: Db, userIds: string[]) {
  if (userIds.length === 0) return;
  await db.deleteFrom("authSessions").where("userId", "in", userIds).execute();
  await db.updateTable("users").set({ tokenValidAfter: new Date().toISOString() }).where("id", "in", userIds).execute();
  await endCourseSessions(db, "userId", userIds);
}
