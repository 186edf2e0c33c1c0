import { type NotNull, sql } from "kysely";
import { claimInvitation, revertClaim } from "#server/auth/account/invitationClaims.ts";
import { claimAdminInvitation } from "#server/auth/admins/adminInvitations.ts";
import { hashPassword } from "#server/auth/password/hashing.ts";
import { addPassword, refuseWeakPassword } from "#server/auth/password/passwords.ts";
import { refuseIfSsoEnforced } from "#server/auth/sso/ssoDomains.ts";
import { deleteOneTimeTokens } from "#server/auth/oneTimeTokens.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import { hashToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { readSettings } from "#server/settings/service.ts";
import type { auth } from "#shared/auth/auth.ts";
import type { BodyOf } from "#shared/core/route.ts";

/** The account of an invitation: still invited, or claimed with an unverified address. Admins have no company. */
const findInvitation = (db: Db, token: string) =>
  db
    .selectFrom("users")
    .leftJoin("companies", "companies.id", "users.companyId")
    .where("invitationHash", "=", hashToken(token))
    .where("invitationExpiresAt", ">", sql<string>`now()`)
    .where((e) =>
      e.or([
        e("users.status", "=", "invited"),
        e.and([e("users.status", "=", "active"), e("users.emailVerificationPending", "=", true)]),
      ]),
    )
    .where((e) => e.or([e("users.companyId", "is", null), e("companies.status", "=", "active")]))
    .select([
      "users.id",
      "users.email",
      "users.name",
      "users.role",
      "users.companyId",
      "companies.name as company",
      "companies.color",
    ])
    .$narrowType<{ email: NotNull }>();

export async function readInvitation({ db }: Services, token: string) {
  const invitation = await findInvitation(db, token).executeTakeFirst();
  if (!invitation) throw new Problem(404, "auth.invitationInvalid");
  const { company, ...person } = invitation;
  if (company !== null) return { ...person, company };
  const { academyName, color } = await readSettings(db);
  return { ...person, company: academyName, color };
}

/** Accepts an invitation. The link came by email, so it verifies the address and overrides an unverified claim. */
export async function acceptInvitation(services: Services, token: string, input: BodyOf<typeof auth.acceptInvitation>) {
  const invitation = await readInvitation(services, token);
  await refuseWeakPassword(services.db, input.password, { ...invitation, name: input.name });
  await refuseIfSsoEnforced(services.db, invitation.email, invitation.companyId);
  const password = await hashPassword(input.password);
  await inTransaction(services.db, async (tx) => {
    if (invitation.role === "admin") await claimAdminInvitation(tx, invitation.id, token, input.name);
    else {
      await revertClaim(tx, invitation.id);
      await claimInvitation(tx, invitation.id, { name: input.name, via: "invitation", verified: true });
    }
    await addPassword(tx, invitation.id, password);
    await deleteOneTimeTokens(tx, invitation.id);
  });
  return { email: invitation.email };
}
