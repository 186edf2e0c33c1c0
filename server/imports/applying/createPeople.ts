import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { enrolNewLearners } from "#server/courses/enrolments.ts";
import { withReason } from "#server/courses/reasons.ts";
import { enrolByRules } from "#server/enrolmentRules/enrolling.ts";
import { storeSaidFields } from "#server/imports/applying/ownFields.ts";
import type { Judged } from "#server/imports/checking/judgeRows.ts";
import type { ImportRecord } from "#server/imports/lease.ts";
import { sendInvitation } from "#server/learners/invitations.ts";
import type { User } from "#shared/core/users.ts";

/** Creates invited people with their numbers and the courses of the company. Returns their ids. */
export async function createPeople(ctx: Ctx<User>, tx: Tx, file: ImportRecord, rows: Judged[]) {
  if (rows.length === 0) return [];
  const { rows: created } = await sql<{ id: string; number: number }>`
    with said as (
      select number, email, name, external_id, gen_random_uuid() as id
      from unnest(
        ${rows.map(({ number }) => number)}::integer[],
        ${rows.map(({ said }) => said.email)}::text[],
        ${rows.map(({ said }) => said.name)}::text[],
        ${rows.map(({ said }) => said.externalId ?? null)}::text[]
      ) said (number, email, name, external_id)
    ), people as (
      insert into users (id, email, name, role, status, company_id)
      select id, email, name, 'learner', 'invited', ${file.companyId}
      from said
      returning id
    ), numbered as (
      insert into personnel_numbers (user_id, company_id, number)
      select id, ${file.companyId}, external_id
      from said
      where external_id is not null
    )
    select said.id, said.number
    from people
    join said on said.id = people.id
    order by said.number`.execute(tx);
  await sql`
    update people_import_rows
    set user_id = created.id,
      applied_at = now()
    from unnest(
      ${created.map(({ id }) => id)}::uuid[],
      ${created.map(({ number }) => number)}::integer[]
    ) created (id, number)
    where people_import_rows.import_id = ${file.id}
      and people_import_rows.number = created.number`.execute(tx);
  const saidBy = new Map(rows.map(({ number, said }) => [number, said]));
  await storeSaidFields(tx, file.companyId, new Map(created.map(({ id, number }) => [id, saidBy.get(number)])));
  const ids = created.map(({ id }) => id);
  await withReason(tx, "import", () => enrolNewLearners(tx, ids, file.companyId, "invitation"));
  await enrolByRules(tx, ids);
  if (file.invites) for (const id of ids) await sendInvitation(ctx, tx, id);
  return ids;
}
