import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { sql } from "kysely";
import { recordAccountAction } from "#server/audit/service.ts";
import { requirePassword } from "#server/auth/account/account.ts";
import { refuseIfSsoEnforced } from "#server/auth/sso/ssoDomains.ts";
import type { Config } from "#server/core/config.ts";
import { type Db, inTransaction, isUniqueViolation } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound, Problem } from "#server/core/http/problem.ts";
import { hashToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { readSettings } from "#server/settings/service.ts";
import type { accounts } from "#shared/auth/account.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const CHALLENGE_SECONDS = 600;
const MAX_PASSKEYS = 20;

/** The WebAuthn relying party: the host name of the application. */
const relyingPartyOf = (config: Config) => ({
  rpID: new URL(config.publicUrl).hostname,
  origin: new URL(config.publicUrl).origin,
});

async function storeChallenge(db: Db, challenge: string, userId: string | null) {
  await db
    .insertInto("authChallenges")
    .values({
      hash: hashToken(challenge),
      userId,
      expiresAt: new Date(Date.now() + CHALLENGE_SECONDS * 1000).toISOString(),
    })
    .execute();
}
/** Returns a check that is true once per challenge of this person (null: a challenge not bound to a person). */
const consumeChallenge = (db: Db, userId: string | null) => async (challenge: string) =>
  Boolean(
    await db
      .deleteFrom("authChallenges")
      .where("hash", "=", hashToken(challenge))
      .where("userId", userId ? "=" : "is", userId)
      .where("expiresAt", ">", sql<string>`now()`)
      .returning("hash")
      .executeTakeFirst(),
  );

/**
 * WebAuthn options for a new passkey: discoverable without a user name, with user verification (fingerprint, face or
 * PIN).
 */
export async function startPasskey(ctx: Ctx<User>, sessionId: string, password: string | undefined) {
  await requirePassword(ctx, sessionId, password);
  const { db, config, user } = ctx;
  const existing = await db.selectFrom("authPasskeys").where("userId", "=", user.id).select("credentialId").execute();
  if (existing.length >= MAX_PASSKEYS) throw conflict("auth.tooManyPasskeys");
  const options = await generateRegistrationOptions({
    rpName: (await readSettings(db)).academyName,
    rpID: relyingPartyOf(config).rpID,
    userName: user.email ?? user.name,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(user.id),
    attestationType: "none",
    excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await storeChallenge(db, options.challenge, user.id);
  return options;
}

export async function addPasskey(
  { db, config, user, log }: Ctx<User>,
  { name, response }: BodyOf<typeof accounts.addPasskey>,
) {
  const { rpID, origin } = relyingPartyOf(config);
  const checked = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: consumeChallenge(db, user.id),
    expectedOrigin: origin,
    expectedRPID: rpID,
  }).catch((error: unknown) => void log.info({ err: error }, "a passkey was refused"));
  if (!checked?.verified) throw new Problem(422, "auth.passkeyFailed");
  const { credential } = checked.registrationInfo;
  try {
    await inTransaction(db, async (tx) => {
      await tx
        .insertInto("authPasskeys")
        .values({
          userId: user.id,
          credentialId: credential.id,
          publicKey: Buffer.from(credential.publicKey),
          counter: credential.counter,
          transports: credential.transports ?? [],
          name,
        })
        .execute();
      await recordAccountAction(tx, user.id, "account.passkeyAdded");
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict("auth.passkeyFailed");
    throw error;
  }
}

export async function removePasskey(ctx: Ctx<User>, sessionId: string, id: string, password: string | undefined) {
  await requirePassword(ctx, sessionId, password);
  await inTransaction(ctx.db, async (tx) => {
    const removed = await tx
      .deleteFrom("authPasskeys")
      .where("id", "=", id)
      .where("userId", "=", ctx.user.id)
      .returning("id")
      .executeTakeFirst();
    if (!removed) throw notFound();
    await recordAccountAction(tx, ctx.user.id, "account.passkeyRemoved");
  });
}

/** WebAuthn options that accept any passkey of this site: the browser lets the person choose one. */
export async function createPasskeyChallenge({ db, config }: Services) {
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(config).rpID,
    userVerification: "required",
  });
  await storeChallenge(db, options.challenge, null);
  return options;
}

/**
 * Verifies a passkey and returns its user id. The signature counter must increase, to detect cloned keys (WebAuthn
 * Level 2, 6.1.1).
 */
export async function verifyPasskey({ db, config, log }: Services, response: object): Promise<string> {
  const { rpID, origin } = relyingPartyOf(config);
  const row = await db
    .selectFrom("authPasskeys")
    .innerJoin("users", "users.id", "authPasskeys.userId")
    .where("credentialId", "=", String((response as AuthenticationResponseJSON).id))
    .select(["authPasskeys.id", "userId", "credentialId", "publicKey", "counter", "users.email", "users.companyId"])
    .executeTakeFirst();
  if (!row) throw new Problem(401, "auth.passkeyUnknown");
  const checked = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: consumeChallenge(db, null),
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: { id: row.credentialId, publicKey: new Uint8Array(row.publicKey), counter: Number(row.counter) },
    requireUserVerification: true,
  }).catch((error: unknown) => void log.info({ err: error }, "a passkey was refused"));
  if (!checked?.verified) throw new Problem(401, "auth.passkeyFailed");
  await refuseIfSsoEnforced(db, row.email, row.companyId);
  const { newCounter } = checked.authenticationInfo;
  // Checked again in the statement, because two copies of a key may be used at once. Keys without a counter stay at 0.
  const counted = await db
    .updateTable("authPasskeys")
    .set({ counter: newCounter, lastUsedAt: new Date().toISOString() })
    .where("id", "=", row.id)
    .where((e) => e.or([e("counter", "<", newCounter), e.and([e("counter", "=", 0), e.val(newCounter === 0)])]))
    .returning("id")
    .executeTakeFirst();
  if (!counted) throw new Problem(401, "auth.passkeyFailed");
  return row.userId;
}
