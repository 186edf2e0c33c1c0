import { passwordChangedMail, enqueueAccountMail } from "#server/auth/mails.ts";
import { findWeakness } from "#server/auth/password/weakness.ts";
import type { Db, Tx } from "#server/core/database/db.ts";
import { Problem, sentence } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { readSettings } from "#server/settings/service.ts";
import type { PasswordOwner, PasswordWeakness } from "#shared/auth/auth.ts";

/** Why a new password of a person in a company is easy to guess (`weakness.ts`); null if it is not. */
export async function weaknessOf(
  db: Db,
  password: string,
  { companyId, name, email }: PasswordOwner & { companyId: string | null },
): Promise<PasswordWeakness | null> {
  const { academyName } = await readSettings(db);
  const company =
    companyId && (await db.selectFrom("companies").where("id", "=", companyId).select("name").executeTakeFirst());
  return findWeakness(password, { name, email, places: [academyName, ...(company ? [company.name] : [])] });
}

/** Throws 422 for a new password that is easy to guess. With `field`, the error is an issue of this field. */
export async function refuseWeakPassword(
  db: Db,
  password: string,
  owner: PasswordOwner & { companyId: string | null },
  field?: string,
) {
  const weakness = await weaknessOf(db, password, owner);
  if (!weakness) return;
  const code = "auth.passwordWeak";
  throw field
    ? new Problem(422, "core.invalid", {
        issues: [{ path: field, code, message: sentence(code) }],
        details: { weakness },
      })
    : new Problem(422, code, { details: { weakness } });
}

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
