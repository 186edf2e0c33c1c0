import { sql } from "kysely";
import { listFactors } from "#server/auth/factors/factors.ts";
import { GOOGLE } from "#server/auth/sso/google.ts";
import { findConnectionByEmail, ssoProviderId } from "#server/auth/sso/ssoDomains.ts";
import type { Db, Tx } from "#server/core/db.ts";
import { Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { type ReauthOptions, type ReauthMethod, reauthMethod } from "#shared/account.ts";
import { REAUTH_MINUTES, type User } from "#shared/users.ts";

/** Whether this session of this person was opened, or confirmed, within the last PROOF_MINUTES. */
const isRecentlyAuthenticated = async (db: Db | Tx, userId: string, sessionId: string) =>
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

/** The person has just confirmed who they are: this session is fresh, no other one of theirs. */
export const markReauthenticated = (db: Db | Tx, userId: string, sessionId: string) =>
  db
    .updateTable("authSessions")
    .set({ reauthenticatedAt: sql<string>`now()` })
    .where("id", "=", sessionId)
    .where("userId", "=", userId)
    .execute();

/** How somebody can confirm who they are. Without a password a code of the app does; with one it would be the weaker half alone. Where a company wants its own login alone, that is the way. */
export async function listReauthOptions(
  { db, config }: Services,
  { id: userId, email, companyId }: Pick<User, "id" | "email" | "companyId">,
): Promise<ReauthOptions> {
  const accounts = await db.selectFrom("authAccounts").where("userId", "=", userId).select("providerId").execute();
  const factors = await listFactors(db, userId);
  const has = (provider: string) => accounts.some(({ providerId }) => providerId === provider);
  const found = companyId ? await findConnectionByEmail(db, email) : undefined;
  const own = found?.companyId === companyId ? found : undefined;
  const free = !own?.enforced;
  const company = own && has(ssoProviderId(own.id)) ? { connectionId: own.id, name: own.company } : null;
  const offered: Record<ReauthMethod, boolean> = {
    password: free && has("credential"),
    passkey: free && factors.includes("passkey"),
    app: free && factors.includes("app") && !has("credential"),
    google: free && config.google !== null && has(GOOGLE),
    company: company !== null,
  };
  return { ways: reauthMethod.options.filter((way) => offered[way]), company };
}

/** Refuses something delicate in a session that is not fresh; the answer names the ways to confirm. */
export async function requireReauth(services: Services, user: User, sessionId: string) {
  if (await isRecentlyAuthenticated(services.db, user.id, sessionId)) return;
  throw new Problem(403, "auth.reauthRequired", {
    values: { minutes: REAUTH_MINUTES },
    details: await listReauthOptions(services, user),
  });
}
