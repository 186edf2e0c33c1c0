import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { deleteOneTimeTokens } from "#server/auth/oneTimeTokens.ts";
import { endSessions } from "#server/auth/service.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { lockLearners, storeAfter, storeBefore } from "#server/imports/applying/before.ts";
import { storeSaidFields } from "#server/imports/applying/ownFields.ts";
import { rejectRows } from "#server/imports/applying/rejectRows.ts";
import type { Judged } from "#server/imports/checking/judgeRows.ts";
import type { ImportRecord } from "#server/imports/lease.ts";
import { sendInvitation } from "#server/learners/invitations.ts";
import texts from "#shared/locales/en/imports.json" with { type: "json" };
import { fillText } from "#shared/variables/templates.ts";
import type { User } from "#shared/core/users.ts";

type Change = Judged & { userId: string };
type Changed = { id: string; emailChanged: boolean; suspended: boolean; restored: boolean; status: string };

/** Changes people to what their rows say, and stores what they were before. */
export async function updatePeople(ctx: Ctx<User>, tx: Tx, file: ImportRecord, judged: Judged[]) {
  const known = judged.filter((row): row is Change => row.userId !== null);
  const learners = await lockLearners(
    tx,
    file.companyId,
    known.map(({ userId }) => userId),
  );
  const rows = known.filter(({ userId }) => learners.has(userId));
  const lost = known.filter(({ userId }) => !learners.has(userId));
  await rejectRows(
    tx,
    file.id,
    lost.map(({ number }) => number),
    { field: null, code: "leftMeanwhile" },
  );
  if (rows.length === 0) return;
  const ids = rows.map(({ userId }) => userId);
  await storeBefore(tx, "people_import_rows", file.id, ids);
  const { rows: changed } = await sql<Changed>`
    with said as (
      select *
      from unnest(
        ${ids}::uuid[],
        ${rows.map(({ said }) => said.email)}::text[],
        ${rows.map(({ said }) => said.name)}::text[],
        ${rows.map(({ said }) => said.status ?? null)}::text[]
      ) said (id, email, name, status)
    ), old as (
      select said.*,
        coalesce(lower(users.email), '') <> coalesce(said.email, lower(users.email), '') as email_changed,
        said.status = 'suspended' and users.status <> 'suspended' as suspended,
        said.status = 'active' and users.status = 'suspended' as restored
      from said
      join users on users.id = said.id
      for update of users
    )
    update users
    set name = old.name,
      email = case when old.email_changed then old.email else users.email end,
      email_verified = users.email_verified and not old.email_changed,
      invitation_hash = case when not old.email_changed then users.invitation_hash end,
      status = case
        when old.suspended then 'suspended'
        when old.restored and exists (select from auth_accounts where user_id = users.id) then 'active'
        when old.restored then 'invited'
        else users.status
      end,
      suspended_at = case
        when old.suspended then now()
        when not coalesce(old.restored, false) then users.suspended_at
      end,
      suspended_reason = case
        when old.suspended then ${fillText(texts.suspended, { name: file.fileName }).slice(0, 300)}
        when old.restored then ''
        else users.suspended_reason
      end,
      version = users.version + 1,
      updated_at = now()
    from old
    where users.id = old.id
    returning users.id, old.email_changed, coalesce(old.suspended, false) as suspended,
      coalesce(old.restored, false) as restored, users.status`.execute(tx);
  await storeNumbers(tx, file.companyId, rows);
  await storeSaidFields(tx, file.companyId, new Map(rows.map(({ userId, said }) => [userId, said])));
  for (const { id, emailChanged, status } of changed) {
    if (!emailChanged) continue;
    await deleteOneTimeTokens(tx, id);
    if (file.invites && status === "invited") await sendInvitation(ctx, tx, id);
  }
  const suspended = changed.filter((person) => person.suspended).map(({ id }) => id);
  await endSessions(tx, suspended);
  await storeAfter(tx, "people_import_rows", file.id, ids);
  await record(tx, ctx, { action: "imports.updatePerson", people: ids, companyId: file.companyId });
  await record(tx, ctx, { action: "learners.suspend", people: suspended, companyId: file.companyId });
}

const storeNumbers = (tx: Tx, companyId: string, rows: Change[]) => {
  const numbered = rows.filter(({ said }) => said.externalId);
  return sql`
    insert into personnel_numbers (user_id, company_id, number)
    select id, ${companyId}, number
    from unnest(
      ${numbered.map(({ userId }) => userId)}::uuid[],
      ${numbered.map(({ said }) => said.externalId ?? "")}::text[]
    ) said (id, number)
    on conflict (user_id) do update set number = excluded.number, company_id = excluded.company_id`.execute(tx);
};
