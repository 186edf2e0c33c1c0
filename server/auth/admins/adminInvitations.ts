import { type NotNull, sql } from "kysely";
import { record, recordAccountAction } from "#server/audit/service.ts";
import { academyAdmins } from "#server/auth/admins/adminRows.ts";
import { adminInvitationMail, enqueueAccountMail } from "#server/auth/mails.ts";
import { endSessions } from "#server/auth/service.ts";
import { inTransaction, isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, notFound, Problem } from "#server/core/http/problem.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";
import { readSettings } from "#server/settings/service.ts";
import { ADMIN_INVITATION_DAYS, type admins, type SentInvitation } from "#shared/auth/admins.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const REASON = "auth.adminInvitation";

/** Invites a new or a removed admin. 422 for the address of a learner, an admin or an invited admin. */
export async function inviteAdmin(ctx: Ctx<User>, { email, name }: BodyOf<typeof admins.invite>) {
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const account = await tx
        .selectFrom("users")
        .where(sql`lower(email)`, "=", email)
        .select(["id", "role", "status"])
        .forUpdate()
        .executeTakeFirst();
      if (account?.role === "learner") throw badField("email", "admins.isLearner");
      if (account?.status === "active") throw badField("email", "admins.isAdmin");
      if (account?.status === "invited") throw badField("email", "admins.isInvited");
      const { id } = account ?? (await createInvitedAdmin(tx, email));
      await tx
        .updateTable("users")
        .set({ status: "invited", suspendedAt: null, ...(name && { name }) })
        .where("id", "=", id)
        .execute();
      const sent = await sendInvitation(ctx, tx, id);
      await record(tx, ctx, { action: "admins.invite", people: [id] });
      return sent;
    });
  } catch (error) {
    if (isUniqueViolation(error, "users_email")) throw badField("email", "admins.emailTaken");
    throw error;
  }
}

const createInvitedAdmin = (tx: Tx, email: string) =>
  tx.insertInto("users").values({ email, role: "admin", status: "invited" }).returning("id").executeTakeFirstOrThrow();

/** Sends a new link, which replaces the old one. */
export const resendAdminInvitation = (ctx: Ctx<User>, id: string) =>
  inTransaction(ctx.db, async (tx) => {
    const sent = await sendInvitation(ctx, tx, id);
    await record(tx, ctx, { action: "admins.resend", people: [id] });
    return sent;
  });

/**
 * Revokes an invitation and deletes its account. The account of a removed admin is kept, because content and the audit
 * log name its owner.
 */
export const revokeAdminInvitation = (ctx: Ctx<User>, id: string) =>
  inTransaction(ctx.db, async (tx) => {
    const person = await invitedAdmin(tx, id)
      .select(["id", "lastActive"])
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    await removeUnsentInvitations(tx, id);
    await record(tx, ctx, { action: "admins.revoke", people: [id] });
    if (person.lastActive === null) await tx.deleteFrom("users").where("id", "=", id).execute();
    else
      await tx
        .updateTable("users")
        .set({ status: "suspended", suspendedAt: sql<string>`now()`, invitationHash: null, invitationExpiresAt: null })
        .where("id", "=", id)
        .execute();
  });

const invitedAdmin = (tx: Tx, id: string) =>
  academyAdmins(tx).where("users.id", "=", id).where("users.status", "=", "invited");

/** Only the newest link works, so earlier ones need not be sent. */
const removeUnsentInvitations = (tx: Tx, userId: string) =>
  tx
    .deleteFrom("mails")
    .where("userId", "=", userId)
    .where("reason", "=", REASON)
    .where("status", "!=", "sent")
    .execute();

async function sendInvitation(ctx: Ctx<User>, tx: Tx, id: string): Promise<SentInvitation> {
  const person = await invitedAdmin(tx, id)
    .select(["users.id", "users.email", "users.name", "users.companyId"])
    .$narrowType<{ email: NotNull }>()
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  const token = newToken();
  const now = Date.now();
  await tx
    .updateTable("users")
    .set({
      invitationHash: hashToken(token),
      invitedAt: new Date(now).toISOString(),
      invitedBy: ctx.user.id,
      invitationExpiresAt: new Date(now + ADMIN_INVITATION_DAYS * 86_400_000).toISOString(),
    })
    .where("id", "=", id)
    .execute();
  await removeUnsentInvitations(tx, id);
  const link = `${ctx.config.publicUrl}/register?invitation=${token}`;
  const { academyName } = await readSettings(tx);
  const mail = adminInvitationMail({ name: person.name, academy: academyName, by: ctx.user, link });
  const { isQueued } = await enqueueAccountMail(ctx, tx, person, REASON, mail);
  return { id, email: person.email, link: isQueued ? null : link };
}

/** Activates an invited admin. Of several concurrent calls with the same link, exactly one succeeds. */
export async function claimAdminInvitation(tx: Tx, userId: string, token: string, name: string) {
  const claimed = await tx
    .updateTable("users")
    .set((e) => ({
      name,
      status: "active",
      activatedVia: "invitation",
      emailVerified: true,
      invitationHash: null,
      invitationExpiresAt: null,
      version: e("version", "+", 1),
      updatedAt: new Date().toISOString(),
    }))
    .where("id", "=", userId)
    .where("role", "=", "admin")
    .where("status", "=", "invited")
    .where("invitationHash", "=", hashToken(token))
    .returning("id")
    .executeTakeFirst();
  if (!claimed) throw new Problem(404, "auth.invitationInvalid");
  // An admin who was removed before must not get their earlier sessions back.
  await endSessions(tx, [userId]);
  await recordAccountAction(tx, userId, "account.becameAdmin");
}
