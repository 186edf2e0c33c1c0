import { recordAccountAction } from "#server/audit/service.ts";
import { listFactors } from "#server/auth/factors/factors.ts";
import { readCookie, rememberDevice, writeCookie } from "#server/auth/cookies.ts";
import type { BetterAuth } from "#server/auth/betterAuth.ts";
import {
  activeUsers,
  type Client,
  isActiveUser,
  readFactorRequirement,
  readLeadership,
  userColumns,
} from "#server/auth/service.ts";
import { refuseIfSsoEnforced, getActiveConnection } from "#server/auth/sso/ssoDomains.ts";
import { createOneTimeToken, consumeOneTimeToken } from "#server/auth/oneTimeTokens.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { ID_TOKEN_SECONDS } from "#shared/auth/auth.ts";
import type { User } from "#shared/core/users.ts";

/** How a person authenticated. Single sign-on has its own second factor; a passkey counts as two factors. */
export type SignInMethod = "password" | "google" | "sso" | "passkey" | "secondFactor" | "pin" | "card";
export type SignedIn = { user: User; token: string; expiresAt: string; cookies: string[] };

const SECOND_STEP_SECONDS = 600;
/**
 * A session on a shared device ends if its page has not asked for a token for so long: the page locks itself after two
 * minutes, and this is for a device whose browser was stopped. Longer than a token and the pause between two notes of
 * `seenAt` together.
 */
const SHARED_SILENCE_MS = 20 * 60_000;

/** A second factor is required: a cookie holds the pending sign-in, `details.methods` the available factors. */
export class SecondFactorRequired extends Problem {
  cookies: string[];

  constructor(cookies: string[], methods: string[]) {
    super(401, "auth.secondFactorRequired", { details: { methods } });
    this.cookies = cookies;
  }
}

/** Details of a sign-in for the audit log: first factor and, if used, second factor. */
type SignInFacts = { by: string; second?: string };
/** `connectionId`: the single sign-on connection used. `isShared`: several people use the device. */
type OpenOptions = { facts?: SignInFacts; connectionId?: string | null; isShared?: boolean };

/**
 * Opens a session for an authenticated person; there is no other way to get one. Checks account status, email
 * verification, enforced single sign-on and second factor.
 */
export async function openSession(
  services: Services,
  library: BetterAuth,
  client: Client,
  userId: string,
  by: SignInMethod,
  { facts = { by }, connectionId = null, isShared = false }: OpenOptions = {},
): Promise<SignedIn> {
  const { db, config } = services;
  const row = await db
    .selectFrom("users")
    .leftJoin("companies", "companies.id", "users.companyId")
    .where("users.id", "=", userId)
    .select(userColumns)
    .select(["users.emailVerificationPending", isActiveUser.as("isActive")])
    .executeTakeFirst();
  if (!row) throw new Problem(404, "auth.userDataNotFound");
  const { emailVerificationPending, isActive, ...user } = row;
  if (!isActive) throw new Problem(403, "auth.disabled");
  if (by === "password" && emailVerificationPending)
    throw new Problem(403, "auth.emailVerificationPending", { values: { email: user.email ?? "" } });
  // Checked again here, because a company may enforce single sign-on between the first and the second step.
  if (!connectionId) await refuseIfSsoEnforced(db, user.email, user.companyId);
  const methods = ["password", "google", "pin", "card"].includes(by) ? await listFactors(db, userId) : [];
  if (methods.length > 0)
    throw new SecondFactorRequired(
      [
        writeCookie(
          config,
          "step",
          await createOneTimeToken(db, "secondStep", userId, SECOND_STEP_SECONDS, {
            by,
            ...(isShared && { shared: "yes" }),
          }),
          SECOND_STEP_SECONDS,
        ),
      ],
      methods,
    );

  const { headers, response: opened } = await library.api.openSession({
    body: { userId, connectionId, isShared },
    headers: client.headers,
    returnHeaders: true,
  });
  // A concurrent change of single sign-on may have ended sessions before this one existed.
  const stillAllowed = connectionId
    ? getActiveConnection(db, connectionId)
    : refuseIfSsoEnforced(db, user.email, user.companyId);
  await stillAllowed.catch(async (error: unknown) => {
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
    ...(user.email === null ? [] : [rememberDevice(config, client.cookies, user.email)]),
    writeCookie(config, "step", "", 0),
  ];
  return {
    user: {
      ...user,
      lastActive: now,
      lastLoginAt: now,
      ...(isShared && { onSharedDevice: true as const }),
      ...(await readFactorRequirement(services, user)),
      ...(await readLeadership(db, user)),
    },
    ...(await issueToken(services, library, { userId, sessionId: opened.id })),
    cookies,
  };
}

/** Token of the pending sign-in between first and second step, or null. */
export const secondStepToken = ({ config }: Services, client: Client) => readCookie(config, client.cookies, "step");
export async function finishSecondStep(services: Services, library: BetterAuth, client: Client, second: string) {
  const step = await consumeOneTimeToken(services.db, "secondStep", secondStepToken(services, client) ?? "");
  if (!step) throw new Problem(401, "auth.secondFactorExpired");
  return openSession(services, library, client, step.userId, "secondFactor", {
    facts: { by: step.details.by ?? "password", second },
    isShared: step.details.shared === "yes",
  });
}

/** Issues a new id token for the refresh cookie; 401 if the session has ended or its user is no longer active. */
export async function refreshSession(services: Services, library: BetterAuth, client: Client): Promise<SignedIn> {
  const stored = await library.api.getSession({ headers: client.headers, returnHeaders: true });
  if (!stored.response) throw new Problem(401, "core.signedOut");
  const { session } = stored.response;
  if (session.endsAt && session.endsAt <= new Date()) throw new Problem(401, "core.signedOut");
  if (session.isShared && Date.now() - Date.parse(await readSeenAt(services, session.id)) > SHARED_SILENCE_MS)
    throw new Problem(401, "core.signedOut");
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
    user: {
      ...user,
      ...(session.isShared && { onSharedDevice: true as const }),
      ...(await readFactorRequirement(services, user)),
      ...(await readLeadership(services.db, user)),
    },
    ...(await issueToken(services, library, { userId: user.id, sessionId: session.id })),
    cookies: stored.headers.getSetCookie(),
  };
}

const readSeenAt = async ({ db }: Services, sessionId: string) => {
  const row = await db.selectFrom("authSessions").where("id", "=", sessionId).select("seenAt").executeTakeFirst();
  return row?.seenAt ?? "";
};

export async function signOut(library: BetterAuth, client: Client) {
  const { headers } = await library.api.signOut({ headers: client.headers, returnHeaders: true });
  return headers.getSetCookie();
}

/** Signs an id token for a session that has just been read or opened. */
async function issueToken({ db, log }: Services, library: BetterAuth, { userId, sessionId }: OpenedSession) {
  const body = { payload: { iat: Math.floor(Date.now() / 1000), sub: userId, sid: sessionId } };
  const { token } = await library.api.signJWT({ body }).catch(async (error: Error) => {
    if (!/decrypt/i.test(error.message)) throw error;
    // DATA_DIR/secret has changed since the keys were stored, so they cannot be decrypted.
    log.warn("the signing keys cannot be decrypted with this secret; creating new ones");
    await db.deleteFrom("authKeys").execute();
    return library.api.signJWT({ body });
  });
  return { token, expiresAt: new Date(Date.now() + ID_TOKEN_SECONDS * 1000).toISOString() };
}
type OpenedSession = { userId: string; sessionId: string };
