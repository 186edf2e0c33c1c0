import { sql } from "kysely";
import { recordAccountAction } from "#server/audit/service.ts";
import { claimInvitation, revertClaim } from "#server/auth/account/invitationClaims.ts";
import { joinByCode } from "#server/auth/account/accessCodes.ts";
import { findClaimableUser, rethrowEmailInUse } from "#server/auth/account/registration.ts";
import { findConnectionByEmail, refuseIfSsoEnforced } from "#server/auth/sso/ssoDomains.ts";
import { deleteOneTimeTokens } from "#server/auth/oneTimeTokens.ts";
import type { ColumnTypes } from "#server/core/database/columnTypes.ts";
import { type Db, inTransaction, isUniqueViolation } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { giveBack } from "#server/core/limits/throttle.ts";
import { normaliseCode } from "#shared/companies/companies.ts";

/**
 * An identity asserted by a provider. `verified`: the provider verified the email; `at`: time of login there in seconds
 * since 1970, if known.
 */
export type Identity = ColumnTypes["auth_oauth_flows.profile"];

export const GOOGLE = "google";

export const findLinkedUser = (db: Db, providerId: string, subject: string) =>
  db
    .selectFrom("authAccounts")
    .innerJoin("users", "users.id", "authAccounts.userId")
    .where("providerId", "=", providerId)
    .where("accountId", "=", subject)
    .select(["users.id", "users.email", "users.companyId", "users.lastActive", "users.role"])
    .executeTakeFirst();

export async function linkAccount(tx: Db, userId: string, providerId: string, subject: string) {
  await tx.insertInto("authAccounts").values({ userId, providerId, accountId: subject }).execute();
}

/**
 * The user of a Google identity. A linked identity is found by its subject. Otherwise there must be an account with the
 * same email, verified on both sides; an invited account is then claimed, an active one linked. Without verification,
 * an attacker could register someone else's address first and gain access to their account.
 */
export async function signInWithGoogle({ db }: Services, identity: Identity): Promise<string> {
  const email = identity.email.toLowerCase();
  const linked = await findLinkedUser(db, GOOGLE, identity.subject);
  if (linked) {
    await refuseIfSsoEnforced(db, linked.email, linked.companyId);
    return linked.id;
  }
  return inTransaction(db, async (tx) => {
    const account = await tx
      .selectFrom("users")
      .where(sql`lower(email)`, "=", email)
      .select(["id", "status", "companyId", "emailVerified", "emailVerificationPending"])
      .forUpdate()
      .executeTakeFirst();
    if (!account) throw new Problem(403, "auth.accessDenied");
    await refuseIfSsoEnforced(tx, email, account.companyId);
    if (account.status === "suspended") throw new Problem(403, "auth.disabled");
    if (!identity.verified) throw new Problem(409, "auth.accountExists");
    if (account.emailVerificationPending) await revertClaim(tx, account.id);
    if (account.status === "invited" || account.emailVerificationPending) {
      await claimInvitation(tx, account.id, { name: identity.name, via: "claim", verified: true });
      await deleteOneTimeTokens(tx, account.id);
    } else if (!account.emailVerified || (await hasGoogle(tx, account.id)))
      throw new Problem(409, "auth.accountExists");
    await linkAccount(tx, account.id, GOOGLE, identity.subject);
    await recordAccountAction(tx, account.id, "account.googleLinked");
    return account.id;
  }).catch((error: unknown) => {
    if (isUniqueViolation(error)) throw new Problem(409, "auth.accountExists");
    throw error;
  });
}

/** A person can link only one Google account: a second one with the same address may belong to its later owner. */
export const hasGoogle = (tx: Db, userId: string) =>
  tx
    .selectFrom("authAccounts")
    .where("userId", "=", userId)
    .where("providerId", "=", GOOGLE)
    .select("id")
    .executeTakeFirst();

/** Registers with Google instead of a password: same rules as `register`, with a verified address. */
export async function registerWithGoogle(
  { db }: Services,
  identity: Identity,
  { accessCode: typedCode = "", network }: { accessCode: string | undefined; network: string },
) {
  const email = identity.email.toLowerCase();
  if (!identity.verified) throw new Problem(403, "auth.googleRegistrationFailed");
  const linked = await findLinkedUser(db, GOOGLE, identity.subject);
  if (linked) throw new Problem(409, linked.lastActive ? "auth.alreadyActive" : "auth.emailInUse");
  const accessCode = normaliseCode(typedCode);
  const invited = await findClaimableUser(db, { email, accessCode, network });
  await refuseIfDomainEnforced(db, email);
  await inTransaction(db, async (tx) => {
    if (invited) await claimInvitation(tx, invited.id, { name: identity.name, via: "claim", verified: true });
    const id =
      invited?.id ?? (await joinByCode(tx, { name: identity.name || email, email, accessCode, verified: true })).id;
    await linkAccount(tx, id, GOOGLE, identity.subject);
  }).catch(rethrowEmailInUse);
  if (accessCode) await giveBack(db, ["code", network]);
}

const refuseIfDomainEnforced = async (db: Db, email: string) => {
  const connection = await findConnectionByEmail(db, email);
  if (connection) await refuseIfSsoEnforced(db, email, connection.companyId);
};

/** Links a Google account to the signed-in person. */
export async function linkGoogle(db: Db, userId: string, identity: Identity) {
  const linked = await findLinkedUser(db, GOOGLE, identity.subject);
  if (linked?.id === userId) return;
  if (linked || (await hasGoogle(db, userId))) throw new Problem(409, "auth.googleAlreadyLinked");
  await inTransaction(db, async (tx) => {
    await linkAccount(tx, userId, GOOGLE, identity.subject);
    await recordAccountAction(tx, userId, "account.googleLinked");
  });
  if (!identity.verified) return;
  await db
    .updateTable("users")
    .set({ emailVerified: true })
    .where("id", "=", userId)
    .where(sql`lower(email)`, "=", identity.email.toLowerCase())
    .execute();
}
