import { sql } from "kysely";
import { listFactors } from "#server/auth/factors/factors.ts";
import { findPin } from "#server/auth/pins/ownPin.ts";
import { GOOGLE } from "#server/auth/sso/google.ts";
import { findConnectionByEmail, ssoProviderId } from "#server/auth/sso/ssoDomains.ts";
import type { Db } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { type ReauthOptions, type ReauthMethod, reauthMethod } from "#shared/auth/account.ts";
import { REAUTH_MINUTES, type User } from "#shared/core/users.ts";

/** True if this session was opened or reauthenticated within the last REAUTH_MINUTES. */
const isRecentlyAuthenticated = async (db: Db, userId: string, sessionId: string) =>
  Boolean(
    await db
      .selectFrom("authSessions")
      .where("id", "=", sessionId)
      .where("userId", "=", userId)
      .where(
        sql<string>`greatest(created_at, reauthenticated_at)`,
        ">",
        sql<string>`now() - make_interval(mins => ${REAUTH_MINUTES})`,
      )
      .select("id")
      .executeTakeFirst(),
  );

/** Marks this session of the person, and no other, as reauthenticated now. */
export const markReauthenticated = (db: Db, userId: string, sessionId: string) =>
  db
    .updateTable("authSessions")
    .set({ reauthenticatedAt: sql<string>`now()` })
    .where("id", "=", sessionId)
    .where("userId", "=", userId)
    .execute();

/**
 * The methods that a person can reauthenticate with. A code of the app only without a password, because alone it is the
 * weaker factor. With enforced single sign-on, only that is accepted.
 */
export async function listReauthOptions(
  { db, config }: Services,
  { id: userId, email, companyId }: Pick<User, "id" | "email" | "companyId">,
): Promise<ReauthOptions> {
  const accounts = await db.selectFrom("authAccounts").where("userId", "=", userId).select("providerId").execute();
  const factors = await listFactors(db, userId);
  const has = (provider: string) => accounts.some(({ providerId }) => providerId === provider);
  const byDomain = companyId && email ? await findConnectionByEmail(db, email) : undefined;
  const connection = byDomain?.companyId === companyId ? byDomain : undefined;
  const isFree = !connection?.enforced;
  const company =
    connection && has(ssoProviderId(connection.id)) ? { connectionId: connection.id, name: connection.company } : null;
  const isOffered: Record<ReauthMethod, boolean> = {
    password: isFree && has("credential"),
    // One that another person has handed out proves nothing.
    pin: (await findPin(db, userId)) === "own",
    passkey: isFree && factors.includes("passkey"),
    app: isFree && factors.includes("app") && !has("credential"),
    google: isFree && config.google !== null && has(GOOGLE),
    company: company !== null,
  };
  return { methods: reauthMethod.options.filter((method) => isOffered[method]), company };
}

/** Throws 403 unless the session was authenticated recently; the details name the available methods. */
export async function requireReauth(services: Services, user: User, sessionId: string) {
  if (await isRecentlyAuthenticated(services.db, user.id, sessionId)) return;
  throw new Problem(403, "auth.reauthRequired", {
    values: { minutes: REAUTH_MINUTES },
    details: await listReauthOptions(services, user),
  });
}
