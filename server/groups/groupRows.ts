import { sql } from "kysely";
import { orderBy, readPage, isOneOf, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { readRuleNames } from "#server/groups/rules.ts";
import type { PersonCondition } from "#shared/conditions/conditions.ts";
import { type GroupDetail, type groups, MAX_GROUPS } from "#shared/groups/groups.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

export const GROUP_SCOPE = { company: "groups.companyId" };
type Reader = Pick<Ctx<User>, "db" | "user">;

/** Groups in the scope of the user that were not deleted. */
const groupsInScope = ({ db, user }: Reader) =>
  db.selectFrom("groups").where("groups.removedAt", "is", null).where(inScope(user, GROUP_SCOPE));
const columns = [
  "groups.id",
  "groups.companyId",
  "groups.name",
  "groups.description",
  "groups.rule",
  "groups.people",
  "groups.version",
  "groups.updatedAt",
] as const;

/** 404 unless the company is in the scope of the user. */
export const findCompany = ({ db, user }: Reader, id: string) =>
  db
    .selectFrom("companies")
    .where("id", "=", id)
    .where(inScope(user, { company: "companies.id" }))
    .select(["id", "timezone"])
    .executeTakeFirstOrThrow(notFound);

export async function listGroups(ctx: Ctx<User>, query: QueryOf<typeof groups.list>) {
  await findCompany(ctx, query.companyId);
  let rows = groupsInScope(ctx).where("groups.companyId", "=", query.companyId);
  if (query.q) rows = rows.where(searchFor(query.q, ["groups.name"]));
  if (query.kind) rows = rows.where("groups.rule", query.kind === "rule" ? "is not" : "is", null);
  const order = orderBy(
    query.sort,
    { name: { notNull: sql`lower(groups.name)` }, people: { notNull: sql`groups.people` } },
    { text: query.q, columns: ["groups.name"] },
  );
  const { items, total } = await readPage(query, {
    ids: rows.orderBy(order).orderBy("groups.id").select("groups.id"),
    total: rows.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) => groupsInScope(ctx).where(isOneOf("groups.id", ids)).select(columns).execute(),
  });
  const names = await readRuleNames(
    ctx.db,
    items.map(({ rule }) => rule),
  );
  return { items: items.map((row) => ({ ...row, names: namesIn(row.rule, names) })), total };
}

/** Those of the names that a rule asks for. */
const namesIn = (rule: PersonCondition | null, names: Record<string, string>) => {
  const text = JSON.stringify(rule);
  return Object.fromEntries(Object.entries(names).filter(([id]) => text.includes(`"${id}"`)));
};

export async function listChoices(ctx: Ctx<User>, companyId: string) {
  await findCompany(ctx, companyId);
  const items = await groupsInScope(ctx)
    .where("groups.companyId", "=", companyId)
    .orderBy(sql`lower(groups.name)`)
    .orderBy("groups.id")
    .limit(MAX_GROUPS)
    .select(["groups.id", "groups.name", "groups.people"])
    .execute();
  return { items };
}

/** One group in the scope of the user; 404 for any other, and for a deleted one. */
export async function getGroup(ctx: Reader, id: string): Promise<GroupDetail> {
  const row = await groupsInScope(ctx)
    .innerJoin("companies", "companies.id", "groups.companyId")
    .where("groups.id", "=", id)
    .select(columns)
    .select([
      "companies.name as company",
      countPlaced("in").as("byHand"),
      countPlaced("out").as("keptOut"),
      countRecent("since").as("joined"),
      countRecent("until").as("left"),
    ])
    .executeTakeFirstOrThrow(notFound);
  const usedBy = await ctx.db
    .selectFrom("groupRuleUses as uses")
    .innerJoin("groups", "groups.id", "uses.groupId")
    .where("uses.companyId", "=", row.companyId)
    .where("uses.kind", "=", "group")
    .where("uses.target", "=", id)
    .where("groups.removedAt", "is", null)
    .orderBy(sql`lower(groups.name)`)
    .limit(MAX_GROUPS)
    .select(["groups.id", "groups.name"])
    .execute();
  return { ...row, usedBy, names: await readRuleNames(ctx.db, [row.rule]) };
}

const countPlaced = (place: "in" | "out") => sql<number>`(
  select count(*)::int
  from group_overrides
  where group_overrides.group_id = groups.id
    and group_overrides.place = ${sql.lit(place)}
)`;
/** People whose first day in the group, or last one, is in the last 30 days; changes of the reason do not count. */
const countRecent = (column: "since" | "until") => sql<number>`(
  select count(distinct changed.person_id)::int
  from group_members changed
  where changed.group_id = groups.id
    and ${sql.ref(`changed.${column}`)} > now() - interval '30 days'
    and not exists (
      select from group_members other
      where other.group_id = changed.group_id
        and other.person_id = changed.person_id
        and other.id <> changed.id
        and ${
          column === "since"
            ? sql`other.until >= changed.since - interval '1 second' and other.since < changed.since`
            : sql`coalesce(other.until, 'infinity') > changed.until`
        }
    )
)`;

type MemberQuery = Pick<QueryOf<typeof groups.members>, "q" | "why">;

/** SQL: the people of a group with the reason, and those who are kept out. */
const peopleOf = (id: string) => sql<MemberRow>`(
  select users.id, users.name, users.email, members.why, members.since, placed.until, coalesce(placed.note, '') as note,
    lower(coalesce(nullif(users.name, ''), users.email)) as sorted
  from group_members members
  join users on users.id = members.person_id
  left join group_overrides placed on placed.group_id = members.group_id
    and placed.user_id = users.id
    and placed.place = 'in'
  where members.group_id = ${id}
    and members.until is null
  union all
  select users.id, users.name, users.email, 'out', placed.created_at, placed.until, placed.note,
    lower(coalesce(nullif(users.name, ''), users.email))
  from group_overrides placed
  join users on users.id = placed.user_id
  where placed.group_id = ${id}
    and placed.place = 'out'
)`;
type MemberRow = {
  id: string;
  name: string;
  email: string;
  why: "rule" | "hand" | "out";
  since: string;
  until: string | null;
  note: string;
  sorted: string;
};

/** Without a reason, all who are in the group. */
export const selectMembers = ({ db }: Reader, id: string, { q, why }: MemberQuery) =>
  db
    .selectFrom(peopleOf(id).as("people"))
    .where(why ? sql<boolean>`people.why = ${why}` : sql<boolean>`people.why <> 'out'`)
    .where(q ? searchFor(q, ["people.name", "people.email"]) : sql<boolean>`true`)
    .orderBy("people.sorted")
    .orderBy("people.id");

export async function listMembers(
  ctx: Ctx<User>,
  id: string,
  { page, size, ...query }: QueryOf<typeof groups.members>,
) {
  await getGroup(ctx, id);
  const rows = selectMembers(ctx, id, query);
  const items = await rows
    .select(["people.id", "people.name", "people.email", "people.why", "people.since", "people.until", "people.note"])
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  const { total } = await rows
    .clearOrderBy()
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { items, total };
}

/** The groups of a learner in the scope of the user, and those that the learner is kept out of. */
export async function listPersonGroups({ db, user }: Ctx<User>, id: string) {
  await db
    .selectFrom("users")
    .where("id", "=", id)
    .where("role", "=", "learner")
    .where(inScope(user, { company: "users.companyId", person: "users.id" }))
    .select("id")
    .executeTakeFirstOrThrow(notFound);
  const { rows } = await sql<{
    id: string;
    companyId: string;
    name: string;
    why: "rule" | "hand" | "out";
    since: string;
    until: string | null;
  }>`
    select groups.id, groups.company_id, groups.name, members.why, members.since, placed.until
    from group_members members
    join groups on groups.id = members.group_id
    left join group_overrides placed on placed.group_id = groups.id
      and placed.user_id = members.person_id
    where members.person_id = ${id}
      and members.until is null
      and groups.removed_at is null
      and ${inScope(user, GROUP_SCOPE)}
    union all
    select groups.id, groups.company_id, groups.name, 'out', placed.created_at, placed.until
    from group_overrides placed
    join groups on groups.id = placed.group_id
    where placed.user_id = ${id}
      and placed.place = 'out'
      and groups.removed_at is null
      and ${inScope(user, GROUP_SCOPE)}
    order by name, id
    limit ${MAX_GROUPS}`.execute(db);
  return { items: rows };
}
