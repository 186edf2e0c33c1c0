import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { lockActiveAdmins } from "#server/auth/admins/adminRows.ts";
import { removeFactors } from "#server/auth/factors/factors.ts";
import { adminRemovedMail, enqueueAccountMail } from "#server/auth/mails.ts";
import { deleteOneTimeTokens } from "#server/auth/oneTimeTokens.ts";
import { endSessions } from "#server/auth/service.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, forbidden, notFound } from "#server/core/http/problem.ts";
import type { User } from "#shared/core/users.ts";

/**
 * Removes an admin of the academy: sessions end, API keys are revoked, and everything they log in with is deleted. The
 * row stays, without access, because content and the audit log name its owner.
 */
export const removeAdmin = (ctx: Ctx<User>, id: string) =>
  inTransaction(ctx.db, async (tx) => {
    const active = await lockActiveAdmins(tx);
    // A concurrent call has removed the caller.
    if (!active.includes(ctx.user.id)) throw forbidden();
    if (!active.includes(id)) throw notFound();
    if (active.length === 1) throw conflict("admins.isLast");
    const person = await tx
      .updateTable("users")
      .set((e) => ({
        status: "suspended",
        suspendedAt: sql<string>`now()`,
        version: e("version", "+", 1),
        updatedAt: new Date().toISOString(),
      }))
      .where("id", "=", id)
      .returning(["id", "email", "name", "companyId"])
      .executeTakeFirstOrThrow(notFound);
    const revoked = await tx
      .updateTable("apiKeys")
      .set({ revokedAt: sql<string>`now()` })
      .where("createdBy", "=", id)
      .where("revokedAt", "is", null)
      .returning("id")
      .execute();
    await tx.deleteFrom("authAccounts").where("userId", "=", id).execute();
    await removeFactors(tx, id);
    await deleteOneTimeTokens(tx, id);
    await endSessions(tx, [id]);
    await record(tx, ctx, { action: "admins.remove", people: [id], details: { keys: revoked.length } });
    await enqueueAccountMail(ctx, tx, person, "auth.adminRemoved", adminRemovedMail(person));
  });
