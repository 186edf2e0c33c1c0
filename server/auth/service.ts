import { sql } from "kysely";
import { listFactors } from "#server/auth/factors/factors.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import type { Db } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { endCourseSessions } from "#server/courses/courseSessions.ts";
import type { User } from "#shared/core/users.ts";

/** The columns of a `User` (shared/core/users.ts), without the times of activity, which a company can hide. */
export const profileColumns = [
  "users.id",
  "users.email",
  "users.name",
  "users.role",
  "users.status",
  "users.companyId",
  "users.createdAt",
  personnelNumber.as("personnelNumber"),
] as const;
/** The columns of a `User`. */
export const userColumns = [...profileColumns, "users.lastActive", "users.lastLoginAt"] as const;

/** SQL: the user may sign in. Requires `users` and, joined to the left, `companies`. */
export const isActiveUser = sql<boolean>`(
  users.status = 'active'
  and (users.company_id is null or companies.status = 'active')
)`;

/** Users who may sign in: active and, for learners, in an active company. */
export const activeUsers = (db: Db) =>
  db.selectFrom("users").leftJoin("companies", "companies.id", "users.companyId").where(isActiveUser);

/** `leadsPeople` for learners who see people whom they lead. */
export async function readLeadership(db: Db, { id, role }: Pick<User, "id" | "role">): Promise<{ leadsPeople?: true }> {
  if (role !== "learner") return {};
  const { rows } = await sql<{ leads: boolean }>`select leads_people(${id}) as leads`.execute(db);
  return rows[0]?.leads ? { leadsPeople: true } : {};
}

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

/** Ends all login and course sessions of these people immediately. */
export async function endSessions(db: Db, userIds: string[]) {
  if (userIds.length === 0) return;
  await db.deleteFrom("authSessions").where("userId", "in", userIds).execute();
  await db.updateTable("users").set({ tokenValidAfter: new Date().toISOString() }).where("id", "in", userIds).execute();
  await endCourseSessions(db, "userId", userIds);
}
