import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { compileRule, type RuleContext } from "#server/groups/compile.ts";
import { listTests, type PersonCondition } from "#shared/conditions/conditions.ts";
import type { FieldKind } from "#shared/fields/fields.ts";

/** Groups of a company are changed one at a time, so that each change sees the members that the previous one left. */
export const lockGroups = (tx: Tx, companyId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`groups ${companyId}`}, 0))`.execute(tx);

export type RuledGroup = { id: string; companyId: string; rule: PersonCondition | null };
type Why = "rule" | "hand" | "provided";

/** The time zone of the company, and the kinds of the fields that these rules refer to. */
export async function readRuleContext(
  db: Db,
  companyId: string,
  rules: (PersonCondition | null)[],
): Promise<RuleContext> {
  const { timezone } = await db
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select("timezone")
    .executeTakeFirstOrThrow();
  return { zone: timezone, kinds: await readFieldKinds(db, rules) };
}

/** The kinds of the fields that rules refer to. */
export async function readFieldKinds(db: Db, rules: (PersonCondition | null)[]) {
  const asked = rules.flatMap((rule) =>
    rule ? listTests(rule).flatMap((test) => (test.kind === "field" ? [test.field] : [])) : [],
  );
  const kinds = new Map<string, FieldKind>();
  if (asked.length > 0)
    for (const { id, kind } of await db
      .selectFrom("fields")
      .where(isOneOf("id", [...new Set(asked)]))
      .select(["id", "kind"])
      .execute())
      kinds.set(id, kind);
  return kinds;
}

/**
 * SQL: `(person_id, why)` of everyone who belongs to a group now: by hand, or by its rule or the directory of the
 * company unless kept out. With `only`, checks these people alone.
 */
export function wantedMembers({ id, companyId, rule }: RuledGroup, context: RuleContext, only?: string[]) {
  const { zone } = context;
  // Not joined: before the table has statistics, each person would be compared with each of its rows.
  const isNamed = sql<boolean>`exists (
    select from group_provided_members named
    where named.group_id = ${id}
      and named.user_id = users.id
  )`;
  return sql<{ personId: string; why: Why }>`
    select users.id as person_id,
      case
        when placed.place = 'in' then 'hand'
        when ${isNamed} then 'provided'
        else 'rule'
      end as why
    from users
    left join group_overrides placed
      on placed.group_id = ${id}
      and placed.user_id = users.id
      and (placed.until is null or placed.until >= (now() at time zone ${zone})::date)
    where users.company_id = ${companyId}
      and users.role = 'learner'
      and ${only ? isOneOf("users.id", only) : sql`true`}
      and (
        placed.place = 'in'
        or (
          placed.place is null
          and (${isNamed} or ${rule ? compileRule(rule, context) : sql`false`})
        )
      )`;
}

/**
 * Lets people leave and join a group, and returns them. With `only`, checks these people alone. Call under
 * `lockGroups`, and first for the groups that the rule refers to.
 */
export async function reconcile(tx: Tx, group: RuledGroup, context: RuleContext, only?: string[]): Promise<string[]> {
  const isAsked = only ? isOneOf("group_members.person_id", only) : sql<boolean>`true`;
  const { rows: left } = await sql<{ personId: string }>`
    with wanted as materialized (${wantedMembers(group, context, only)})
    update group_members
    set until = greatest(clock_timestamp(), group_members.since)
    where group_members.group_id = ${group.id}
      and group_members.until is null
      and ${isAsked}
      and not exists (
        select from wanted
        where wanted.person_id = group_members.person_id
          and wanted.why = group_members.why
      )
    returning person_id`.execute(tx);
  const { rows: joined } = await sql<{ personId: string }>`
    with wanted as materialized (${wantedMembers(group, context, only)})
    insert into group_members (group_id, company_id, person_id, why)
    select ${group.id}, ${group.companyId}, wanted.person_id, wanted.why
    from wanted
    where not exists (
      select from group_members
      where group_members.group_id = ${group.id}
        and group_members.person_id = wanted.person_id
        and group_members.until is null
    )
    returning person_id`.execute(tx);
  const changed = new Set([...left, ...joined].map(({ personId }) => personId));
  if (changed.size > 0) await countPeople(tx, [group.id]);
  return [...changed];
}

/** Stores how many people are in these groups. Call under `lockGroups`. */
export const countPeople = (tx: Tx, ids: string[]) =>
  sql`
    update groups
    set people = (
      select count(*)
      from group_members
      where group_members.group_id = groups.id
        and group_members.until is null
    )
    where ${isOneOf("groups.id", ids)}`.execute(tx);

type Dependent = RuledGroup & { asksFor: string[] };

/**
 * Reconciles groups for the given people or for all, and then the groups whose rules refer to them for the people who
 * joined or left. A group comes after all that its rule refers to.
 */
export async function reconcileAll(tx: Tx, companyId: string, wanted: Map<string, "all" | Set<string>>) {
  const groups = await readInOrder(tx, companyId);
  const context = await readRuleContext(
    tx,
    companyId,
    groups.map(({ rule }) => rule),
  );
  const due = new Map(wanted);
  for (const group of groups) {
    const people = due.get(group.id);
    if (!people || (people !== "all" && people.size === 0)) continue;
    const changed = await reconcile(tx, group, context, people === "all" ? undefined : [...people]);
    if (changed.length === 0) continue;
    for (const { id, asksFor } of groups)
      if (asksFor.includes(group.id) && due.get(id) !== "all")
        due.set(id, new Set([...((due.get(id) as Set<string> | undefined) ?? []), ...changed]));
  }
}

/** The groups of a company, each after those that its rule refers to. */
async function readInOrder(tx: Tx, companyId: string): Promise<Dependent[]> {
  const rows = await tx
    .selectFrom("groups")
    .where("companyId", "=", companyId)
    .where("removedAt", "is", null)
    .select(["id", "companyId", "rule"])
    .execute();
  const groups = rows.map((row): Dependent => ({ ...row, asksFor: groupsIn(row.rule) }));
  const byId = new Map(groups.map((group) => [group.id, group]));
  const sorted = new Set<Dependent>();
  const visit = (group: Dependent) => {
    if (sorted.has(group)) return;
    for (const id of group.asksFor) {
      const asked = byId.get(id);
      if (asked) visit(asked);
    }
    sorted.add(group);
  };
  groups.forEach(visit);
  return [...sorted];
}

/** The groups that a rule refers to. */
export const groupsIn = (rule: PersonCondition | null) =>
  rule ? [...new Set(listTests(rule).flatMap((test) => (test.kind === "group" ? [test.group] : [])))] : [];

/** SQL condition: these changes of people concern a group of the company. */
export const concerns = (changes: { kind: string; target: string }[]): RawBuilder<boolean> =>
  sql<boolean>`(uses.kind, uses.target) in (
    select *
    from unnest(${changes.map(({ kind }) => kind)}::text[], ${changes.map(({ target }) => target)}::text[])
  )`;
