import { sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { badField, Problem } from "#server/core/http/problem.ts";
import { groupsIn } from "#server/groups/membership.ts";
import { listTests, type PersonCondition, type PersonTest } from "#shared/conditions/conditions.ts";
import { findContradiction } from "#shared/conditions/neverTrue.ts";
import { day } from "#shared/core/dates.ts";
import type { FieldChoice, FieldKind } from "#shared/fields/fields.ts";
import { MAX_NESTING } from "#shared/groups/groups.ts";

const idsOf = (tests: PersonTest[], kind: "field" | "course" | "group" | "variable") => [
  ...new Set(
    tests.flatMap((test) => {
      if (test.kind !== kind) return [];
      if (test.kind === "variable") return [test.key];
      if (test.kind === "field") return [test.field];
      if (test.kind === "course") return [test.course];
      return test.kind === "group" ? [test.group] : [];
    }),
  ),
];

/** What the comparisons of a field may be. */
const comparable: Record<FieldKind, readonly string[]> = {
  text: ["equal", "notEqual", "contains"],
  choice: ["equal", "notEqual"],
  date: ["equal", "notEqual", "more", "atLeast", "less", "atMost"],
  number: ["equal", "notEqual", "more", "atLeast", "less", "atMost"],
};

/**
 * Refuses a rule that refers to something the company does not have, that can never be true, or by which groups would
 * refer to each other in a circle. Call under `lockGroups`, so that no other rule closes a circle meanwhile.
 */
export async function checkRule(tx: Tx, companyId: string, rule: PersonCondition, groupId: string | null) {
  const tests = listTests(rule);
  const contradiction = findContradiction(rule);
  if (contradiction)
    throw new Problem(422, "groups.neverTrue", {
      details: { tests: contradiction.map((test) => tests.indexOf(test)) },
    });
  await checkFields(tx, companyId, tests);
  const courses = idsOf(tests, "course");
  const { found } = await tx
    .selectFrom("courses")
    .where(isOneOf("id", courses))
    .select((e) => e.fn.countAll<number>().as("found"))
    .executeTakeFirstOrThrow();
  if (found < courses.length) throw badField("rule", "groups.goneCourse");
  const keys = idsOf(tests, "variable");
  const { usable } = await tx
    .selectFrom("variables")
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .where("scope", "=", "learner")
    .where("status", "=", "active")
    .where("privacy", "!=", "sensitive")
    .select((e) => e.fn.countAll<number>().as("usable"))
    .executeTakeFirstOrThrow();
  if (usable < keys.length) throw badField("rule", "groups.unusableVariable");
  await checkNesting(tx, companyId, rule, groupId);
}

async function checkFields(tx: Tx, companyId: string, tests: PersonTest[]) {
  const rows = await tx
    .selectFrom("fields")
    .where(isOneOf("id", idsOf(tests, "field")))
    .where((e) => e.or([e("companyId", "is", null), e("companyId", "=", companyId)]))
    .where("archivedAt", "is", null)
    .select(["id", "kind", "choices"])
    // Until the rule is stored: nobody archives one of them, or removes a choice.
    .forShare()
    .execute();
  const fields = new Map(rows.map((field) => [field.id, field]));
  for (const test of tests) {
    if (test.kind !== "field") continue;
    const field = fields.get(test.field);
    if (!field) throw badField("rule", "groups.goneField");
    if ("value" in test && !isComparable(field, test.is, test.value)) throw badField("rule", "groups.badComparison");
  }
}

function isComparable(
  { kind, choices }: { kind: FieldKind; choices: FieldChoice[] },
  is: string,
  value: string | number,
): boolean {
  if (!comparable[kind].includes(is)) return false;
  if (kind === "number") return typeof value === "number";
  if (kind === "date") return day.safeParse(value).success;
  return kind === "text" ? typeof value === "string" : choices.some(({ id }) => id === value);
}

async function checkNesting(tx: Tx, companyId: string, rule: PersonCondition, groupId: string | null) {
  const rows = await tx
    .selectFrom("groups")
    .where("companyId", "=", companyId)
    .where("removedAt", "is", null)
    .select(["id", "rule"])
    .execute();
  const asked = new Map(rows.map((row) => [row.id, groupsIn(row.id === groupId ? rule : row.rule)]));
  for (const id of groupsIn(rule)) if (!asked.has(id)) throw badField("rule", "groups.goneGroup");
  if (groupId && asksFor(groupId, groupId, asked)) throw badField("rule", "groups.circle");
  const askedBy = new Map([...asked.keys()].map((id): [string, string[]] => [id, []]));
  for (const [id, others] of asked) for (const other of others) askedBy.get(other)?.push(id);
  const below = countLevels(groupsIn(rule), asked);
  const above = groupId ? countLevels(askedBy.get(groupId) ?? [], askedBy) : 0;
  if (below + above > MAX_NESTING) throw badField("rule", "groups.tooDeep", { count: MAX_NESTING });
}

/** Whether a group refers to another one, directly or through others. */
function asksFor(id: string, target: string, asked: Map<string, string[]>, seen = new Set<string>()): boolean {
  return (asked.get(id) ?? []).some((other) => {
    if (other === target) return true;
    if (seen.has(other)) return false;
    seen.add(other);
    return asksFor(other, target, asked, seen);
  });
}

/** How many levels follow through these groups. Each is visited once, because many ways can lead to it. */
function countLevels(ids: string[], next: Map<string, string[]>, known = new Map<string, number>()): number {
  const levels = ids.map((id) => {
    const level = known.get(id) ?? 1 + countLevels(next.get(id) ?? [], next, known);
    known.set(id, level);
    return level;
  });
  return Math.max(0, ...levels);
}

/** Stores what a rule depends on. */
export async function storeUses(tx: Tx, group: { id: string; companyId: string; rule: PersonCondition | null }) {
  await tx.deleteFrom("groupRuleUses").where("groupId", "=", group.id).execute();
  const uses = (group.rule ? listTests(group.rule) : []).map((test) => {
    const use = (target: string, choice = "") => ({
      groupId: group.id,
      companyId: group.companyId,
      kind: test.kind,
      target,
      choice,
    });
    if (test.kind === "field") return use(test.field, "value" in test ? String(test.value).slice(0, 100) : "");
    if (test.kind === "variable") return use(test.key);
    if (test.kind === "course") return use(test.course);
    return use(test.kind === "group" ? test.group : "");
  });
  if (uses.length > 0)
    await tx
      .insertInto("groupRuleUses")
      .values(uses)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Whether a rule depends on the day. */
export const followsDays = (rule: PersonCondition | null) =>
  rule !== null && listTests(rule).some((test) => test.kind === "joined" && test.is === "within");

/** Those of the names that one condition refers to. */
export function namesIn(names: Record<string, string>, condition: PersonCondition | null) {
  const text = JSON.stringify(condition);
  return Object.fromEntries(Object.entries(names).filter(([id]) => text.includes(`"${id}"`)));
}

/** Names of the fields, choices, groups and courses that rules refer to, and labels of variables by key. */
export async function readRuleNames(db: Db, rules: (PersonCondition | null)[]): Promise<Record<string, string>> {
  const tests = rules.flatMap((rule) => (rule ? listTests(rule) : []));
  if (tests.length === 0) return {};
  const fields = await db
    .selectFrom("fields")
    .where(isOneOf("id", idsOf(tests, "field")))
    .selectAll()
    .execute();
  const groups = await db
    .selectFrom("groups")
    .where(isOneOf("id", idsOf(tests, "group")))
    .select(["id", "name"])
    .execute();
  const courses = await db
    .selectFrom("courses")
    .where(isOneOf("id", idsOf(tests, "course")))
    .select(["id", "title as name"])
    .execute();
  const variables = await db
    .selectFrom("variables")
    .where(sql<boolean>`key = any(${idsOf(tests, "variable")}::text[])`)
    .select(["key as id", "label as name"])
    .execute();
  const asked = new Set(tests.flatMap((test) => ("value" in test ? [String(test.value)] : [])));
  const choices = fields.flatMap(({ choices: offered }) => offered.filter(({ id }) => asked.has(id)));
  return Object.fromEntries(
    [...fields, ...choices, ...groups, ...courses, ...variables].map(({ id, name }) => [id, name]),
  );
}
