import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createDb } from "#server/core/database/db.ts";
import { takeTurns } from "#server/enrolmentRules/checking.ts";
import { followDays } from "#server/enrolmentRules/days.ts";
import { BATCH } from "#server/enrolmentRules/enrolling.ts";
import { followPeople } from "#server/enrolmentRules/follow.ts";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import { enrolmentRules, type RuleInput } from "#shared/enrolmentRules/enrolmentRules.ts";
import { fields } from "#shared/fields/fields.ts";
import { learners } from "#shared/learners/learners.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";

// Rules that fail, and many rules

const { as, make, services, db } = await start({}, () => {});
const admin = await make.admin();
const call = as(admin);

async function activate(companyId: string, courseId: string, more: Partial<RuleInput> = {}) {
  const body = { companyId, name: `Rule ${randomUUID().slice(0, 8)}`, courseIds: [courseId], ...more };
  const { id, version } = bodyOf(await call(enrolmentRules.create, { body }));
  bodyOf(await call(enrolmentRules.setState, { params: { id }, body: { state: "active", version } }));
  while (await runTurns(services));
  return id;
}
/** A company with one person, and two rules that give a team a course each. */
async function room() {
  const company = await make.company(admin);
  const ada = await make.learner(company.accessCode, "Ada");
  const [good, bad] = [await make.course(admin), await make.course(admin)];
  const field = bodyOf(
    await call(fields.create, { body: { companyId: company.id, key: "team", name: "Team", kind: "text" } }),
  );
  const tests = [{ kind: "field" as const, field: field.id, is: "equal" as const, value: "north" }];
  const condition = { match: "all" as const, tests };
  const ids = {
    good: await activate(company.id, good.id, { condition }),
    bad: await activate(company.id, bad.id, { condition }),
  };
  await followPeople.run(services, {});
  const join = async () => {
    const { version } = bodyOf(await call(learners.get, { params: { id: ada.user.id } }));
    const body = { fields: { [field.id]: "north" }, version };
    bodyOf(await call(learners.update, { params: { id: ada.user.id }, body }));
  };
  const coursesOf = async () => {
    const rows = await db.selectFrom("enrolments").where("userId", "=", ada.user.id).select("courseId").execute();
    return rows.map(({ courseId }) => ({ [good.id]: "good", [bad.id]: "bad" })[courseId] ?? "").toSorted();
  };
  return { company, ada, join, coursesOf, ids, field };
}
/** Gives a rule an invalid day, so that it fails for everyone. */
const breakRule = (id: string) =>
  sql`update enrolment_rules set due = '{"kind": "day", "day": "never"}' where id = ${id}`.execute(db);
const repairRule = (id: string) =>
  sql`update enrolment_rules set due = '{"kind": "none"}' where id = ${id}`.execute(db);
const queued = async () =>
  db.selectFrom("enrolmentRuleChanges").select(["kind", "target", "failures"]).orderBy("id").execute();
const endPauses = () => sql`update enrolment_rule_changes set due_at = now()`.execute(db);

test("a failing rule is tried again without stopping the others", async () => {
  const { join, coursesOf, ids } = await room();
  await breakRule(ids.bad);
  await join();
  await followPeople.run(services, {});
  expect(await coursesOf()).toEqual(["good"]);
  expect(await queued()).toEqual([{ kind: "rule", target: ids.bad, failures: 1 }]);
  await followPeople.run(services, {});
  expect(await queued()).toMatchObject([{ failures: 1 }]);
  await endPauses();
  await followPeople.run(services, {});
  expect(await queued()).toMatchObject([{ failures: 2 }]);
  await repairRule(ids.bad);
  await endPauses();
  await followPeople.run(services, {});
  expect(await coursesOf()).toEqual(["bad", "good"]);
  expect(await queued()).toEqual([]);
});

test("a rule that keeps failing is left to the daily check", async () => {
  const { join, coursesOf, ids } = await room();
  await breakRule(ids.bad);
  await join();
  await followPeople.run(services, {});
  await sql`update enrolment_rule_changes set failures = 20, due_at = now()`.execute(db);
  await followPeople.run(services, {});
  expect(await queued()).toEqual([]);
  await followDays.run(services, {});
  expect(await queued()).toMatchObject([{ kind: "rule", target: ids.bad, failures: 1 }]);
  await repairRule(ids.bad);
  await endPauses();
  await followPeople.run(services, {});
  expect(await coursesOf()).toEqual(["bad", "good"]);
});

test("a failed daily check is repeated later", async () => {
  const { company, join } = await room();
  await join();
  await followPeople.run(services, {});
  const read = () =>
    db.selectFrom("enrolmentRuleDays").where("companyId", "=", company.id).select(["checkedOn", "cursor"]).execute();
  await sql`alter table users rename to hidden_users`.execute(db);
  await followDays.run(services, {});
  await sql`alter table hidden_users rename to users`.execute(db);
  expect(await read()).toEqual([{ checkedOn: null, cursor: null }]);
  await sql`update enrolment_rule_days set turn_at = now()`.execute(db);
  await followDays.run(services, {});
  expect(await read()).toMatchObject([{ checkedOn: expect.any(String), cursor: null }]);
});

test("a change waits only for rules that it concerns", async () => {
  const { company, join, coursesOf } = await room();
  const other = await activate(company.id, (await make.course(admin)).id);
  await followPeople.run(services, {});
  await join();
  const second = createDb(services.pool);
  await second.transaction().execute(async (tx) => {
    await tx.selectFrom("enrolmentRules").where("id", "=", other).select("id").forUpdate().execute();
    await followPeople.run(services, {});
    expect(await coursesOf()).toEqual(expect.arrayContaining(["bad", "good"]));
  });
});

test("the conditions of many rules are compared in several statements", { timeout: 60_000 }, async () => {
  const { company, ada, ids } = await room();
  await sql`
    insert into enrolment_rules (company_id, name, condition, due, state)
    select ${company.id}, 'Many ' || number, jsonb_build_object('match', 'any', 'tests', (
      select jsonb_agg(jsonb_build_object('kind', 'joined', 'is', 'within', 'days', 400 + test))
      from generate_series(1, 100) test
    )), '{"kind": "none"}', 'active'
    from generate_series(1, 450) number`.execute(db);
  await sql`
    insert into enrolment_rule_courses (rule_id, course_id)
    select rules.id, given.course_id
    from enrolment_rules rules
    cross join (select course_id from enrolment_rule_courses where rule_id = ${ids.good}) given
    where rules.name like 'Many %'`.execute(db);
  await sql`
    insert into enrolment_rule_changes (company_id, user_id, kind)
    values (${company.id}, ${ada.user.id}, 'person')`.execute(db);
  await followPeople.run(services, {});
  expect(await queued()).toEqual([]);
  const { rows } = await sql<{ reasons: number }>`
    select count(*)::int as reasons
    from enrolment_reasons
    join enrolments on enrolments.id = enrolment_reasons.enrolment_id
    where enrolments.user_id = ${ada.user.id} and enrolment_reasons.kind = 'rule'`.execute(db);
  expect(rows).toEqual([{ reasons: 450 }]);
});

test("companies take turns until the time is over", async () => {
  const taken: string[] = [];
  const left = new Map([
    ["large", 3 * BATCH],
    ["small", BATCH],
  ]);
  const work = async (company: string) => {
    taken.push(company);
    left.set(company, (left.get(company) ?? 0) - BATCH);
    return (left.get(company) ?? 0) > 0;
  };
  expect(await takeTurns([...left.keys()], work)).toBe(false);
  expect(taken).toEqual(["large", "small", "large", "large"]);
  expect(await takeTurns(["large"], work, 0)).toBe(true);
  expect(taken).toHaveLength(4);
});
