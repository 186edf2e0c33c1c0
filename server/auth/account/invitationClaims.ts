import { enrolInCompanyCourses } from "#server/courses/enrolments.ts";
import { enrolByRules } from "#server/enrolmentRules/enrolling.ts";
import { endSessions } from "#server/auth/service.ts";
import type { Tx } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";

type Claim = { name: string; via: "claim" | "invitation" | "sso"; pending?: boolean; verified?: boolean };

/**
 * Activates an invited account as learner; its company is kept. Of several concurrent claims exactly one succeeds. The
 * caller adds the sign-in method.
 */
export async function claimInvitation(tx: Tx, userId: string, { name, via, pending = false, verified = false }: Claim) {
  const claimed = await tx
    .updateTable("users")
    .set({
      ...(name && { name }),
      role: "learner",
      status: "active",
      activatedVia: via,
      emailVerificationPending: pending,
      updatedAt: new Date().toISOString(),
      ...(verified && { emailVerified: true }),
      // The invitation stays valid until the address is verified: only the invited person can read it.
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
  if (!claimed?.companyId) throw new Problem(409, "auth.emailInUse");
  await enrolInCompanyCourses(tx, userId, claimed.companyId, "invitation");
  await enrolByRules(tx, [userId]);
}

/** Reverts a claim with an unverified address: the account becomes invited again and loses its sign-in methods. */
export async function revertClaim(tx: Tx, userId: string) {
  const reverted = await tx
    .updateTable("users")
    .set({ status: "invited", activatedVia: null, emailVerificationPending: false })
    .where("id", "=", userId)
    .where("emailVerificationPending", "=", true)
    .where("status", "=", "active")
    .returning("id")
    .executeTakeFirst();
  if (!reverted) return false;
  await tx.deleteFrom("authAccounts").where("userId", "=", userId).execute();
  await endSessions(tx, [userId]);
  return true;
}

/** Deletes an account created with an access code whose address was never verified. No one can have signed in to it. */
export const deleteUnverifiedRegistration = async (tx: Tx, userId: string) =>
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
