import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { requestFollow } from "#server/paths/follow.ts";
import { isHere, PATH_SCOPE } from "#server/paths/pathRows.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { AssignPreview, PathPeople, paths } from "#shared/paths/paths.ts";

/** Names that a preview shows. */
const SHOWN = 5;
const shownName = sql<string>`coalesce(nullif(users.name, ''), users.email, '')`;

/** 404 unless all companies and groups exist in the scope of the user. */
async function checkChosen(tx: Tx, user: User, { companyIds, groupIds }: PathPeople) {
  const companies = await tx
    .selectFrom("companies")
    .where(isOneOf("id", companyIds))
    .where(inScope(user, { company: "companies.id" }))
    .select("id")
    .execute();
  const groups = await tx
    .selectFrom("groups")
    .where(isOneOf("id", groupIds))
    .where("removedAt", "is", null)
    .where(inScope(user, { company: "groups.companyId" }))
    .select("id")
    .execute();
  if (companies.length < new Set(companyIds).size || groups.length < new Set(groupIds).size) throw notFound();
}

/** Learners chosen directly, by company or by group; none of archived companies. */
const selectChosen = (user: User, { companyIds, groupIds, userIds }: PathPeople) => sql`
  select users.id, users.company_id, users.status, companies.timezone
  from users
  join companies on companies.id = users.company_id and companies.status <> 'archived'
  where users.role = 'learner'
    and ${inScope(user, { company: "users.companyId" })}
    and (
      ${isOneOf("users.companyId", companyIds)}
      or ${isOneOf("users.id", userIds)}
      or users.id in (
        select group_members.person_id
        from group_members
        where ${isOneOf("group_members.groupId", groupIds)}
          and group_members.until is null
      )
    )`;

async function readPublished(tx: Tx, id: string) {
  // Waits for a version that is being published, so that no one joins an older one.
  const path = await tx.selectFrom("paths").where("id", "=", id).select("status").forShare().executeTakeFirst();
  if (!path) throw notFound();
  if (path.status === "archived") throw conflict("paths.archived");
  const { no } = await tx
    .selectFrom("pathVersions")
    .where("pathId", "=", id)
    .select((e) => e.fn.max<number | null>("no").as("no"))
    .executeTakeFirstOrThrow();
  if (no === null) throw conflict("paths.notPublished");
  return no;
}

export const previewAssign = (ctx: Ctx<User>, id: string, people: BodyOf<typeof paths.previewAssign>) =>
  inTransaction(ctx.db, async (tx): Promise<AssignPreview> => {
    await readPublished(tx, id);
    await checkChosen(tx, ctx.user, people);
    const { rows } = await sql<AssignPreview>`
      with chosen as materialized (
        select chosen.id, chosen.status, exists (
          select from path_enrolments
          where path_enrolments.path_id = ${id}
            and path_enrolments.user_id = chosen.id
            and path_enrolments.company_id = chosen.company_id
            and path_enrolments.withdrawn_at is null
        ) as has
        from (${selectChosen(ctx.user, people)}) chosen
      )
      select count(*) filter (where not has)::int as fresh,
        count(*) filter (where has)::int as has,
        count(*) filter (where not has and status = 'suspended')::int as suspended,
        array(
          select ${shownName}
          from chosen named
          join users on users.id = named.id
          where not named.has
          order by lower(${shownName}), users.id
          limit ${SHOWN}
        ) as names
      from chosen`.execute(tx);
    return rows[0] as AssignPreview;
  });

/** Puts people on the live version. Withdrawn people join again, and their completed courses count. */
export const assignPath = (ctx: Ctx<User>, id: string, chosen: BodyOf<typeof paths.assign>) =>
  repeatOnDeadlock(() => inTransaction(ctx.db, (tx) => assign(tx, ctx, id, chosen)));

async function assign(tx: Tx, ctx: Ctx<User>, id: string, { notify, ...people }: BodyOf<typeof paths.assign>) {
  const no = await readPublished(tx, id);
  await checkChosen(tx, ctx.user, people);
  const { rows } = await sql<{ id: string; userId: string }>`
      insert into path_enrolments (path_id, version_no, user_id, company_id, joined_on, notify, made_by)
      select ${id}, ${no}::integer, chosen.id, chosen.company_id, (now() at time zone chosen.timezone)::date,
        ${notify}::boolean, ${ctx.user.id}
      from (${selectChosen(ctx.user, people)}) chosen
      where not exists (
        select from path_enrolments has
        where has.path_id = ${id}
          and has.user_id = chosen.id
          and has.company_id = chosen.company_id
          and has.withdrawn_at is null
      )
      order by chosen.id
      on conflict (path_id, user_id, company_id) do update
      set version_no = excluded.version_no, joined_at = excluded.joined_at, joined_on = excluded.joined_on,
        notify = excluded.notify, made_by = excluded.made_by, completed_at = null, withdrawn_at = null
      where path_enrolments.withdrawn_at is not null
      returning id, user_id`.execute(tx);
  const { rows: all } = await sql<{ count: number }>`
      select count(*)::int as count
      from (${selectChosen(ctx.user, people)}) chosen`.execute(tx);
  const ids = rows.map((row) => row.id);
  // Steps done before a withdrawal are judged by the version that the person joins now.
  await tx.deleteFrom("pathSteps").where(isOneOf("enrolmentId", ids)).execute();
  await queue(tx, ids);
  await record(tx, ctx, {
    action: "paths.assign",
    object: { paths: id },
    people: rows.map(({ userId }) => userId),
    details: { companies: people.companyIds.length, groups: people.groupIds.length, added: rows.length },
  });
  return { added: rows.length, already: (all[0]?.count ?? 0) - rows.length };
}

async function queue(tx: Tx, ids: string[]) {
  if (ids.length === 0) return;
  await sql`
    insert into path_changes (enrolment_id, priority)
    select unnest(${ids}::uuid[]), 1`.execute(tx);
  await requestFollow(tx);
}

/** Takes people off a path in their current company; a job takes back its courses. */
export const withdrawPeople = (ctx: Ctx<User>, id: string, { userIds }: BodyOf<typeof paths.withdraw>) =>
  repeatOnDeadlock(() => inTransaction(ctx.db, (tx) => withdraw(tx, ctx, id, userIds)));

async function withdraw(tx: Tx, ctx: Ctx<User>, id: string, userIds: string[]) {
  await tx.selectFrom("paths").where("id", "=", id).select("id").executeTakeFirstOrThrow(notFound);
  const chosen = await tx
    .selectFrom("pathEnrolments")
    .where("pathId", "=", id)
    .where(isOneOf("userId", userIds))
    .where("withdrawnAt", "is", null)
    .where(inScope(ctx.user, PATH_SCOPE))
    .where(isHere)
    .orderBy("id")
    .select(["id", "userId"])
    .forNoKeyUpdate()
    .execute();
  const ids = chosen.map((row) => row.id);
  await tx
    .updateTable("pathEnrolments")
    .set({ withdrawnAt: sql<string>`now()` })
    .where(isOneOf("id", ids))
    .execute();
  await queue(tx, ids);
  await record(tx, ctx, {
    action: "paths.withdraw",
    object: { paths: id },
    people: [...new Set(chosen.map(({ userId }) => userId))],
  });
  return { changed: ids.length };
}
