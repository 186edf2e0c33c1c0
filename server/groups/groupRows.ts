import { sql } from "kysely";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import { orderBy, readPage, isOneOf, searchFor } from "#server/core/database/listing.ts";
import type { Db } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { readRuleNames } from "#server/groups/rules.ts";
import type { PersonCondition } from "#shared/conditions/conditions.ts";
import { type GroupDetail, type groups, MAX_GROUPS, type MemberWhy } from "#shared/groups/groups.ts";
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
  "groups.provided",
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
  if (query.kind === "rule") rows = rows.where("groups.rule", "is not", null);
  else if (query.kind)
    rows = rows.where("groups.rule", "is", null).where("groups.provided", "=", query.kind === "provided");
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

/** Those of the names that a rule refers to. */
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
  const usedBy = await listUses(ctx.db, row.companyId, id);
  return { ...row, usedBy, names: await readRuleNames(ctx.db, [row.rule]) };
}

/** The groups and enrolment rules that refer to a group. */
export async function listUses(db: Db, companyId: string, id: string) {
  const groups = await db
    .selectFrom("groupRuleUses as uses")
    .innerJoin("groups", "groups.id", "uses.groupId")
    .where("uses.companyId", "=", companyId)
    .where("uses.kind", "=", "group")
    .where("uses.target", "=", id)
    .where("groups.removedAt", "is", null)
    .orderBy(sql`lower(groups.name)`)
    .limit(MAX_GROUPS)
    .select(["groups.id", "groups.name", sql.lit("group" as const).as("kind")])
    .execute();
  const rules = await db
    .selectFrom("enrolmentRuleUses as uses")
    .innerJoin("enrolmentRules", "enrolmentRules.id", "uses.ruleId")
    .where("uses.kind", "=", "group")
    .where("uses.target", "=", id)
    .where("enrolmentRules.removedAt", "is", null)
    .where("enrolmentRules.companyId", "=", companyId)
    .orderBy(sql`lower(enrolment_rules.name)`)
    .select(["enrolmentRules.id", "enrolmentRules.name", sql.lit("enrolmentRule" as const).as("kind")])
    .execute();
  return [...groups, ...rules];
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

type Place = { userId: string; why: MemberWhy; since: string; until: string | null; note: string };
/** SQL: those who are in a group and why or, with `out`, those who are kept out. */
const placesIn = (id: string, why: MemberWhy | undefined) =>
  why === "out"
    ? sql<Place>`(
        select user_id, 'out' as why, created_at as since, until, note
        from group_overrides
        where group_id = ${id}
          and place = 'out'
      )`
    : sql<Place>`(
        select members.person_id as user_id, members.why, members.since, placed.until, coalesce(placed.note, '') as note
        from group_members members
        left join group_overrides placed on placed.group_id = members.group_id
          and placed.user_id = members.person_id
          and placed.place = 'in'
        where members.group_id = ${id}
          and members.until is null
          and ${why ? sql`members.why = ${why}` : sql`true`}
      )`;

/** People of a group by name. Few of many are read from the index of names, all of few are sorted. */
const matchMembers = ({ db }: Reader, id: string, { q, why }: MemberQuery) =>
  db
    .selectFrom("users")
    .innerJoin(placesIn(id, why).as("place"), "place.userId", "users.id")
    .where(q ? searchFor(q, ["users.name", "users.email"]) : sql<boolean>`true`);
export const selectMembers = (ctx: Reader, id: string, query: MemberQuery) =>
  matchMembers(ctx, id, query)
    .orderBy(sql`lower(coalesce(nullif(users.name, ''), users.email))`)
    .orderBy("users.id")
    .select(["users.id", "users.name", "users.email", "place.why", "place.since", "place.until", "place.note"])
    .select(personnelNumber.as("personnelNumber"));

export async function listMembers(
  ctx: Ctx<User>,
  id: string,
  { page, size, ...query }: QueryOf<typeof groups.members>,
) {
  await groupsInScope(ctx).where("groups.id", "=", id).select("groups.id").executeTakeFirstOrThrow(notFound);
  const items = await selectMembers(ctx, id, query)
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  const { total } = await matchMembers(ctx, id, query)
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
    why: MemberWhy;
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
