import { recordAccountAction } from "#server/audit/service.ts";
import { listFactors } from "#server/auth/factors/factors.ts";
import { readCookie, rememberDevice, writeCookie } from "#server/auth/cookies.ts";
import type { BetterAuth } from "#server/auth/betterAuth.ts";
import { activeUsers, type Client, readFactorRequirement, userColumns } from "#server/auth/service.ts";
import { refuseIfSsoEnforced, getActiveConnection } from "#server/auth/sso/ssoDomains.ts";
import { createOneTimeToken, consumeOneTimeToken } from "#server/auth/oneTimeTokens.ts";
import { inTransaction } from "#server/core/db.ts";
import { Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { ID_TOKEN_SECONDS } from "#shared/auth.ts";
import type { User } from "#shared/users.ts";

/** How a person proved who they are. Company sign-in brings its own second factor; a passkey is two in one. */
export type SignInMethod = "password" | "google" | "sso" | "passkey" | "secondFactor";
export type SignedIn = { user: User; token: string; expiresAt: string; cookies: string[] };

const SECOND_STEP_SECONDS = 600;

/** More is needed before this person is in: the way there lies in a cookie, what is possible in `details.methods`. */
export class SecondFactorRequired extends Problem {
  cookies: string[];

  constructor(cookies: string[], methods: string[]) {
    super(401, "auth.secondFactorRequired", { details: { methods } });
    this.cookies = cookies;
  }
}

/** What is written down of a sign-in: the first proof, and the second where there was one. */
type SignInFacts = { by: string; second?: string };
/** `connectionId`: the company's provider that opened it. */
type OpenOptions = { facts?: SignInFacts; connectionId?: string | null };

/** The one door: opens a session for a proven identity, unless the record, the mailbox or a second factor stand in the way. */
export async function openSession(
  services: Services,
  library: BetterAuth,
  client: Client,
  userId: string,
  by: SignInMethod,
  { facts = { by }, connectionId = null }: OpenOptions = {},
): Promise<SignedIn> {
  const { db, config } = services;
  const record = await db
    .selectFrom("users")
    .where("id", "=", userId)
    .select(["email", "emailVerificationPending"])
    .executeTakeFirst();
  if (!record) throw new Problem(404, "auth.userDataNotFound");
  const user = await activeUsers(db).where("users.id", "=", userId).select(userColumns).executeTakeFirst();
  if (!user) throw new Problem(403, "auth.disabled");
  if (by === "password" && record.emailVerificationPending)
    throw new Problem(403, "auth.emailVerificationPending", { values: { email: record.email } });
  // Also between the first and the second step a company may have begun to want its own provider.
  if (!connectionId) await refuseIfSsoEnforced(db, record.email, user.companyId);
  const methods = by === "password" || by === "google" ? await listFactors(db, userId) : [];
  if (methods.length > 0)
    throw new SecondFactorRequired(
      [
        writeCookie(
          config,
          "step",
          await createOneTimeToken(db, "secondStep", userId, SECOND_STEP_SECONDS, { by }),
          SECOND_STEP_SECONDS,
        ),
      ],
      methods,
    );

  const { headers, response: opened } = await library.api.openSession({
    body: { userId, connectionId },
    headers: client.headers,
    returnHeaders: true,
  });
  // Whoever changes single sign-on at this moment may have looked for sessions before this one was there.
  const still = connectionId
    ? getActiveConnection(db, connectionId)
    : refuseIfSsoEnforced(db, record.email, user.companyId);
  await still.catch(async (error: unknown) => {
    await db.deleteFrom("authSessions").where("id", "=", opened.id).execute();
    throw error;
  });
  const now = new Date().toISOString();
  await inTransaction(db, async (tx) => {
    await tx.updateTable("users").set({ lastActive: now, lastLoginAt: now }).where("id", "=", userId).execute();
    await recordAccountAction(tx, userId, "account.signIn", facts);
  });
  const cookies = [
    ...headers.getSetCookie(),
    rememberDevice(config, client.cookies, user.email),
    writeCookie(config, "step", "", 0),
  ];
  const signedIn = new Headers({
    cookie: headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; "),
  });
  return {
    user: { ...user, lastActive: now, lastLoginAt: now, ...(await readFactorRequirement(services, user)) },
    ...(await issueToken(services, library, signedIn)),
    cookies,
  };
}

/** Who stands between the first and the second step; null when nobody does, or for too long. */
export const secondStepToken = ({ config }: Services, client: Client) => readCookie(config, client.cookies, "step");
export async function finishSecondStep(services: Services, library: BetterAuth, client: Client, second: string) {
  const step = await consumeOneTimeToken(services.db, "secondStep", secondStepToken(services, client) ?? "");
  if (!step) throw new Problem(401, "auth.secondFactorExpired");
  return openSession(services, library, client, step.userId, "secondFactor", {
    facts: { by: step.details.by ?? "password", second },
  });
}

/** A fresh id token for the refresh cookie; 401 when it is gone, expired, or its person may not be here any more. */
export async function refreshSession(services: Services, library: BetterAuth, client: Client): Promise<SignedIn> {
  const found = await library.api.getSession({ headers: client.headers, returnHeaders: true });
  if (!found.response) throw new Problem(401, "core.signedOut");
  const { session } = found.response;
  if (session.endsAt && session.endsAt <= new Date()) throw new Problem(401, "core.signedOut");
  const user = await activeUsers(services.db)
    .where("users.id", "=", session.userId)
    .select(userColumns)
    .executeTakeFirst();
  if (!user) throw new Problem(401, "core.signedOut");
  const now = new Date().toISOString();
  const earlier = new Date(Date.now() - 300_000).toISOString();
  await services.db
    .updateTable("users")
    .set({ lastActive: now })
    .where("id", "=", user.id)
    .where("lastActive", "<", earlier)
    .execute();
  await services.db
    .updateTable("authSessions")
    .set({ seenAt: now })
    .where("id", "=", session.id)
    .where("seenAt", "<", earlier)
    .execute();
  return {
    user: { ...user, ...(await readFactorRequirement(services, user)) },
    ...(await issueToken(services, library, client.headers)),
    cookies: found.headers.getSetCookie(),
  };
}

export async function signOut(library: BetterAuth, client: Client) {
  const { headers } = await library.api.signOut({ headers: client.headers, returnHeaders: true });
  return headers.getSetCookie();
}

async function issueToken({ db, log }: Services, library: BetterAuth, headers: Headers) {
  const { token } = await library.api.getToken({ headers }).catch(async (error: Error) => {
    if (!/decrypt/i.test(error.message)) throw error;
    // DATA_DIR/secret is another one than the keys were stored with: they are of no use any more, and new ones are made.
    log.warn("the signing keys cannot be read with this secret; new ones are made");
    await db.deleteFrom("authKeys").execute();
    return library.api.getToken({ headers });
  });
  return { token, expiresAt: new Date(Date.now() + ID_TOKEN_SECONDS * 1000).toISOString() };
}
