import { sql } from "kysely";
import { claimInvitation, revertClaim } from "#server/auth/account/invitationClaims.ts";
import { removeFactors } from "#server/auth/factors/factors.ts";
import type { OauthFlow } from "#server/auth/sso/oauthFlow.ts";
import { findLinkedUser, linkAccount, type Identity } from "#server/auth/sso/google.ts";
import { finishOpenId, type OpenIdRequest, startOpenId } from "#server/auth/sso/openid.ts";
import { addLearner } from "#server/auth/account/accessCodes.ts";
import { startSaml } from "#server/auth/sso/saml.ts";
import { endSessions } from "#server/auth/service.ts";
import { type Connection, domainOf, ssoProviderId, getActiveConnection } from "#server/auth/sso/ssoDomains.ts";
import { deleteOneTimeTokens } from "#server/auth/oneTimeTokens.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import { unseal } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";

export const SSO_SECRET_PURPOSE = "sso client secret";

const openIdClientOf = ({ config }: Services, { issuer, clientId, clientSecret, companyId }: Connection) => {
  const secret = unseal(config.secret, SSO_SECRET_PURPOSE, clientSecret ?? "", companyId);
  if (secret === null)
    throw new Error("The client secret of this connection cannot be decrypted with this server's secret");
  return { issuer, clientId, clientSecret: secret };
};

/** Starts single sign-on. `forceLogin` requires a login even if the person is logged in at the provider. */
export async function startSso(
  services: Services,
  id: string,
  state: string,
  { hint, forceLogin }: { hint: string | undefined; forceLogin: boolean },
): Promise<{ address: string; request: OauthFlow["request"] }> {
  const connection = await getActiveConnection(services.db, id);
  try {
    return connection.kind === "saml"
      ? await startSaml(services.config, connection, state, forceLogin)
      : await startOpenId(services, openIdClientOf(services, connection), state, {
          hint,
          forceLogin,
          prompt: forceLogin ? "login" : undefined,
        });
  } catch (error) {
    services.log.warn({ err: error, company: connection.companyId }, "a company's identity provider did not respond");
    throw new Problem(502, "auth.ssoFailed");
  }
}

/** The identity asserted by a company's provider. SAML responses have been verified on arrival (saml.ts). */
export async function readIdentity(
  services: Services,
  flow: OauthFlow,
  search: string,
  state: string,
): Promise<{ connection: Connection; identity: Identity }> {
  const connection = await getActiveConnection(services.db, flow.connectionId ?? "");
  if (connection.kind === "oidc")
    return {
      connection,
      identity: await finishOpenId(services, openIdClientOf(services, connection), {
        search,
        state,
        request: flow.request as OpenIdRequest,
      }),
    };
  if (!flow.profile) throw new Problem(502, "auth.ssoFailed");
  return { connection, identity: flow.profile };
}

/**
 * Finds or creates the learner of an identity. A provider may only sign in people of its own company with an email of
 * its own domains, never an admin. Sign-in methods set up earlier for an unverified address are removed.
 */
export async function findOrCreateLearner(
  { db }: Services,
  { id, companyId }: Connection,
  identity: Identity,
): Promise<string> {
  const { email, subject } = identity;
  const provider = ssoProviderId(id);
  return inTransaction(db, async (tx) => {
    // Serialises concurrent first sign-ins of one person.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${email}`}, 0))`.execute(tx);
    const domain = await tx
      .selectFrom("ssoDomains")
      .where("connectionId", "=", id)
      .where("domain", "=", domainOf(email))
      .select("domain")
      .executeTakeFirst();
    if (!domain) throw new Problem(403, "auth.ssoWrongDomain");
    const linked = await findLinkedUser(tx, provider, subject);
    const account = await tx
      .selectFrom("users")
      .where((e) => (linked ? e("users.id", "=", linked.id) : e(sql`lower(email)`, "=", email)))
      .select(["id", "role", "status", "companyId", "emailVerified", "emailVerificationPending"])
      .forUpdate()
      .executeTakeFirst();
    if (!account) {
      const userId = await addLearner(tx, companyId, {
        email,
        name: identity.name || email,
        via: "sso",
        verified: true,
      });
      await linkAccount(tx, userId, provider, subject);
      return userId;
    }
    if (account.role !== "learner" || account.companyId !== companyId) throw new Problem(403, "auth.ssoWrongCompany");
    if (account.status !== "suspended" && !linked) await takeOverAccount(tx, account, identity, provider);
    return account.id;
  });
}

type ExistingUser = { id: string; status: string; emailVerified: boolean; emailVerificationPending: boolean };

/**
 * Links an existing account to the identity. If its address was unverified, sign-in methods set up by others are
 * removed.
 */
async function takeOverAccount(tx: Tx, account: ExistingUser, { name, subject }: Identity, provider: string) {
  if (account.emailVerificationPending) await revertClaim(tx, account.id);
  if (account.status === "invited" || account.emailVerificationPending)
    await claimInvitation(tx, account.id, { name, via: "sso", verified: true });
  else if (!account.emailVerified) {
    await tx.deleteFrom("authAccounts").where("userId", "=", account.id).execute();
    await removeFactors(tx, account.id);
    await endSessions(tx, [account.id]);
    await tx.updateTable("users").set({ emailVerified: true }).where("id", "=", account.id).execute();
  }
  await deleteOneTimeTokens(tx, account.id);
  await linkAccount(tx, account.id, provider, subject);
}
