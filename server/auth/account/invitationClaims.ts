import { enrolInCompanyCourses } from "#server/courses/enrolments.ts";
import { endSessions } from "#server/auth/service.ts";
import type { Tx } from "#server/core/db.ts";
import { Problem } from "#server/core/problem.ts";

type Claim = { name: string; via: "claim" | "invitation" | "sso"; pending?: boolean; verified?: boolean };

/** Completes an invited record: role learner, name, company kept. Of several at once exactly one wins. The caller adds the way in. */
export async function claim(tx: Tx, userId: string, { name, via, pending = false, verified = false }: Claim) {
  const won = await tx
    .updateTable("users")
    .set({
      ...(name && { name }),
      role: "learner",
      status: "active",
      activatedVia: via,
      emailVerificationPending: pending,
      updatedAt: new Date().toISOString(),
      ...(verified && { emailVerified: true }),
      // Until the mailbox is proven the invitation stays good: whoever reads it is the person that was meant.
      ...(!pending && { invitationHash: null }),
    })
    .where("id", "=", userId)
    .where("lastActive", "is", null)
    .where("status", "=", "invited")
    .where("role", "=", "learner")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("authAccounts").select("id").where("userId", "=", userId))),
    )
    .returning("companyId")
    .executeTakeFirst();
  if (!won?.companyId) throw new Problem(409, "auth.emailInUse");
  await enrolInCompanyCourses(tx, userId, won.companyId, "invitation");
}

/** Undoes a claim whose mailbox was never proven: the record is invited again, whoever claimed it has no way in. */
export async function undoClaim(tx: Tx, userId: string) {
  const undone = await tx
    .updateTable("users")
    .set({ status: "invited", activatedVia: null, emailVerificationPending: false })
    .where("id", "=", userId)
    .where("emailVerificationPending", "=", true)
    .where("status", "=", "active")
    .returning("id")
    .executeTakeFirst();
  if (!undone) return false;
  await tx.deleteFrom("authAccounts").where("userId", "=", userId).execute();
  await endSessions(tx, [userId]);
  return true;
}

/** Removes a record that an access code made for a mailbox whose owner wants nothing of it. Nobody was ever signed in to it. */
export const forgetJoined = async (tx: Tx, userId: string) =>
  Boolean(
    await tx
      .deleteFrom("users")
      .where("id", "=", userId)
      .where("activatedVia", "=", "code")
      .where("emailVerificationPending", "=", true)
      .where("lastActive", "is", null)
      .returning("id")
      .executeTakeFirst(),
  );
