import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrate } from "#server/core/database/migrations.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { MAX_LISTED, type PastCompletion, pastCompletions } from "#shared/completions/pastCompletions.ts";
import type { BodyOf } from "#shared/core/route.ts";
import { courses } from "#shared/courses/courses.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { transcripts } from "#shared/transcripts/transcripts.ts";
import { createCertifier, sampleDesign } from "#test/certificates.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { bodyOf } from "#test/probes.ts";
import { addMonths, createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";

// An admin records what a person has completed elsewhere

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const admin = await make.admin();
const tester = createRequirementTester(server, admin);
const { call, demand, cellOf, enrolmentOf, launch } = tester;
const { switchOn } = createCertifier(server);

type Given = Partial<BodyOf<typeof pastCompletions.add>>;
const add = ({ user }: Person, given: Given, by = admin) =>
  as(by)(pastCompletions.add, {
    params: { id: user.id },
    body: { courseId: null, title: "", completedOn: dayIn(-30), scorePercent: null, reference: "", ...given },
  });
const listOf = async ({ user }: Person) =>
  bodyOf(await call(pastCompletions.list, { params: { id: user.id } })).items as PastCompletion[];
const remove = (id: string, by = admin) => as(by)(pastCompletions.remove, { params: { id } });
const room = async () => {
  const { company, course, learners } = await tester.room();
  return { company, course, ada: learners[0] as Person };
};
const reasonsOf = async ({ user }: Person, courseId: string) =>
  bodyOf(await call(courses.reasons, { params: { id: courseId }, query: { userId: user.id } }));

test("it completes a course that was not started, for requirements and transcripts too", async () => {
  const { company, course, ada } = await room();
  await demand(company.id, course.id);
  await switchOn(admin, course.id, sampleDesign);
  const mails = await db.selectFrom("mails").select("id").execute();
  const day = dayIn(-30);
  expect(bodyOf(await add(ada, { courseId: course.id, scorePercent: 88, reference: "TÜV 4711" }))).toMatchObject({
    effect: "completes",
  });
  expect(await cellOf(company.id, ada, course.id)).toMatchObject({ state: "valid", validUntil: addMonths(day, 12) });
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "completed", scorePercent: 88 });
  const { id } = bodyOf(await as(ada)(transcripts.issue, { body: { withScores: true, withTimes: true } }));
  const { facts } = bodyOf(await as(ada)(transcripts.get, { params: { id } }));
  expect(facts.entries).toMatchObject([{ completedOn: day, elsewhere: "TÜV 4711" }]);
  // Nothing follows that follows from completions here.
  expect(bodyOf(await as(ada)(certificates.mine)).items).toEqual([]);
  expect(await db.selectFrom("mails").select("id").execute()).toEqual(mails);
  expect(await listOf(ada)).toMatchObject([
    { course: "Test course", completedOn: day, reference: "TÜV 4711", effect: "completes", fileName: null },
  ]);
  expect(JSON.stringify(await listOf(ada))).not.toContain("88");
});

test("who did not have the course gets it, and is told why", async () => {
  const { ada } = await room();
  const other = await make.course(admin);
  bodyOf(await add(ada, { courseId: other.id }));
  expect((await reasonsOf(ada, other.id)).items.map(({ kind }) => kind)).toEqual(["elsewhere"]);
  const [{ id = "" } = {}] = await listOf(ada);
  expect((await remove(id)).status).toBe(204);
  expect(await enrolmentOf(ada, other.id)).toBeUndefined();
  expect(await listOf(ada)).toEqual([]);
});

test("reasons of an earlier version are told apart from those of imported people", async () => {
  const { ada, course } = await room();
  const other = await make.course(admin);
  bodyOf(await add(ada, { courseId: other.id }));
  await sql`update enrolment_reasons set kind = 'import'`.execute(db);
  const name = "0203_check_elsewhere_reasons.sql";
  await sql`delete from migrations where name = ${name}`.execute(db);
  expect(await migrate(server.services.pool)).toEqual([name]);
  expect((await reasonsOf(ada, other.id)).items.map(({ kind }) => kind)).toEqual(["elsewhere"]);
  expect((await reasonsOf(ada, course.id)).items.map(({ kind }) => kind)).toEqual(["import"]);
});

test("a course in progress, and one that is not here, are history", async () => {
  const { company, course, ada } = await room();
  await launch(ada, company.id, course.id);
  expect(bodyOf(await add(ada, { courseId: course.id })).effect).toBe("history");
  expect((await enrolmentOf(ada, course.id))?.completedAt).toBeNull();
  expect(bodyOf(await add(ada, { title: "  Forklift \n driving " })).effect).toBe("history");
  expect((await listOf(ada)).map((one) => one.course).toSorted()).toEqual(["Forklift driving", "Test course"]);
});

test("what does not fit is refused by field, and a completion is recorded once", async () => {
  const { course, ada } = await room();
  const draft = bodyOf(await call(drafts.create, { body: { title: "Not published", language: "en" } }));
  const codeOf = async (given: Given) => {
    const reply = await add(ada, given);
    const { issues = [] } = reply.body as { issues?: { path: string; code: string }[] };
    return [reply.status, issues[0] ? `${issues[0].path}: ${issues[0].code}` : reply.code];
  };
  expect(await codeOf({ courseId: course.id, completedOn: dayIn(2) })).toEqual([
    422,
    "completedOn: pastCompletions.future",
  ]);
  expect(await codeOf({ courseId: draft.id })).toEqual([422, "courseId: pastCompletions.noCourse"]);
  expect(await codeOf({ title: " \u0007 " })).toEqual([422, "title: core.missing"]);
  expect(await codeOf({ title: "TEST course" })).toEqual([422, "title: pastCompletions.isHere"]);
  expect(await codeOf({ courseId: course.id, scorePercent: 101 })).toEqual([422, "scorePercent: core.tooBig"]);
  const both = await Promise.all([add(ada, { courseId: course.id }), add(ada, { courseId: course.id })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await codeOf({ courseId: course.id })).toEqual([409, "pastCompletions.known"]);
  const titled = await Promise.all([1, 2, 3].map(() => add(ada, { title: "Forklift" })));
  expect(titled.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(await listOf(ada)).toHaveLength(2);
});

test("removing one is refused once the course was opened, or if a file brought it", async () => {
  const { company, course, ada } = await room();
  const { id } = bodyOf(await add(ada, { courseId: course.id }));
  await launch(ada, company.id, course.id);
  expect(await remove(id)).toMatchObject({ status: 409, code: "pastCompletions.acted" });
  expect(await listOf(ada)).toHaveLength(1);
  const { id: other } = bodyOf(await add(ada, { title: "Forklift" }));
  const twice = await Promise.all([remove(other), remove(other)]);
  expect(twice.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  const { id: history } = bodyOf(await add(ada, { courseId: course.id, completedOn: dayIn(-400) }));
  await db.updateTable("externalCompletions").set({ fileName: "history.csv" }).where("id", "=", history).execute();
  expect(await remove(history)).toMatchObject({ status: 409, code: "pastCompletions.ofFile" });
  await db.updateTable("externalCompletions").set({ fileName: null }).where("id", "=", history).execute();
  const both = await Promise.all([remove(history), remove(history)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 404]);
});

test("a long list says that it is not whole", async () => {
  const { ada, company } = await room();
  const add = (count: number) =>
    sql`
      insert into external_completions (company_id, person_id, title, completed_on)
      select ${company.id}, ${ada.user.id}, 'Course ' || gen_random_uuid(), '2020-01-01'
      from generate_series(1, ${count}::int)`.execute(db);
  const read = async () => bodyOf(await call(pastCompletions.list, { params: { id: ada.user.id } }));
  await add(MAX_LISTED);
  expect((await read()).isMore).toBe(false);
  await add(1);
  const { items, isMore } = await read();
  expect([items.length, isMore]).toEqual([MAX_LISTED, true]);
});

test("an admin of another company neither reads nor records", async () => {
  const [{ ada, course }, elsewhere] = [await room(), await room()];
  const { id } = bodyOf(await add(ada, { courseId: course.id }));
  const foreign = await make.admin();
  await limitToCompany(db, foreign, elsewhere.company.id);
  expect((await as(foreign)(pastCompletions.list, { params: { id: ada.user.id } })).status).toBe(404);
  expect((await add(ada, { title: "Forklift" }, foreign)).status).toBe(404);
  expect((await remove(id, foreign)).status).toBe(404);
  expect((await as(ada)(pastCompletions.list, { params: { id: ada.user.id } })).status).toBe(403);
  expect(await listOf(ada)).toHaveLength(1);
});
