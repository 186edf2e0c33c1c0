import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrate } from "#server/core/database/migrations.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { createImporter } from "#test/importClient.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// Why a learner has a course: every way to enrol writes a reason, and every enrolment has one

const server = await start();
const { as, make, db, runJobs } = server;
const admin = await make.admin();
const call = as(admin);

const reasonsOf = async (userId: string, courseId: string) =>
  bodyOf(await call(courses.reasons, { params: { id: courseId }, query: { userId } })).items;
const openKinds = async (userId: string, courseId: string) =>
  (await reasonsOf(userId, courseId)).filter(({ until }) => until === null).map(({ kind }) => kind);
const findLearner = async (companyId: string, name: string) => {
  const { items } = bodyOf(await call(learners.list, { query: { companyId, q: name } }));
  return items[0]?.id ?? "";
};
const assign = async (courseId: string, to: { companyIds?: string[]; userIds?: string[] }) =>
  bodyOf(await call(courses.assign, { params: { id: courseId }, body: to }));
const withoutReason = async () =>
  (
    await sql`
      select enrolments.id
      from enrolments
      where (enrolments.status <> 'withdrawn' and enrolments.user_id is not null) <> exists (
        select from enrolment_reasons
        where enrolment_reasons.enrolment_id = enrolments.id
          and enrolment_reasons.until is null
      )`.execute(db)
  ).rows;

test("each way to enrol writes its reason", { timeout: 60_000 }, async () => {
  const jobs = await runJobs();
  const company = await make.company(admin);
  const [everybody, chosen] = [await make.course(admin), await make.course(admin)];
  const early = await make.learner(company.accessCode, "Early");
  await assign(everybody.id, { companyIds: [company.id] });
  await assign(chosen.id, { userIds: [early.user.id] });
  expect(await openKinds(early.user.id, everybody.id)).toEqual(["company"]);
  expect(await reasonsOf(early.user.id, chosen.id)).toMatchObject([{ kind: "person", by: admin.user.name }]);

  const byCode = await make.learner(company.accessCode, "Coded");
  expect(await openKinds(byCode.user.id, everybody.id)).toEqual(["code"]);

  const people = [{ email: "guest@example.com", name: "Guest" }];
  bodyOf(await call(learners.invite, { body: { companyId: company.id, people, courseIds: [chosen.id] } }));
  const guest = await findLearner(company.id, "Guest");
  expect(await openKinds(guest, everybody.id)).toEqual(["invitation"]);
  expect(await openKinds(guest, chosen.id)).toEqual(["person"]);

  const importer = createImporter(server, admin);
  const { id } = await importer.upload(company.id, "name,email\nImported One,imported@example.com\n");
  await importer.apply(id);
  expect(await openKinds(await findLearner(company.id, "Imported"), everybody.id)).toEqual(["import"]);

  const target = await make.company(admin);
  await assign(chosen.id, { companyIds: [target.id] });
  bodyOf(await call(learners.move, { body: { ids: [early.user.id], companyId: target.id } }));
  expect(await openKinds(early.user.id, chosen.id)).toEqual(["company"]);
  expect(await withoutReason()).toEqual([]);
  await jobs.stop();
});

test("a second way adds a reason, and its undoing takes only that one away", async () => {
  const { company, learner, course } = await make.classroom();
  const { id } = learner.user;
  const before = await openKinds(id, course.id);
  const { undoId } = await assign(course.id, { userIds: [id], companyIds: [] });
  expect((await openKinds(id, course.id)).toSorted()).toEqual([...new Set([...before, "person"])].toSorted());
  bodyOf(await call(courses.undo, { params: { id: undoId } }));
  expect(await openKinds(id, course.id)).toEqual(before);
  expect(await withoutReason()).toEqual([]);
  expect(company.id).not.toBe("");
});

test("a withdrawal ends the reasons, its undoing brings them back", async () => {
  const { learner, course } = await make.classroom();
  const { id } = learner.user;
  const before = await openKinds(id, course.id);
  const withdraw = async () =>
    bodyOf(await call(courses.withdraw, { params: { id: course.id }, body: { userIds: [id] } })).undoId;
  const undoId = await withdraw();
  expect(await openKinds(id, course.id)).toEqual([]);
  expect(await reasonsOf(id, course.id)).toMatchObject([{ ended: "withdrawn", endedBy: admin.user.name }]);
  bodyOf(await call(courses.undo, { params: { id: undoId } }));
  expect(await openKinds(id, course.id)).toEqual(before);
  await withdraw();
  bodyOf(await call(courses.restore, { params: { id: course.id }, body: { userIds: [id] } }));
  expect(await openKinds(id, course.id)).toEqual(["person"]);
  expect(await withoutReason()).toEqual([]);
});

test("a learner reads the reasons of their own courses, without who decided", async () => {
  const { learner, course, company } = await make.classroom();
  const other: Person = await make.learner(company.accessCode, "Other");
  await assign(course.id, { userIds: [learner.user.id] });
  const mine = bodyOf(await as(learner)(courses.reasons, { params: { id: course.id } })).items;
  expect(mine.map(({ kind }) => kind)).toContain("person");
  expect(mine.map(({ by, endedBy, ruleId }) => [by, endedBy, ruleId])).toEqual(mine.map(() => [null, null, null]));
  const query = { userId: learner.user.id };
  expect((await as(other)(courses.reasons, { params: { id: course.id }, query })).status).toBe(404);
});

test("a course that is taken from a company ends its reasons", async () => {
  const { learner, course, company } = await make.classroom();
  const params = { id: company.id, courseId: course.id };
  bodyOf(await call(companies.removeCourse, { params }));
  expect(await openKinds(learner.user.id, course.id)).toEqual([]);
  expect(await withoutReason()).toEqual([]);
});

test("enrolments of an earlier version get their reasons from a migration", { timeout: 60_000 }, async () => {
  const { company, course, learner } = await make.classroom();
  const withdrawn = await make.learner(company.accessCode, "Withdrawn");
  await assign(course.id, { userIds: [withdrawn.user.id] });
  bodyOf(await call(courses.withdraw, { params: { id: course.id }, body: { userIds: [withdrawn.user.id] } }));
  // More than one batch.
  await sql`
    insert into enrolments (user_id, company_id, course_id, source, cycle)
    select ${learner.user.id}, ${company.id}, ${course.id}, 'code', 100 + number
    from generate_series(1, 12000) number`.execute(db);
  await sql`delete from enrolment_reasons`.execute(db);
  const name = "0133_seed_enrolment_reasons.sql";
  await sql`delete from migrations where name = ${name}`.execute(db);
  expect(await migrate(server.services.pool)).toEqual([name]);
  expect(await withoutReason()).toEqual([]);
  expect(await reasonsOf(withdrawn.user.id, course.id)).toMatchObject([{ kind: "code", ended: "withdrawn" }]);
});
