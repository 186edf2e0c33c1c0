import { sql } from "kysely";
import { recordAccountAction } from "#server/audit/service.ts";
import { findEmailChange } from "#server/auth/account/pendingEmail.ts";
import { emailChangedMail, enqueueAccountMail, newEmailMail } from "#server/auth/mails.ts";
import { deleteOneTimeTokens } from "#server/auth/oneTimeTokens.ts";
import { activeUsers } from "#server/auth/service.ts";
import { inTransaction, isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, Problem } from "#server/core/http/problem.ts";
import { reserve } from "#server/core/limits/throttle.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { hasMailServer } from "#server/mails/mailServer.ts";
import { EMAIL_CHANGE_HOURS } from "#shared/auth/account.ts";
import type { User } from "#shared/core/users.ts";

/** Maximum number of confirmation links that a person can request per hour. */
const MAILS_PER_HOUR = 5;

/**
 * Changes the person's own address after its owner has confirmed it. Without a mail server nobody could receive the
 * link, so the address changes immediately.
 */
export async function changeEmail(ctx: Ctx<User>, email: string): Promise<{ outcome: "linkSent" | "changed" }> {
  const { db, user } = ctx;
  if (email === user.email?.toLowerCase()) throw badField("email", "auth.emailIsSame");
  if (!(await reserve(db, ["email change", user.id], MAILS_PER_HOUR, 3600)))
    throw new Problem(429, "auth.tooManyMails", { values: { count: MAILS_PER_HOUR } });
  if (await isTaken(ctx, email)) throw badField("email", "admins.emailTaken");
  const canSend = await hasMailServer(ctx);
  await inTransaction(db, (tx) => (canSend ? sendLink(ctx, tx, email) : apply(ctx, tx, user.id, email, false))).catch(
    (error: unknown) => {
      throw isUniqueViolation(error, "users_email") ? badField("email", "admins.emailTaken") : error;
    },
  );
  return { outcome: canSend ? "linkSent" : "changed" };
}

const isTaken = async ({ db }: Pick<Services, "db">, email: string) =>
  (await db
    .selectFrom("users")
    .where(sql`lower(email)`, "=", email)
    .select("id")
    .executeTakeFirst()) !== undefined;

async function sendLink(ctx: Ctx<User>, tx: Tx, email: string) {
  const { id, name, companyId } = ctx.user;
  const token = newToken();
  const values = {
    hash: hashToken(token),
    email,
    expiresAt: new Date(Date.now() + EMAIL_CHANGE_HOURS * 3_600_000).toISOString(),
  };
  await tx
    .insertInto("authEmailChanges")
    .values({ userId: id, ...values })
    .onConflict((conflict) => conflict.column("userId").doUpdateSet(values))
    .execute();
  const mail = newEmailMail({ name, link: `${ctx.config.publicUrl}/confirm-new-email?token=${token}` });
  await enqueueAccountMail(ctx, tx, { id, email, companyId }, "auth.newEmail", mail);
  await recordAccountAction(tx, id, "account.emailRequested");
}

export async function cancelEmailChange({ db, user }: Ctx<User>) {
  await db.deleteFrom("authEmailChanges").where("userId", "=", user.id).execute();
}

export async function readEmailChange({ db }: Services, token: string) {
  const change = await findEmailChange(db, token).executeTakeFirst();
  if (!change) throw new Problem(404, "auth.emailChangeInvalid");
  return { email: change.email };
}

/** Confirms a new address with the link that was sent to it. The link works once. */
export async function confirmEmailChange(services: Services, token: string) {
  return inTransaction(services.db, async (tx) => {
    const change = await findEmailChange(tx, token).forUpdate().executeTakeFirst();
    const isActive =
      change && (await activeUsers(tx).where("users.id", "=", change.userId).select("users.id").executeTakeFirst());
    if (!change || !isActive) throw new Problem(404, "auth.emailChangeInvalid");
    await apply(services, tx, change.userId, change.email, true);
    return { email: change.email };
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, "users_email") ? new Problem(409, "auth.emailInUse") : error;
  });
}

/** Sets the address, notifies the previous one, and invalidates every link that was sent to the previous one. */
async function apply(services: Services, tx: Tx, userId: string, email: string, isVerified: boolean) {
  const before = await tx
    .selectFrom("users")
    .where("id", "=", userId)
    .select(["id", "email", "name", "companyId"])
    .forUpdate()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("users")
    .set((e) => ({
      email,
      emailVerified: isVerified,
      version: e("version", "+", 1),
      updatedAt: new Date().toISOString(),
    }))
    .where("id", "=", userId)
    .execute();
  await deleteOneTimeTokens(tx, userId);
  await recordAccountAction(tx, userId, "account.email");
  await enqueueAccountMail(services, tx, before, "auth.emailChanged", emailChangedMail(before));
}
