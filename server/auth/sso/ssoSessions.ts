import { type SqlBool, sql } from "kysely";
import { MAX_SESSION_DAYS } from "#server/auth/betterAuth.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import { endCourseSessions } from "#server/courses/courseSessions.ts";

/** Ends all sessions opened with a connection, after it was disabled, removed or pointed to another provider. */
export async function endConnectionSessions(tx: Tx, connectionId: string) {
  const ended = await tx
    .deleteFrom("authSessions")
    .where("connectionId", "=", connectionId)
    .returning("userId")
    .execute();
  await endCourseSessions(tx, "userId", uniqueUserIds(ended));
}

/** Ends the other sessions of the people for whom a connection is enforced (`findEnforcedConnection`). */
export async function endNonSsoSessions(tx: Tx, { id, companyId }: { id: string; companyId: string }) {
  const ended = await tx
    .deleteFrom("authSessions")
    .using("users")
    .whereRef("users.id", "=", "authSessions.userId")
    .where("users.companyId", "=", companyId)
    .where("connectionId", "is distinct from", id)
    .where(
      sql<SqlBool>`lower(substring(users.email from '[^@]*$')) in (
        select domain
        from sso_domains
        where connection_id = ${id}
      )`,
    )
    .returning("authSessions.userId")
    .execute();
  await endCourseSessions(tx, "userId", uniqueUserIds(ended));
}

/**
 * Deletes sessions past their maximum duration, and ends course sessions of people who have not signed in again. Old
 * sessions without an end (`ends_at`) end MAX_SESSION_DAYS after their start.
 */
export const endExpiredSessions = (db: Db) =>
  inTransaction(db, async (tx) => {
    const ended = uniqueUserIds(
      await tx
        .deleteFrom("authSessions")
        .where(
          sql<string>`coalesce(ends_at, created_at + make_interval(days => ${MAX_SESSION_DAYS}))`,
          "<=",
          sql<string>`now()`,
        )
        .returning("userId")
        .execute(),
    );
    if (ended.length === 0) return;
    const signedIn = new Set(
      uniqueUserIds(
        await tx
          .selectFrom("authSessions")
          .where("userId", "in", ended)
          .where("expiresAt", ">", sql<string>`now()`)
          .select("userId")
          .execute(),
      ),
    );
    await endCourseSessions(
      tx,
      "userId",
      ended.filter((id) => !signedIn.has(id)),
    );
  });

const uniqueUserIds = (rows: { userId: string }[]) => [...new Set(rows.map(({ userId }) => userId))];
