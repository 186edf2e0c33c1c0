import { sql } from "kysely";
import { expect, test } from "vitest";
import { followDays } from "#server/enrolmentRules/days.ts";
import { followPeople } from "#server/enrolmentRules/follow.ts";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import { courses } from "#shared/courses/courses.ts";
import { enrolmentRules } from "#shared/enrolmentRules/enrolmentRules.ts";
import { learners } from "#shared/learners/learners.ts";
import { withdrawWhile } from "#test/heldWithdrawal.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";

// With two servers, a killed server, or people joining during a run, everyone is enrolled exactly once

const first = await start();
const { as, make, db } = first;
const second = await first.startAnother();
const admin = await make.admin();
const call = as(admin);

async function activate(companyId: string, courseId: string) {
  const made = bodyOf(
    await call(enrolmentRules.create, { body: { companyId, name: `Rule ${courseId}`, courseIds: [courseId] } }),
  );
  const body = { state: "active" as const, version: made.version };
  return bodyOf(await call(enrolmentRules.setState, { params: { id: made.id }, body }));
}
const invite = (companyId: string, names: string[]) =>
  call(learners.invite, {
    body: {
      companyId,
      people: names.map((name) => ({ name, email: `${name.toLowerCase()}.${companyId.slice(0, 8)}@example.com` })),
      courseIds: [],
    },
  }).then(bodyOf);
const named = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
/** Counts people of a company by their number of enrolments and open reasons in a course. */
const countEach = async (companyId: string, courseId: string) =>
  (
    await sql<{ enrolments: number; reasons: number; people: number }>`
      select enrolments, reasons, count(*)::int as people
      from (
        select users.id, count(distinct enrolments.id)::int as enrolments, count(reasons.id)::int as reasons
        from users
        left join enrolments on enrolments.user_id = users.id and enrolments.course_id = ${courseId}
        left join enrolment_reasons reasons on reasons.enrolment_id = enrolments.id and reasons.until is null
        where users.company_id = ${companyId} and users.role = 'learner'
        group by users.id
      ) counted
      group by 1, 2`.execute(db)
  ).rows;

test("two servers enrol everyone once, including people who join during the run", { timeout: 60_000 }, async () => {
  const company = await make.company(admin);
  const course = await make.course(admin);
  await invite(company.id, named("Early", 80));
  const [rule] = await Promise.all([activate(company.id, course.id), invite(company.id, named("Meanwhile", 20))]);
  await Promise.all([
    ...[first, second].flatMap(({ services }) => [
      runTurns(services),
      followPeople.run(services, {}),
      followDays.run(services, {}),
    ]),
    ...named("Late", 5).map((name) => invite(company.id, [name])),
  ]);
  await followPeople.run(first.services, {});
  expect(await countEach(company.id, course.id)).toEqual([{ enrolments: 1, reasons: 1, people: 105 }]);
  expect(bodyOf(await call(enrolmentRules.get, { params: { id: rule.id } }))).toMatchObject({ enrolled: 105 });
});

test("another server continues the run of a killed one", async () => {
  const company = await make.company(admin);
  const course = await make.course(admin);
  await invite(company.id, named("Waits", 10));
  const { id } = await activate(company.id, course.id);
  const lease = (ends: string) =>
    sql`
      update enrolment_rule_runs
      set leased_until = now() + ${ends}::interval
      where rule_id = ${id}`.execute(db);
  await lease("10 seconds");
  await runTurns(second.services);
  expect(await countEach(company.id, course.id)).toEqual([{ enrolments: 0, reasons: 0, people: 10 }]);
  await lease("-1 second");
  await runTurns(second.services);
  expect(await countEach(company.id, course.id)).toEqual([{ enrolments: 1, reasons: 1, people: 10 }]);
});

test("the daily check enrols people who were missed", async () => {
  const company = await make.company(admin);
  const course = await make.course(admin);
  await activate(company.id, course.id);
  await runTurns(first.services);
  await invite(company.id, ["Missed"]);
  await followDays.run(first.services, {});
  await db.deleteFrom("enrolments").where("courseId", "=", course.id).execute();
  await followDays.run(first.services, {});
  expect(await countEach(company.id, course.id)).toEqual([{ enrolments: 0, reasons: 0, people: 1 }]);
  await sql`update enrolment_rule_days set checked_on = checked_on - 1`.execute(db);
  await followDays.run(first.services, {});
  expect(await countEach(company.id, course.id)).toEqual([{ enrolments: 1, reasons: 1, people: 1 }]);
});

test("a withdrawal by an admin holds while a rule gives the course", async () => {
  const company = await make.company(admin);
  const course = await make.course(admin);
  const ada = await make.learner(company.accessCode, "Ada");
  bodyOf(await call(courses.assign, { params: { id: course.id }, body: { userIds: [ada.user.id] } }));
  await withdrawWhile(first, ada.user.id, course.id, async () => {
    await activate(company.id, course.id);
    await runTurns(first.services);
  });
  await followPeople.run(first.services, {});
  const { rows } = await sql`
    select enrolments.status, count(reasons.id)::int as reasons
    from enrolments
    left join enrolment_reasons reasons on reasons.enrolment_id = enrolments.id and reasons.until is null
    where enrolments.user_id = ${ada.user.id}
      and enrolments.course_id = ${course.id}
    group by enrolments.status`.execute(db);
  expect(rows).toEqual([{ status: "withdrawn", reasons: 0 }]);
});
