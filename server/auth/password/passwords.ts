import { passwordChangedMail, enqueueAccountMail } from "#server/auth/mails.ts";
import { isCommonPassword } from "#server/auth/password/commonPasswords.ts";
import type { Db, Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { isWeakPassword, type PasswordOwner } from "#shared/auth/auth.ts";

/** True for a new password that is too short, contains little but the person's name or address, or is common or breached. */
export const isRefusedPassword = async (password: string, owner: PasswordOwner) =>
  isWeakPassword(password, owner) || isCommonPassword(password);

export async function addPassword(tx: Db, userId: string, hash: string) {
  await tx
    .insertInto("authAccounts")
    .values({ userId, accountId: userId, providerId: "credential", password: hash })
    .execute();
}

/** Sets or replaces the hash of a password and notifies the person by email. */
export async function setPassword(services: Services, tx: Tx, userId: string, hash: string) {
  await tx
    .insertInto("authAccounts")
    .values({ userId, accountId: userId, providerId: "credential", password: hash })
    .onConflict((conflict) =>
      conflict
        .columns(["providerId", "accountId"])
        .doUpdateSet({ password: hash, updatedAt: new Date().toISOString() }),
    )
    .execute();
  const person = await tx
    .selectFrom("users")
    .where("id", "=", userId)
    .select(["id", "email", "name", "companyId"])
    .executeTakeFirstOrThrow();
  await enqueueAccountMail(
    services,
    tx,
    person,
    "auth.passwordChanged",
    passwordChangedMail({ name: person.name, link: `${services.config.publicUrl}/forgot-password` }),
  );
}
