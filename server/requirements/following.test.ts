import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { inTransaction } from "#server/core/database/db.ts";
import { followChanges } from "#server/groups/follow.ts";
import { completeAttempt } from "#server/player/outcomes.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { courses } from "#shared/courses/courses.ts";
import { groups } from "#shared/groups/groups.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { requirements } from "#shared/requirements/requirements.ts";
import { createCertifier } from "#test/certificates.ts";
import { createPathTester, stepOf } from "#test/paths.ts";
import { bodyOf } from "#test/probes.ts";
import { addMonths, createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";

// What else knows of a course that opens again, and who is left out

const server = await start();
const { as, make, db, services } = server;
const admin = await make.admin();
const tester = createRequirementTester(server, admin);
const { call, work, room, demand, complete, moveTo, peopleOf, cellOf, enrolmentOf, changeCompany } = tester;

/** Completes a course so that its end is in thirty days, and it opens again. */
async function renew(person: Person, companyId: string, courseId: string) {
  await complete(person, companyId, courseId);
  await moveTo(person, courseId, addMonths(dayIn(30), -12));
  await work();
  expect(await enrolmentOf(person, courseId)).toMatchObject({ status: "assigned" });
}

test("a path stays complete while its course is open again", async () => {
  const { company, course, learners: people } = await room();
  const [ada] = people as [Person];
  const paths = createPathTester(server, admin);
  const id = await paths.walk([stepOf(course.id)], [ada]);
  await demand(company.id, course.id);
  await renew(ada, company.id, course.id);
  await paths.work();
  expect((await paths.mine(ada, id)).completedAt).toEqual(expect.any(String));
  expect(await paths.statesOf(ada, id)).toEqual(["done"]);
});

test("a group of people who have completed a course keeps them", async () => {
  const { company, course, learners: people } = await room();
  const [ada] = people as [Person];
  const { id } = bodyOf(
    await call(groups.create, {
      body: {
        companyId: company.id,
        name: "Trained",
        rule: { match: "all", tests: [{ kind: "course", course: course.id, is: "completed" }] },
      },
    }),
  );
  await demand(company.id, course.id);
  await renew(ada, company.id, course.id);
  await followChanges.run(services, {});
  expect(bodyOf(await call(groups.members, { params: { id }, query: {} })).items).toMatchObject([{ name: "Ada" }]);
});

test("a certificate is valid until the day that the requirement names", async () => {
  const { company, course, learners: people } = await room();
  const [ada] = people as [Person];
  await createCertifier(server).switchOn(admin, course.id, { months: 12 });
  await demand(company.id, course.id, { months: 24 });
  await complete(ada, company.id, course.id);
  const until = addMonths(dayIn(0), 24);
  expect(await cellOf(company.id, ada, course.id)).toMatchObject({ validUntil: until });
  const issued = bodyOf(await call(certificates.list, { query: { courseId: course.id } })).items;
  expect(issued).toMatchObject([{ validUntil: until }]);
});

test("people who have moved away or are suspended are left out", async () => {
  const { company, course, learners: people } = await room(["Ada", "Bo", "Cy"]);
  const [ada, bo, cy] = people as [Person, Person, Person];
  for (const one of people) {
    await complete(one, company.id, course.id);
  }
  const elsewhere = await make.company(admin);
  bodyOf(await call(learners.move, { body: { ids: [ada.user.id], companyId: elsewhere.id } }));
  bodyOf(await call(learners.suspend, { body: { ids: [bo.user.id] } }));
  await demand(company.id, course.id);
  for (const one of people) await moveTo(one, course.id, addMonths(dayIn(30), -12));
  await work();
  expect((await peopleOf(company.id)).items.map(({ name }) => name)).toEqual(["Cy"]);
  const statuses = await db
    .selectFrom("enrolments")
    .where("courseId", "=", course.id)
    .select(["userId", "status"])
    .execute();
  const opened = statuses.filter(({ status }) => status === "assigned").map(({ userId }) => userId);
  expect(opened).toEqual([cy.user.id]);
});

test("days are those of the company, also after its time zone changes", async () => {
  const { company, course, learners: people } = await room();
  const [ada] = people as [Person];
  await demand(company.id, course.id);
  await complete(ada, company.id, course.id);
  await moveTo(ada, course.id, "2026-03-10");
  expect(await cellOf(company.id, ada, course.id)).toMatchObject({ validUntil: "2027-03-10" });
  await changeCompany(company.id, { timezone: "Pacific/Kiritimati" });
  await work();
  // Noon in UTC is the next day there.
  expect(await cellOf(company.id, ada, course.id)).toMatchObject({ validUntil: "2027-03-11" });
});

test("an erased person leaves no requirement and no closed cycle", async () => {
  const { company, course, learners: people } = await room();
  const [ada] = people as [Person];
  await demand(company.id, course.id);
  await renew(ada, company.id, course.id);
  const own = bodyOf(await as(ada)(privacy.export, {})) as unknown;
  expect(JSON.stringify(own)).toContain("enrolmentCycles");
  await changeCompany(company.id, { erasurePolicy: "retain", retentionYears: 3 });
  const receipt = bodyOf(await call(privacy.erase, { body: { userId: ada.user.id } }));
  // The completion of the closed cycle can still be proven.
  const kept = await db.selectFrom("retainedTrainingRecords").where("courseId", "=", course.id).selectAll().execute();
  expect(receipt.retainedRecords).toHaveLength(1);
  expect(kept).toMatchObject([{ completedOn: addMonths(dayIn(30), -12), scorePercent: 90 }]);
  const { rows } = await sql<{ left: number }>`
    select
      (select count(*)::int from requirements where company_id = ${company.id})
      + (select count(*)::int from enrolment_cycles where enrolment_id in (
        select id from enrolments where course_id = ${course.id}
      )) as left`.execute(db);
  expect(rows).toEqual([{ left: 0 }]);
});

test("completions and openings at the same moment leave each person in one cycle", async () => {
  const names = Array.from({ length: 12 }, (_, n) => `Learner ${n}`);
  const { company, course, learners: people } = await room(names);
  await demand(company.id, course.id);
  for (const one of people) {
    await complete(one, company.id, course.id);
    await moveTo(one, course.id, addMonths(dayIn(30), -12));
  }
  const complete2 = async (one: Person) => complete(one, company.id, course.id).catch(() => null);
  await Promise.all([work(), ...people.map(complete2), work()]);
  await work();
  const { rows } = await sql<{ status: string; closed: number; attempts: number; open: boolean }>`
    select status,
      (select count(*)::int from enrolment_cycles where enrolment_id = enrolments.id) as closed,
      (select count(*)::int from attempts where enrolment_id = enrolments.id and no >= first_attempt) as attempts,
      (select opened_on is not null from requirements where enrolment_id = enrolments.id) as open
    from enrolments
    where course_id = ${course.id}`.execute(db);
  for (const { status, closed, attempts, open } of rows)
    if (status === "completed") expect([open, attempts > 0]).toEqual([false, true]);
    else expect([status, open, closed]).toEqual([attempts > 0 ? "in_progress" : "assigned", true, 1]);
});

test("a withdrawal leaves people who have completed the course before", async () => {
  const { company, course, learners: people } = await room(["Ada", "Bo"]);
  const [ada, bo] = people as [Person, Person];
  await demand(company.id, course.id);
  await renew(ada, company.id, course.id);
  const body = { userIds: [ada.user.id, bo.user.id] };
  expect(bodyOf(await call(courses.withdraw, { params: { id: course.id }, body }))).toMatchObject({ changed: 1 });
  expect((await peopleOf(company.id)).items.map(({ name }) => name)).toEqual(["Ada"]);
});

test("the undo of due dates leaves the due date of a renewal", async () => {
  const { company, course, learners: people } = await room();
  const [ada] = people as [Person];
  const body = { userIds: [ada.user.id], dueDate: "2020-01-01" };
  await call(courses.setDue, { params: { id: course.id }, body });
  const { undoId } = bodyOf(
    await call(courses.setDue, { params: { id: course.id }, body: { ...body, dueDate: dayIn(5) } }),
  );
  await demand(company.id, course.id);
  await renew(ada, company.id, course.id);
  bodyOf(await call(courses.undo, { params: { id: undoId } }));
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "assigned", dueDate: dayIn(30) });
});

test("a requirement that returns finds a course that was started again as it is", async () => {
  const { company, course, learners: people } = await room();
  const [ada] = people as [Person];
  const { id } = await demand(company.id, course.id);
  await renew(ada, company.id, course.id);
  await tester.launch(ada, company.id, course.id);
  await call(requirements.remove, { params: { id } });
  await work();
  await demand(company.id, course.id);
  expect(await cellOf(company.id, ada, course.id)).toMatchObject({ state: "ending", openedOn: dayIn(0) });
  const mails = await db.selectFrom("mails").where("userId", "=", ada.user.id).select("subject").execute();
  expect(mails.filter(({ subject }) => subject.startsWith("Open again"))).toHaveLength(1);
});

test("a completion that is being stored while terms are applied counts", async () => {
  const { company, course, learners: people } = await room();
  const [ada] = people as [Person];
  const { id } = await demand(company.id, course.id);
  await renew(ada, company.id, course.id);
  const { attemptId } = await tester.launch(ada, company.id, course.id);
  const { rev } = await db.selectFrom("attempts").where("id", "=", attemptId).select("rev").executeTakeFirstOrThrow();
  const storing = inTransaction(db, async (tx) => {
    await completeAttempt(tx, { attemptId, rev, at: new Date().toISOString() });
    await sleep(500);
  });
  await tester.change(company.id, id, { graceDays: 5 });
  await storing;
  await work();
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "completed" });
  expect(await cellOf(company.id, ada, course.id)).toMatchObject({
    state: "valid",
    validUntil: addMonths(dayIn(0), 12),
  });
});

test("people who are being enrolled while a course becomes required are found", async () => {
  const { company } = await room([]);
  const other = await make.course(admin);
  const ada = await make.learner(company.accessCode, "Ada");
  const storing = inTransaction(db, async (tx) => {
    await sql`
      insert into enrolments (user_id, company_id, course_id, source)
      values (${ada.user.id}, ${company.id}, ${other.id}, 'manual')`.execute(tx);
    await sleep(700);
  });
  await demand(company.id, other.id);
  await storing;
  await work();
  expect(await cellOf(company.id, ada, other.id)).toMatchObject({ state: "missing" });
});
