import { sql } from "kysely";
import { expect, test } from "vitest";
import { createRandom } from "#server/demo/random.ts";
import { followPeople } from "#server/enrolmentRules/follow.ts";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import { courses } from "#shared/courses/courses.ts";
import { enrolmentRules } from "#shared/enrolmentRules/enrolmentRules.ts";
import { fields } from "#shared/fields/fields.ts";
import { learners } from "#shared/learners/learners.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";

// Random histories of fields, rules, assignments and withdrawals; an independent, slow computation must agree about
// every enrolment and its reasons

const STEPS = 90;
const seed = Number(process.env["SEED"] ?? 20_261_128);
const random = createRandom(seed);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const { as, make, db, services } = await start();
const admin = await make.admin();
const call = as(admin);
const company = await make.company(admin);
const people: string[] = [];
for (let at = 0; at < 6; at++) people.push((await make.learner(company.accessCode, `Person ${at}`)).user.id);
const courseIds = [(await make.course(admin)).id, (await make.course(admin)).id];
const field = bodyOf(
  await call(fields.create, { body: { companyId: company.id, key: "team", name: "Team", kind: "text" } }),
);

type Rule = { id: string; name: string; team: string; courseIds: string[]; leaving: "keep" | "withdraw"; on: boolean };
type Standing = { status: "assigned" | "withdrawn"; byAdmin: boolean; reasons: Set<string> };
const rules: Rule[] = [];
for (const [team, given, leaving] of [
  ["north", courseIds, "keep"],
  ["south", courseIds.slice(0, 1), "withdraw"],
  ["o", courseIds.slice(1), "withdraw"],
] as const) {
  const name = `Rule ${team}`;
  const tests = [{ kind: "field" as const, field: field.id, is: "contains" as const, value: team }];
  const condition = { match: "all" as const, tests };
  const body = { companyId: company.id, name, condition, courseIds: given, leaving };
  const { id } = bodyOf(await call(enrolmentRules.create, { body }));
  rules.push({ id, name, team, courseIds: given, leaving, on: false });
}

const teams = new Map<string, string>();
const standings = new Map<string, Standing>();
const keyOf = (person: string, course: string) => `${person} ${course}`;

/** Computes what the active rules must lead to. */
function settle() {
  for (const person of people)
    for (const course of courseIds) {
      const key = keyOf(person, course);
      const on = rules.filter((rule) => rule.on);
      const met = on.filter((rule) => rule.courseIds.includes(course) && (teams.get(person) ?? "").includes(rule.team));
      let standing = standings.get(key);
      if (met.length > 0) {
        if (!standing) standings.set(key, (standing = { status: "assigned", byAdmin: false, reasons: new Set() }));
        if (standing.status === "withdrawn" && !standing.byAdmin) standing.status = "assigned";
        if (standing.status === "assigned")
          for (const { name } of met) {
            if (!standing.reasons.has(name)) standing.reasons.delete("kept");
            standing.reasons.add(name);
          }
      }
      if (standing?.status !== "assigned") continue;
      const ended = on.filter((rule) => !met.includes(rule) && standing.reasons.delete(rule.name));
      if (ended.length === 0 || standing.reasons.size > 0) continue;
      if (ended.some(({ leaving }) => leaving === "keep")) standing.reasons.add("kept");
      else Object.assign(standing, { status: "withdrawn", byAdmin: false });
    }
}

const steps = {
  async team() {
    const [id, team] = [pick(people), pick(["north", "south", "none", ""])];
    const { version } = bodyOf(await call(learners.get, { params: { id } }));
    const body = { fields: { [field.id]: team || null }, version };
    bodyOf(await call(learners.update, { params: { id }, body }));
    teams.set(id, team);
  },
  async assign() {
    const [person, course] = [pick(people), pick(courseIds)];
    bodyOf(await call(courses.assign, { params: { id: course }, body: { userIds: [person] } }));
    const standing = standings.get(keyOf(person, course));
    if (standing?.status !== "assigned")
      standings.set(keyOf(person, course), { status: "assigned", byAdmin: false, reasons: new Set(["person"]) });
    else standing.reasons.add("person");
  },
  async withdraw() {
    const [person, course] = [pick(people), pick(courseIds)];
    bodyOf(await call(courses.withdraw, { params: { id: course }, body: { userIds: [person] } }));
    const standing = standings.get(keyOf(person, course));
    if (standing?.status === "assigned")
      Object.assign(standing, { status: "withdrawn", byAdmin: true, reasons: new Set() });
  },
  async restore() {
    const [person, course] = [pick(people), pick(courseIds)];
    bodyOf(await call(courses.restore, { params: { id: course }, body: { userIds: [person] } }));
    const standing = standings.get(keyOf(person, course));
    if (standing?.status === "withdrawn") Object.assign(standing, { status: "assigned", reasons: new Set(["person"]) });
  },
  async state() {
    const rule = pick(rules);
    const params = { id: rule.id };
    const { version, state } = bodyOf(await call(enrolmentRules.get, { params }));
    const next = state === "active" ? "paused" : "active";
    bodyOf(await call(enrolmentRules.setState, { params, body: { state: next, version } }));
    rule.on = next === "active";
  },
};

async function readStandings() {
  const { rows } = await sql<{ key: string; status: string; reasons: string[] }>`
    select enrolments.user_id || ' ' || enrolments.course_id as key, enrolments.status,
      array(
        select case reasons.kind when 'rule' then rules.name else reasons.kind end as reason
        from enrolment_reasons reasons
        left join enrolment_rules rules on rules.id = reasons.rule_id
        where reasons.enrolment_id = enrolments.id and reasons.until is null
        order by case reasons.kind when 'rule' then rules.name else reasons.kind end collate "C"
      ) as reasons
    from enrolments
    order by key`.execute(db);
  return rows.map(({ key, status, reasons }) => `${key} ${status}: ${reasons.join(", ")}`);
}

test(`random histories end as a slow computation predicts (seed ${seed})`, { timeout: 120_000 }, async () => {
  for (let step = 0; step < STEPS; step++) {
    const name = pick(["team", "team", "team", "assign", "withdraw", "restore", "state"] as const);
    await steps[name]();
    while (await runTurns(services));
    await followPeople.run(services, {});
    settle();
    const expected = [...standings].map(
      ([key, { status, reasons }]) => `${key} ${status}: ${[...reasons].toSorted().join(", ")}`,
    );
    expect([step, name, await readStandings()]).toEqual([step, name, expected.toSorted()]);
  }
});
