import { sql } from "kysely";
import { expect, test } from "vitest";
import { createRandom } from "#server/demo/random.ts";
import { compileRule } from "#server/groups/compile.ts";
import { readRuleContext } from "#server/groups/membership.ts";
import { comparisons, type PersonCondition, type PersonTest } from "#shared/conditions/conditions.ts";
import { holdsForPerson, type PersonFacts } from "#shared/conditions/evaluate.ts";
import type { FieldKind } from "#shared/fields/fields.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";
import { start } from "#test/start.ts";

// Random people and random rules: SQL finds exactly those for whom the browser's evaluation holds

const PEOPLE = 120;
const RULES = 400;
const ZONE = "Pacific/Kiritimati";
const seed = Number(process.env["SEED"] ?? 20_260_328);
const random = createRandom(seed);
const { make, db } = await start();
const admin = await make.admin();
const company = await make.company(admin, { timezone: ZONE });
const courseIds = [(await make.course(admin)).id, (await make.course(admin)).id];

const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const chance = (share: number) => random() < share;
const texts = [
  "North",
  "north ",
  "South",
  "12",
  "12.0",
  "1e1",
  "0x0c",
  "Nord-Süd",
  "100 %",
  "a_b",
  "ÅSE",
  "2026-03-29",
];
const numbers = [0, 3, 12, 12.5, -7, 1e12];
const days = ["2026-03-28", "2026-03-29", "2026-04-01", "1999-12-31"];
const values: VariableValue[] = [...texts, ...numbers, true, false, null, "", [], ["North", "12"], ["a"]];

const kinds: FieldKind[] = ["text", "choice", "date", "number"];
const choices = [crypto.randomUUID(), crypto.randomUUID()];
const fields = await Promise.all(
  kinds.map(async (kind) => {
    const row = {
      companyId: company.id,
      key: kind,
      name: kind,
      kind,
      choices: JSON.stringify(choices.map((id) => ({ id, name: id }))),
    };
    const { id } = await db.insertInto("fields").values(row).returning("id").executeTakeFirstOrThrow();
    return { id, kind };
  }),
);
const { id: groupId } = await db
  .insertInto("groups")
  .values({ companyId: company.id, name: "By hand" })
  .returning("id")
  .executeTakeFirstOrThrow();
const { id: variableId } = await db
  .insertInto("variables")
  .values({ key: "level", label: "Level", type: "text", scope: "learner", status: "active" })
  .returning("id")
  .executeTakeFirstOrThrow();

const valueOf = (kind: FieldKind) => {
  if (kind === "text") return pick(texts);
  if (kind === "choice") return pick(choices);
  return kind === "date" ? pick(days) : pick(numbers);
};
const dayIn = (time: number) => new Intl.DateTimeFormat("en-CA", { timeZone: ZONE }).format(time);
const DAY = 86_400_000;

type Planted = { id: string; facts: PersonFacts };
async function plant(number: number): Promise<Planted> {
  const status = pick(["active", "invited", "suspended"] as const);
  const joinedAt = status === "invited" ? null : Date.now() - Math.floor(random() * 40 * 24) * 3_600_000;
  const { id } = await db
    .insertInto("users")
    .values({
      email: `oracle-${number}@example.com`,
      name: `Oracle ${number}`,
      role: "learner",
      status,
      companyId: company.id,
      createdAt: new Date(joinedAt ?? Date.now()).toISOString(),
      joinedAt: joinedAt === null ? null : new Date(joinedAt).toISOString(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const own = new Map<string, string | number>();
  for (const { id: fieldId, kind } of fields) {
    if (chance(0.3)) continue;
    const value = valueOf(kind);
    own.set(fieldId, value);
    const column = { date: "day", number: "number", text: "text", choice: "text" }[kind];
    await db
      .insertInto("fieldValues")
      .values({ userId: id, fieldId, [column]: value })
      .execute();
  }
  const isMember = chance(0.5);
  if (isMember)
    await db.insertInto("groupMembers").values({ groupId, companyId: company.id, personId: id, why: "hand" }).execute();
  else if (chance(0.5))
    await db
      .insertInto("groupMembers")
      .values({ groupId, companyId: company.id, personId: id, why: "hand", until: new Date().toISOString() })
      .execute();
  const enrolled = new Map<string, string>();
  for (const courseId of courseIds) {
    if (chance(0.4)) continue;
    const state = pick(["assigned", "in_progress", "completed", "failed", "withdrawn"] as const);
    enrolled.set(courseId, state);
    await db
      .insertInto("enrolments")
      .values({ userId: id, companyId: company.id, courseId, status: state, source: "manual" })
      .execute();
  }
  const current = chance(0.7) ? pick(values) : null;
  if (current !== null || chance(0.5))
    await db
      .insertInto("variableCurrent")
      .values({
        variableId,
        subject: id,
        userId: id,
        companyId: company.id,
        count: 1,
        current: JSON.stringify(current),
        currentAt: new Date().toISOString(),
        currentId: 1,
        first: JSON.stringify(current),
        firstAt: new Date().toISOString(),
        firstId: 1,
        lastAt: new Date().toISOString(),
      })
      .execute();
  const facts: PersonFacts = {
    value: (key) => (key === "level" ? current : null),
    field: (fieldId) => ({
      kind: fields.find((one) => one.id === fieldId)?.kind ?? "text",
      value: own.get(fieldId) ?? null,
    }),
    isMember: (group) => group === groupId && isMember,
    joinedOn: joinedAt === null ? null : dayIn(joinedAt),
    firstOf: (count) => dayIn(Date.now() - (count - 1) * DAY),
    status,
    enrolment: (course) => {
      const state = enrolled.get(course);
      return state && state !== "withdrawn" ? { isCompleted: state === "completed" } : null;
    },
  };
  return { id, facts };
}

function randomTest(): PersonTest {
  switch (pick(["field", "field", "field", "variable", "variable", "status", "group", "course", "joined"] as const)) {
    case "field": {
      const { id: field, kind } = pick(fields);
      if (chance(0.2)) return { kind: "field", field, is: pick(["set", "notSet"]) };
      const ofText = ["equal", "notEqual", "contains"] as const;
      const is =
        kind === "text" || kind === "choice" ? pick(ofText) : pick(comparisons.filter((one) => one !== "contains"));
      return { kind: "field", field, is, value: valueOf(kind) };
    }
    case "variable": {
      if (chance(0.2)) return { kind: "variable", key: "level", is: pick(["set", "notSet"]) };
      return { kind: "variable", key: "level", is: pick(comparisons), value: pick([...texts, ...numbers, true]) };
    }
    case "status":
      return { kind: "status", is: pick(["is", "isNot"]), status: pick(["active", "invited", "suspended"]) };
    case "group":
      return { kind: "group", group: groupId, is: pick(["member", "notMember"]) };
    case "course":
      return { kind: "course", course: pick(courseIds), is: pick(["has", "hasNot", "completed", "notCompleted"]) };
    case "joined":
      if (chance(0.5)) return { kind: "joined", is: "within", days: 1 + Math.floor(random() * 40) };
      return {
        kind: "joined",
        is: pick(["since", "before"]),
        day: dayIn(Date.now() - Math.floor(random() * 40) * DAY),
      };
  }
}
const listOf = <T>(make: () => T) => Array.from({ length: 1 + Math.floor(random() * 3) }, make);
const randomRule = (): PersonCondition => ({
  match: pick(["all", "any"]),
  tests: listOf(() => (chance(0.3) ? { match: pick(["all", "any"]), tests: listOf(randomTest) } : randomTest())),
});

test(`SQL finds those for whom a rule holds (SEED=${seed})`, { timeout: 120_000 }, async () => {
  const people: Planted[] = [];
  for (let number = 0; number < PEOPLE; number++) people.push(await plant(number));
  let found = 0;
  for (let at = 0; at < RULES; at++) {
    const rule = randomRule();
    const context = await readRuleContext(db, company.id, [rule]);
    const rows = await db
      .selectFrom("users")
      .where("companyId", "=", company.id)
      .where("role", "=", "learner")
      .where(compileRule(rule, context))
      .select("id")
      .execute();
    const expected = people.filter(({ facts }) => holdsForPerson(rule, facts)).map(({ id }) => id);
    expect({ rule, ids: rows.map(({ id }) => id).toSorted() }).toEqual({ rule, ids: expected.toSorted() });
    found += expected.length;
    const one = pick(people);
    const { rows: alone } = await sql<{ holds: boolean }>`
      select ${compileRule(rule, context)} as holds
      from users
      where id = ${one.id}`.execute(db);
    expect(alone[0]?.holds).toBe(expected.includes(one.id));
  }
  expect(found).toBeGreaterThan(RULES * 5);
});
