import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { valuesOfUser } from "#server/fields/values.ts";
import type { FieldValues } from "#shared/fields/fields.ts";

// Accounts that rows of a file name, by their address or, in the company, by their personnel number

export type Account = {
  id: string;
  email: string | null;
  name: string;
  role: string;
  status: string;
  companyId: string | null;
  externalId: string | null;
  managerId: string | null;
  fields: FieldValues;
};
export type Accounts = { byEmail: Map<string, Account>; byNumber: Map<string, Account> };

/** `emails`, `numbers`: in lower case, as are the keys of the result. */
export async function findAccounts(
  tx: Tx,
  companyId: string,
  { emails, numbers }: { emails: string[]; numbers: string[] },
): Promise<Accounts> {
  const select = () =>
    tx
      .selectFrom("users")
      .leftJoin("personnelNumbers", "personnelNumbers.userId", "users.id")
      .leftJoin("managers", "managers.userId", "users.id")
      .select([
        "users.id",
        "users.email",
        "users.name",
        "users.role",
        "users.status",
        "users.companyId",
        "personnelNumbers.number as externalId",
        "managers.managerId",
        valuesOfUser.as("fields"),
      ]);
  const found = await select()
    .where(sql<boolean>`lower(users.email) = any(${emails}::text[])`)
    .execute();
  const numbered = await select()
    .where("personnelNumbers.companyId", "=", companyId)
    .where(sql<boolean>`lower(personnel_numbers.number) = any(${numbers}::text[])`)
    .execute();
  return {
    byEmail: new Map(found.map((account) => [account.email?.toLowerCase() ?? "", account])),
    byNumber: new Map(numbered.map((account) => [account.externalId?.toLowerCase() ?? "", account])),
  };
}
