import { sql } from "kysely";
import { isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import { listDefinitions, lockFields, storeFieldValues } from "#server/fields/values.ts";
import { findCycle, lockManagers, storeManagers } from "#server/managers/relation.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { type Person, unfitValue } from "#server/provisioning/scim/person.ts";
import { invalidValue, taken } from "#server/provisioning/scim/scimError.ts";
import { isValueOf } from "#shared/fields/fields.ts";

/** What is known about a person only from the directory. The address is null unless it has changed. */
type Link = Pick<Person, "userName" | "externalId" | "attributes" | "email">;

/**
 * Links a person to the directory, and stores what is known only from there. `isEmailHeld`: the address of the account
 * stays when the directory has another one.
 */
export const storeLink = (
  tx: Tx,
  scim: Scim,
  id: string,
  { userName, externalId, attributes, email }: Link,
  isEmailHeld = false,
) =>
  sql`
    insert into provisioned_people (user_id, company_id, user_name, external_id, attributes, email, email_held)
    select id,
      ${scim.directory.companyId},
      ${userName},
      ${externalId},
      ${JSON.stringify(attributes)},
      coalesce(${email}, lower(email)),
      ${isEmailHeld}
    from users
    where id = ${id}
    on conflict (user_id) do update
      set user_name = excluded.user_name,
        external_id = excluded.external_id,
        attributes = excluded.attributes,
        email = coalesce(${email}, provisioned_people.email, excluded.email),
        removed_at = null,
        updated_at = now()`.execute(tx);

export const storeNumber = (tx: Tx, scim: Scim, id: string, number: string | null) =>
  number === null
    ? sql`
        delete from personnel_numbers
        where user_id = ${id}`.execute(tx)
    : sql`
        insert into personnel_numbers (user_id, company_id, number)
        values (${id}, ${scim.directory.companyId}, ${number})
        on conflict (user_id) do update set number = excluded.number`.execute(tx);

export async function storeFields(tx: Tx, { directory }: Scim, id: string, values: Person["fields"]) {
  if (Object.keys(values).length === 0) return;
  await lockFields(tx, Object.keys(values));
  // An admin may have changed them since the call was read.
  const fields = new Map((await listDefinitions(tx, directory.companyId)).map((field) => [field.id, field]));
  const changes = Object.entries(values).flatMap(([fieldId, value]) => {
    const field = fields.get(fieldId);
    if (field && value !== null && !isValueOf(field, value)) throw unfitValue(field.key, "unknownChoice");
    return field ? [{ userId: id, fieldId, value }] : [];
  });
  await storeFieldValues(tx, changes, new Map([...fields].map(([fieldId, { kind }]) => [fieldId, kind])));
}

/** Sets who leads a person, who is another learner of the company whom the directory sees. */
export async function storeManager(tx: Tx, { directory }: Scim, id: string, managerId: string | null) {
  const { companyId } = directory;
  await lockManagers(tx, companyId);
  if (managerId !== null) {
    const { rows } = await sql`
      select 1
      from users u
      left join provisioned_people p on p.user_id = u.id
      where u.id = ${managerId}
        and u.company_id = ${companyId}
        and u.role = 'learner'
        and p.removed_at is null`.execute(tx);
    if (rows.length === 0) throw invalidValue("“manager” is not a user of this company. Create the manager first.");
    if (await findCycle(tx, [{ userId: id, managerId }]))
      throw invalidValue("“manager” must not report to this person, directly or through others.");
  }
  return storeManagers(tx, companyId, [{ userId: id, managerId }]);
}

type Claims = { [name in "userName" | "externalId" | "email" | "number"]: string | null };

/**
 * Refuses names, addresses and numbers of others; null claims nothing. An address of another company is refused in the
 * same words as one of this company.
 */
export async function refuseTaken(tx: Tx, { directory }: Scim, id: string | null, claims: Claims) {
  const { companyId } = directory;
  const { userName, externalId, email, number } = claims;
  const { rows } = await sql<{ name: boolean; external: boolean; address: boolean; number: boolean }>`
    select exists (
        select from provisioned_people
        where company_id = ${companyId}
          and lower(user_name) = lower(${userName})
          and removed_at is null
          and user_id is distinct from ${id}::uuid
      ) or exists (
        select from users
        where lower(email) = lower(${userName})
          and company_id = ${companyId}
          and role = 'learner'
          and id is distinct from ${id}::uuid
          and not exists (
            select from provisioned_people
            where user_id = users.id
          )
      ) or exists (
        select from personnel_numbers
        where company_id = ${companyId}
          and lower(number) = lower(${userName})
          and user_id is distinct from ${id}::uuid
          and not exists (
            select from provisioned_people
            where user_id = personnel_numbers.user_id
          )
      ) as name,
      exists (
        select from provisioned_people
        where company_id = ${companyId}
          and external_id = ${externalId}
          and removed_at is null
          and user_id is distinct from ${id}::uuid
      ) as external,
      exists (
        select from users
        where lower(email) = ${email}
          and id is distinct from ${id}::uuid
      ) as address,
      exists (
        select from personnel_numbers
        where company_id = ${companyId}
          and lower(number) = lower(${number})
          and user_id is distinct from ${id}::uuid
      ) as number`.execute(tx);
  const [found] = rows;
  if (found?.name) throw taken("“userName” is taken.");
  if (found?.external) throw taken("“externalId” is taken.");
  if (found?.address) throw taken("The email address is taken.");
  if (found?.number) throw taken("“employeeNumber” is taken.");
}

/** Of two requests at the same time, the later one is refused by the database. */
export const asTaken = (error: unknown): unknown => {
  if (isUniqueViolation(error, "users_email")) return taken("The email address is taken.");
  if (isUniqueViolation(error, "provisioned_people_user_name")) return taken("“userName” is taken.");
  if (isUniqueViolation(error, "provisioned_people_external_id")) return taken("“externalId” is taken.");
  if (isUniqueViolation(error, "personnel_numbers_number")) return taken("“employeeNumber” is taken.");
  if (isUniqueViolation(error, "groups_name")) return taken("A group with this name already exists.");
  return error;
};
