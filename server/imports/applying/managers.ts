import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { ImportRecord } from "#server/imports/lease.ts";
import { lockManagers, storePossibleManagers } from "#server/managers/relation.ts";
import type { User } from "#shared/core/users.ts";

/**
 * Sets who leads whom, once the people of all rows are there. In one transaction: of a tree that is turned round, half
 * could be a cycle. Repeated, it changes nothing.
 */
export async function applyManagers(ctx: Ctx<User>, tx: Tx, { id, companyId }: ImportRecord) {
  await lockManagers(tx, companyId);
  const { rows } = await sql<{ userId: string; managerId: string | null }>`
    select said.user_id, coalesce(by_email.id, by_number.user_id) as manager_id
    from people_import_rows said
    left join users by_email on lower(by_email.email) = lower(said.said->>'manager')
      and by_email.company_id = ${companyId}
      and by_email.role = 'learner'
    left join personnel_numbers by_number on lower(by_number.number) = lower(said.said->>'manager')
      and by_number.company_id = ${companyId}
    where said.import_id = ${id}
      and said.applied_at is not null
      and said.user_id is not null
      and said.said->>'manager' <> ''
    order by said.number`.execute(tx);
  if (rows.length === 0) return;
  // What they were is stored once, also if this is repeated.
  await sql`
    update people_import_rows
    set before = jsonb_set(
        jsonb_set(before, '{was,manager}', coalesce(to_jsonb(managers.manager_id), 'null')),
        '{was,managerSince}', coalesce(to_jsonb(managers.since), 'null')
      )
    from users
    left join managers on managers.user_id = users.id
    where people_import_rows.import_id = ${id}
      and people_import_rows.user_id = users.id
      and people_import_rows.said->>'manager' <> ''
      and people_import_rows.applied_at is not null
      and people_import_rows.before is not null
      and not people_import_rows.before->'was' ? 'manager'`.execute(tx);
  const known = rows.filter(({ managerId }) => managerId);
  const { changed, leftOut } = await storePossibleManagers(tx, companyId, known);
  await sql`
    update people_import_rows
    set before = jsonb_set(before, '{now,manager}', coalesce(to_jsonb(managers.manager_id), 'null'))
    from users
    left join managers on managers.user_id = users.id
    where people_import_rows.import_id = ${id}
      and people_import_rows.user_id = users.id
      and people_import_rows.before->'was' ? 'manager'`.execute(tx);
  await blame(
    tx,
    id,
    "unknownManager",
    rows.flatMap(({ userId, managerId }) => (managerId ? [] : userId)),
  );
  await blame(tx, id, "managerCycle", leftOut);
  await record(tx, ctx, { action: "managers.set", people: changed, companyId });
}

/** The person is imported, but not who leads them: the row says why. */
const blame = (tx: Tx, id: string, code: string, userIds: string[]) =>
  sql`
    update people_import_rows
    set reasons = ${JSON.stringify([{ field: "manager", code }])}::jsonb
    where import_id = ${id}
      and user_id = any(${userIds}::uuid[])`.execute(tx);

/** Gives people whom the undoing restored the manager that they had, at the end, as when they were imported. */
export async function restoreManagers(tx: Tx, { id, companyId }: ImportRecord) {
  const { rows } = await sql<{ userId: string; managerId: string | null; since: string | null }>`
    select user_id, (before->'was'->>'manager')::uuid as manager_id, (before->'was'->>'managerSince')::date as since
    from people_import_rows
    where import_id = ${id}
      and undone = 'restored'
      and user_id is not null
      and before->'was' ? 'manager'`.execute(tx);
  if (rows.length === 0) return;
  await storePossibleManagers(tx, companyId, rows);
  await sql`
    update managers
    set since = was.since
    from unnest(
      ${rows.map(({ userId }) => userId)}::uuid[],
      ${rows.map(({ managerId }) => managerId)}::uuid[],
      ${rows.map(({ since }) => since)}::date[]
    ) was (user_id, manager_id, since)
    where managers.user_id = was.user_id
      and managers.manager_id = was.manager_id`.execute(tx);
}
