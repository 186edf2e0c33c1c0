import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { valuesOfUser } from "#server/fields/values.ts";
import { lockLearners } from "#server/imports/applying/before.ts";
import { restoreFields } from "#server/imports/applying/ownFields.ts";
import type { ImportRecord } from "#server/imports/lease.ts";
import type { PersonBefore } from "#shared/imports/imports.ts";
import type { User } from "#shared/core/users.ts";

type Table = "people_import_rows" | "people_import_leavers";
type Row = PersonBefore & { userId: string; isAsLeft: boolean; isTaken: boolean; hasActed: boolean };

/**
 * Restores the next people whom the import changed, if they still are as it left them and no one has taken their
 * email or number meanwhile. Returns how many were looked at.
 */
export async function restorePeople(ctx: Ctx<User>, tx: Tx, file: ImportRecord, table: Table, limit: number) {
  const { rows: next } = await sql<{ userId: string }>`
    select user_id
    from ${sql.table(table)}
    where import_id = ${file.id}
      and applied_at is not null
      and before is not null
      and undone is null
      and user_id is not null
    order by user_id
    limit ${limit}`.execute(tx);
  const userIds = next.map(({ userId }) => userId);
  await lockLearners(tx, file.companyId, userIds);
  const { rows } = await sql<Row>`
    select changed.user_id,
      before->'was' as was,
      before->'now' as now,
      coalesce(
        users.company_id = ${file.companyId}
        and users.name = before->'now'->>'name'
        and users.email is not distinct from before->'now'->>'email'
        and users.status = before->'now'->>'status'
        and personnel_numbers.number is not distinct from before->'now'->>'number'
        and (
          not before->'now' ? 'manager'
          or managers.manager_id::text is not distinct from before->'now'->>'manager'
        )
        and coalesce(before->'now'->'fields' = ${valuesOfUser}, true),
        false
      ) as is_as_left,
      coalesce(users.status = 'active' and before->'now'->>'status' <> 'active', false) as has_acted,
      exists (
        select from users other
        where lower(other.email) = lower(before->'was'->>'email')
          and other.id <> changed.user_id
      ) or exists (
        select from personnel_numbers other
        where other.company_id = ${file.companyId}
          and lower(other.number) = lower(before->'was'->>'number')
          and other.user_id <> changed.user_id
      ) as is_taken
    from ${sql.table(table)} changed
    left join users on users.id = changed.user_id
    left join personnel_numbers on personnel_numbers.user_id = changed.user_id
    left join managers on managers.user_id = changed.user_id
    where changed.import_id = ${file.id}
      and changed.user_id = any(${userIds}::uuid[])
      and changed.before is not null
      and changed.undone is null
    for update of changed`.execute(tx);
  if (rows.length === 0) return 0;
  const restored = rows.filter(({ isAsLeft, isTaken }) => isAsLeft && !isTaken);
  await restore(tx, file.companyId, restored);
  const undoneOf = (row: Row) => {
    if (restored.includes(row)) return "restored";
    return row.hasActed ? "acted" : "changed";
  };
  await sql`
    update ${sql.table(table)} changed
    set undone = done.undone
    from unnest(
      ${rows.map(({ userId }) => userId)}::uuid[],
      ${rows.map(undoneOf)}::text[]
    ) done (user_id, undone)
    where changed.import_id = ${file.id}
      and changed.user_id = done.user_id
      and changed.before is not null`.execute(tx);
  await record(tx, ctx, {
    action: "imports.restorePerson",
    people: restored.map(({ userId }) => userId),
    companyId: file.companyId,
  });
  return rows.length;
}

/** Sessions that a suspension ended stay ended. The version is restored too, unless it was raised since. */
async function restore(tx: Tx, companyId: string, rows: Row[]) {
  await sql`
    update users
    set name = was->>'name',
      email = was->>'email',
      email_verified = (was->>'email_verified')::boolean,
      status = was->>'status',
      suspended_at = (was->>'suspended_at')::timestamptz,
      suspended_reason = was->>'suspended_reason',
      invitation_hash = was->>'invitation_hash',
      invited_at = (was->>'invited_at')::timestamptz,
      invited_by = (was->>'invited_by')::uuid,
      invitation_expires_at = (was->>'invitation_expires_at')::timestamptz,
      token_valid_after = case
        when users.token_valid_after = (current->>'token_valid_after')::timestamptz
        then (was->>'token_valid_after')::timestamptz
        else users.token_valid_after
      end,
      version = case
        when users.version = (current->>'version')::integer then (was->>'version')::integer
        else users.version + 1
      end,
      updated_at = (was->>'updated_at')::timestamptz
    from unnest(
      ${rows.map(({ userId }) => userId)}::uuid[],
      ${rows.map(({ was }) => JSON.stringify(was))}::jsonb[],
      ${rows.map(({ now }) => JSON.stringify(now))}::jsonb[]
    ) restored (id, was, current)
    where users.id = restored.id`.execute(tx);
  await sql`
    delete from personnel_numbers
    where user_id = any(${rows.filter(({ was }) => was.number === null).map(({ userId }) => userId)}::uuid[])`.execute(
    tx,
  );
  const numbered = rows.filter(({ was }) => was.number !== null);
  await sql`
    insert into personnel_numbers (user_id, company_id, number)
    select id, ${companyId}, number
    from unnest(
      ${numbered.map(({ userId }) => userId)}::uuid[],
      ${numbered.map(({ was }) => String(was.number))}::text[]
    ) restored (id, number)
    on conflict (user_id) do update set number = excluded.number`.execute(tx);
  await restoreFields(
    tx,
    companyId,
    rows.flatMap(({ userId, was }) => (was.fields ? [{ userId, was: was.fields }] : [])),
  );
}
