import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { sql } from "kysely";
import { listFactors } from "#server/auth/factors/factors.ts";
import type { BetterAuth } from "#server/auth/betterAuth.ts";
import type { Db, Tx } from "#server/core/db.ts";
import { Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import type { User } from "#shared/users.ts";

/** The columns that leave the server as a `User` (shared/users.ts). */
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

/** People who may be signed in: active, and of an active company when they have one. */
export const activeUsers = (db: Db) =>
  db
    .selectFrom("users")
    .leftJoin("companies", "companies.id", "users.companyId")
    .where("users.status", "=", "active")
    .where((where) => where.or([where("users.companyId", "is", null), where("companies.status", "=", "active")]));

/** Whose browser asks: its headers for the library, its cookies, the network it comes from. */
export type Client = { headers: Headers; cookies: Record<string, string | undefined>; network: string };

/** Admins have to set up a second factor first where the operator wants it: then the record says so. */
export async function readFactorRequirement(
  { db, config }: Services,
  user: Pick<User, "id" | "role">,
): Promise<{ needsFactor?: true }> {
  if (!config.requireAdminFactor || user.role !== "admin") return {};
  return (await listFactors(db, user.id)).length > 0 ? {} : { needsFactor: true };
}
/** All that such an admin can reach. */
const allowedWithoutFactor = /^\/api\/(account|auth|me|brand)(\/|$)/;

/**
 * Tells who sends a bearer id token. The signature is checked with the keys of this process; the person, the company and
 * the session are looked up each time, so that a suspension or a sign-out counts at once. `route` is where the token is
 * used: an admin who has to set up a second factor gets nowhere else.
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
    const missing = await readFactorRequirement(services, user);
    if (missing.needsFactor && !allowedWithoutFactor.test(route)) throw new Problem(403, "auth.factorSetupRequired");
    return { ...user, ...missing };
  };
}

/** Ends every session of these people, in the browser and in courses, at once. */
export async function endSessions(db: Db | Tx, userIds: string[]) {
  if (userIds.length === 0) return;
  await db.deleteFrom("authSessions").where("userId", "in", userIds).execute();
  await db.updateTable("users").set({ tokenValidAfter: new Date().toISOString() }).where("id", "in", userIds).execute();
  await endCourseSessions(db, userIds);
}

/** Ends what these people have open in courses; what was not saved yet comes with the next launch. */
export async function endCourseSessions(db: Db | Tx, userIds: string[]) {
  if (userIds.length === 0) return;
  await db
    .updateTable("sessions")
    .set({ endedAt: new Date().toISOString(), endReason: "revoked" })
    .where("userId", "in", userIds)
    .where("endedAt", "is", null)
    .execute();
  await db
    .updateTable("attempts")
    .set((e) => ({ rev: e("rev", "+", 1) }))
    .where("userId", "in", userIds)
    .execute();
}
