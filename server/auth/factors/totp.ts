import { randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { record, recordAccountAction } from "#server/audit/service.ts";
import { requirePassword } from "#server/auth/account/account.ts";
import { removeFactors } from "#server/auth/factors/factors.ts";
import { factorResetMail, enqueueAccountMail } from "#server/auth/mails.ts";
import { endSessions } from "#server/auth/service.ts";
import { deleteOneTimeTokens, readOneTimeToken } from "#server/auth/oneTimeTokens.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound, Problem } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { seal, sign, unseal } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { reserveFactorAttempt } from "#server/auth/password/lockouts.ts";
import { readSettings } from "#server/settings/service.ts";
import type { auth } from "#shared/auth/auth.ts";
import { CODE_ALPHABET } from "#shared/companies/companies.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const SECRET_PURPOSE = "authenticator app";
const STEP_SECONDS = 30;
const RECOVERY_CODES = 10;
const RECOVERY_CHARS = 10;

const totpOf = (secret: string, label: string, issuer?: string) =>
  new TOTP({ ...(issuer && { issuer }), label, secret: Secret.fromBase32(secret), period: STEP_SECONDS });

/** Starts the setup of an authenticator app. It takes effect once a code has been entered. */
export async function startTotp(ctx: Ctx<User>, sessionId: string, password: string | undefined) {
  await requirePassword(ctx, sessionId, password);
  const { db, config, user } = ctx;
  const secret = new Secret({ size: 20 }).base32;
  const values = {
    secret: seal(config.secret, SECRET_PURPOSE, secret, user.id),
    lastStep: 0,
    createdAt: new Date().toISOString(),
  };
  const stored = await db
    .insertInto("authFactors")
    .values({ userId: user.id, ...values })
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet(values).where("authFactors.confirmedAt", "is", null),
    )
    .returning("userId")
    .executeTakeFirst();
  if (!stored) throw conflict("auth.appExists");
  // The issuer in the otpauth URI must not contain a colon (Key URI Format).
  const { academyName } = await readSettings(db);
  return { secret, address: totpOf(secret, user.email ?? user.name, academyName.replaceAll(":", " ")).toString() };
}

/** Confirms the app with a code and returns recovery codes, which are shown only once. */
export async function confirmTotp(ctx: Ctx<User>, code: string) {
  const { db, user } = ctx;
  if (!(await verifyTotp(ctx, user.id, code, false))) throw badField("code", "auth.wrongCode");
  return inTransaction(db, async (tx) => {
    await tx
      .updateTable("authFactors")
      .set({ confirmedAt: new Date().toISOString() })
      .where("userId", "=", user.id)
      .execute();
    await recordAccountAction(tx, user.id, "account.appAdded");
    return { codes: await replaceRecoveryCodes(ctx, tx, user.id) };
  });
}

export async function removeTotp(ctx: Ctx<User>, sessionId: string, password: string | undefined) {
  await requirePassword(ctx, sessionId, password);
  await inTransaction(ctx.db, async (tx) => {
    const removed = await tx
      .deleteFrom("authFactors")
      .where("userId", "=", ctx.user.id)
      .returning("confirmedAt")
      .executeTakeFirst();
    if (removed?.confirmedAt) await recordAccountAction(tx, ctx.user.id, "account.appRemoved");
    const passkey = await tx
      .selectFrom("authPasskeys")
      .where("userId", "=", ctx.user.id)
      .select("id")
      .executeTakeFirst();
    if (!passkey) await tx.deleteFrom("authRecoveryCodes").where("userId", "=", ctx.user.id).execute();
  });
}

/** Creates ten new recovery codes; the old ones stop working. */
export async function renewRecoveryCodes(ctx: Ctx<User>, sessionId: string, password: string | undefined) {
  await requirePassword(ctx, sessionId, password);
  return inTransaction(ctx.db, async (tx) => ({ codes: await replaceRecoveryCodes(ctx, tx, ctx.user.id) }));
}

const hashRecoveryCode = ({ config }: Services, userId: string, code: string) =>
  sign(config.secret, `recovery ${userId} ${code}`);

async function replaceRecoveryCodes(services: Services, tx: Tx, userId: string) {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_CHARS }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join(""),
  );
  await tx.deleteFrom("authRecoveryCodes").where("userId", "=", userId).execute();
  await tx
    .insertInto("authRecoveryCodes")
    .values(codes.map((code) => ({ userId, hash: hashRecoveryCode(services, userId, code) })))
    .execute();
  await recordAccountAction(tx, userId, "account.recoveryCodes");
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

/**
 * Verifies a code of the app. One time step of drift is accepted (RFC 6238, 5.2); each step works once. The update
 * decides between concurrent uses.
 */
async function verifyTotp({ db, config }: Services, userId: string, code: string, confirmed: boolean) {
  const row = await db
    .selectFrom("authFactors")
    .innerJoin("users", "users.id", "authFactors.userId")
    .where("userId", "=", userId)
    .where("confirmedAt", confirmed ? "is not" : "is", null)
    .select(["secret", "users.email", "users.name"])
    .executeTakeFirst();
  const secret = row && unseal(config.secret, SECRET_PURPOSE, row.secret, userId);
  if (!row || !secret) return false;
  const delta = totpOf(secret, row.email ?? row.name).validate({ token: code.replace(/\s/g, ""), window: 1 });
  if (delta === null) return false;
  const step = Math.floor(Date.now() / 1000 / STEP_SECONDS) + delta;
  const used = await db
    .updateTable("authFactors")
    .set({ lastStep: step })
    .where("userId", "=", userId)
    .where("lastStep", "<", step)
    .returning("userId")
    .executeTakeFirst();
  return used !== undefined;
}

/** Consumes a recovery code and returns the number of remaining codes; undefined if the code is wrong. */
async function consumeRecoveryCode(services: Services, userId: string, typed: string) {
  const code = typed.toUpperCase().replace(/[\s-]/g, "");
  return inTransaction(services.db, async (tx) => {
    const used = await tx
      .deleteFrom("authRecoveryCodes")
      .where("userId", "=", userId)
      .where("hash", "=", hashRecoveryCode(services, userId, code))
      .returning("userId")
      .executeTakeFirst();
    if (!used) return undefined;
    const { remaining } = await tx
      .selectFrom("authRecoveryCodes")
      .where("userId", "=", userId)
      .select((e) => e.fn.countAll<number>().as("remaining"))
      .executeTakeFirstOrThrow();
    await recordAccountAction(tx, userId, "account.recoveryUsed", { left: remaining });
    return remaining;
  });
}

/**
 * Verifies the second step of a sign-in. Throws if the code is wrong; returns the number of remaining recovery codes if
 * one was used.
 */
export async function checkSecondStep(
  services: Services,
  token: string,
  input: BodyOf<typeof auth.secondStep>,
): Promise<number | undefined> {
  const step = await readOneTimeToken(services.db, "secondStep", token);
  if (!step) throw new Problem(401, "auth.secondFactorExpired");
  return checkFactorCode(services, step.userId, input);
}

/**
 * Verifies a code of the app or a recovery code. Throws if it is wrong. Attempts are counted per person, from all
 * networks. Returns the number of remaining recovery codes if one was used.
 */
export async function checkFactorCode(
  services: Services,
  userId: string,
  { method, code }: BodyOf<typeof auth.secondStep>,
): Promise<number | undefined> {
  const { db } = services;
  const attempt = await reserveFactorAttempt(db, userId, method);
  const remainingCodes = method === "recovery" ? await consumeRecoveryCode(services, userId, code) : undefined;
  const isCorrect = method === "app" ? await verifyTotp(services, userId, code, true) : remainingCodes !== undefined;
  if (!isCorrect) {
    await recordAccountAction(db, userId, "account.refused", { second: method }, "nobody");
    throw badField("code", method === "app" ? "auth.wrongCode" : "auth.wrongRecoveryCode");
  }
  await attempt.clear();
  return remainingCodes;
}

/** Removes all second factors of another person, ends their sessions and notifies them by email. */
export async function resetFactors(ctx: Ctx<User>, userId: string) {
  if (userId === ctx.user.id) throw conflict("auth.cannotResetOwnFactor");
  return inTransaction(ctx.db, async (tx) => {
    const person = await tx
      .selectFrom("users")
      .where("id", "=", userId)
      .where(inScope(ctx.user, { company: "users.companyId" }))
      .select(["id", "email", "name", "companyId"])
      .executeTakeFirstOrThrow(notFound);
    await removeFactors(tx, userId);
    await deleteOneTimeTokens(tx, userId);
    await endSessions(tx, [userId]);
    await record(tx, ctx, { action: "learners.factors", people: [userId], companyId: person.companyId });
    await enqueueAccountMail(
      ctx,
      tx,
      person,
      "auth.factorReset",
      factorResetMail({ name: person.name, link: `${ctx.config.publicUrl}/login` }),
    );
  });
}
