import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { certificates } from "#shared/certificates/certificates.ts";
import { completionRules } from "#shared/completionRules/ruleChanges.ts";
import { completions } from "#shared/completions/completions.ts";
import { courses } from "#shared/courses/courses.ts";
import { imports } from "#shared/imports/imports.ts";
import { requirements } from "#shared/requirements/requirements.ts";
import { transcripts } from "#shared/transcripts/transcripts.ts";
import { createCertifier } from "#test/certificates.ts";
import { createImporter } from "#test/importClient.ts";
import { bodyOf } from "#test/probes.ts";
import { createRequirementTester, yearly } from "#test/requirements.ts";
import { createRuleTester, timeAndScore } from "#test/ruleChanges.ts";
import { type Person, start } from "#test/start.ts";

// Past completions from a file: they complete courses or are history, and all of it can be undone

const server = await start();
const { as, make, db } = server;
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
const admin = await make.admin();
const importer = createImporter(server, admin);
const { tryRule } = createRuleTester(server);
const { switchOn } = createCertifier(server);
const { demand, work: follow } = createRequirementTester(server, admin);

const HEAD = "Email;Personnel number;Course;Completed on;Score;Certificate number";
const upload = (companyId: string, rows: string[], head = HEAD) =>
  importer.upload(companyId, [head, ...rows].join("\n"), "history.csv", "completions");

async function school() {
  const company = await make.company(admin);
  const course = await make.course(admin);
  const title = `Working at heights ${course.code}`;
  await db.updateTable("courses").set({ title }).where("id", "=", course.id).execute();
  const people = [];
  for (const name of ["Ada", "Bo"]) people.push(await make.learner(company.accessCode, name));
  const [ada, bo] = people as [Person, Person];
  return { company, course: { ...course, title }, ada, bo };
}
const enrolmentOf = async ({ user }: Person, courseId: string) =>
  bodyOf(await as(admin)(courses.enrolments, { query: { userId: user.id, courseId } })).items[0];
const rowCounts = async () => {
  const tables = [
    "enrolments",
    "attempts",
    "externalCompletions",
    "requirements",
    "certificates",
    "mails",
    "completionQueue",
  ];
  const counts = tables.map((table) => sql`(select count(*)::int from ${sql.table(table)}) as ${sql.ref(table)}`);
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db);
  return rows[0];
};

async function transcriptOf(person: Person) {
  const { id } = bodyOf(await as(person)(transcripts.issue, { body: { withScores: true, withTimes: false } }));
  return bodyOf(await as(person)(transcripts.get, { params: { id } }));
}

test("each fault of a row is named, and every other completion is added", async () => {
  const { company, course, ada, bo } = await school();
  const other = await make.learner((await make.company(admin)).accessCode);
  await db
    .insertInto("personnelNumbers")
    .values({ userId: bo.user.id, companyId: company.id, number: "B-1" })
    .execute();
  const rows = [
    `${ada.user.email};;${course.title};2024-03-29;91,5 %;TÜV 17`,
    `;b-1;${course.code};29. März 2023;;`,
    `nobody@x.example;;${course.title};2024-03-29;;`,
    `;C-9;${course.title};2024-03-29;;`,
    `${other.user.email};;${course.title};2024-03-29;;`,
    `${admin.user.email};;${course.title};2024-03-29;;`,
    `${ada.user.email};B-1;${course.title};2024-03-28;;`,
    `${ada.user.email};;Juggling;2024-03-29;;`,
    `${ada.user.email};;;2024-03-29;;`,
    `${ada.user.email};;${course.title};;;`,
    `${ada.user.email};;${course.title};03/04/2024;;`,
    `${ada.user.email};;${course.title};31.2.2024;;`,
    `${ada.user.email};;${course.title};2099-01-01;;`,
    `${ada.user.email};;${course.title};2024-01-01;101;`,
    `${ada.user.email};;${course.title};2024-01-03;0.95;`,
    `${ada.user.email.toUpperCase()};;${course.code.toLowerCase()};2024-02-01;;`,
    `${ada.user.email};;${course.code};2024-02-01;;`,
    ";;Juggling;2024-03-29;;",
    `;b-1;${course.title};2023-03-29;;`,
    `${ada.user.email};;${course.title};2024-01-02;;${"x".repeat(199)}😀`,
  ];
  const file = await upload(company.id, rows);
  expect(file).toMatchObject({
    state: "ready",
    about: "completions",
    mapping: ["email", "externalId", "course", "completedOn", "score", "reference"],
    counts: { create: 3, same: 0, rejected: 17 },
    leavers: 0,
  });
  const rejected = await importer.listRows(file.id, "rejected");
  expect(
    rejected.map(({ number, reasons }) => [number, ...reasons.map(({ field, code }) => `${field} ${code}`)]),
  ).toEqual([
    [4, "email unknownPerson"],
    [5, "externalId unknownPerson"],
    [6, "email otherCompany"],
    [7, "email isAdmin"],
    [8, "email differentPeople"],
    [9, "course unknownCourse"],
    [10, "course missing"],
    [11, "completedOn missing"],
    [12, "completedOn unclearDate"],
    [13, "completedOn notADate"],
    [14, "completedOn inFuture"],
    [15, "score notAScore"],
    [16, "score fraction"],
    [18, "null duplicate"],
    [19, "email missing", "course unknownCourse"],
    [20, "null duplicate"],
    [21, "reference tooLong"],
  ]);
  const { mapping } = file;
  const body = { mapping, dates: "monthFirst" as const, keepsUnknown: true };
  bodyOf(await as(admin)(imports.map, { params: { id: file.id }, body }));
  expect((await importer.waitFor(file.id)).counts).toMatchObject({ create: 5, rejected: 15 });
  const applied = await importer.apply(file.id);
  expect(applied).toMatchObject({ state: "applied", counts: { applied: 5 } });
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "completed", scorePercent: 91.5, progress: 100 });
  const again = await upload(company.id, rows);
  bodyOf(await as(admin)(imports.map, { params: { id: again.id }, body }));
  expect((await importer.waitFor(again.id)).counts).toMatchObject({ create: 0, same: 5, rejected: 15 });
});

test("the latest completion completes a course not started, others are history", async () => {
  const { company, course, ada, bo } = await school();
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [ada.user.id, bo.user.id] } });
  bodyOf(
    await as(admin)(completions.set, {
      params: { id: (await enrolmentOf(bo, course.id))?.id ?? "" },
      body: { reason: "Done on paper", attemptNo: 0, status: "assigned" },
    }),
  );
  const before = await enrolmentOf(bo, course.id);
  const file = await upload(company.id, [
    `${ada.user.email};;${course.title};2022-05-01;;A`,
    `${ada.user.email};;${course.title};2024-05-01;;B`,
    `${ada.user.email};;${course.title};2023-05-01;;`,
    `${bo.user.email};;${course.title};2021-05-01;70;`,
  ]);
  await importer.apply(file.id);
  expect((await enrolmentOf(ada, course.id))?.completedAt?.slice(0, 10)).toBe("2024-05-01");
  expect(await enrolmentOf(bo, course.id)).toEqual(before);
  const { facts, states } = await transcriptOf(ada);
  const { items } = bodyOf(await as(ada)(transcripts.list, { query: {} }));
  const params = { id: items[0]?.id ?? "" };
  expect(facts.entries.map(({ completedOn, elsewhere, certificate }) => [completedOn, elsewhere, certificate])).toEqual(
    [
      ["2024-05-01", "B", null],
      ["2023-05-01", "", null],
      ["2022-05-01", "A", null],
    ],
  );
  expect([facts.total, states]).toEqual([3, ["same", "same", "same"]]);
  await importer.undo(file.id);
  expect(bodyOf(await as(ada)(transcripts.get, { params })).states).toEqual(["gone", "gone", "gone"]);
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "assigned", completedAt: null, progress: null });
});

test("nothing follows from an import, and undoing it leaves every table as before", async () => {
  const { company, course, ada, bo } = await school();
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [ada.user.id] } });
  await demand(company.id, course.id, { months: 24 });
  await follow();
  await switchOn(admin, course.id);
  const before = await rowCounts();
  const today = new Date().toISOString().slice(0, 4);
  const file = await upload(company.id, [
    `${ada.user.email};;${course.title};${Number(today) - 1}-12-01;;`,
    `${bo.user.email};;${course.title};${Number(today) - 1}-12-02;;`,
    `${bo.user.email};;${course.title};2015-12-02;;`,
  ]);
  await importer.apply(file.id);
  await follow();
  const applied = await rowCounts();
  const params = { courseId: course.id };
  expect(bodyOf(await as(admin)(certificates.issueMissing, { params }))).toEqual({ missing: 0 });
  expect(applied).toMatchObject({ externalCompletions: (before?.externalCompletions ?? 0) + 3 });
  expect([applied?.mails, applied?.certificates, applied?.completionQueue]).toEqual([
    before?.mails,
    before?.certificates,
    before?.completionQueue,
  ]);
  const { items } = bodyOf(await as(admin)(requirements.people, { params: { id: company.id }, query: {} }));
  expect(items.map(({ cells }) => cells[0]).map((cell) => [cell?.state, cell?.validUntil])).toEqual([
    ["valid", `${Number(today) + 1}-12-01`],
    ["valid", `${Number(today) + 1}-12-02`],
  ]);
  const terms = { ...yearly, months: 24 };
  const previewed = bodyOf(
    await as(admin)(requirements.preview, {
      params: { id: company.id },
      body: { courseId: course.id, terms },
    }),
  );
  expect(previewed.counts).toMatchObject({ valid: 2, missing: 0 });
  const undone = await importer.undo(file.id);
  expect(undone).toMatchObject({ state: "undone", stayed: 0 });
  await follow();
  expect(await rowCounts()).toEqual(before);
});

test("what has expired elsewhere opens again, and undoing the import takes that back", async () => {
  const { company, course, ada } = await school();
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [ada.user.id] } });
  await demand(company.id, course.id, { months: 12 });
  await follow();
  const file = await upload(company.id, [`${ada.user.email};;${course.title};2020-01-10;;`]);
  await importer.apply(file.id);
  await follow();
  const cell = async () =>
    bodyOf(await as(admin)(requirements.people, { params: { id: company.id }, query: {} })).items[0]?.cells[0];
  expect(await cell()).toMatchObject({ state: "expired", completedOn: "2020-01-10", validUntil: "2021-01-10" });
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "assigned" });
  expect(await importer.undo(file.id)).toMatchObject({ state: "undone", stayed: 0 });
  expect(await cell()).toMatchObject({ state: "missing", completedOn: null, validUntil: null });
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "assigned", completedAt: null });
});

test("what happened to a course since the import stays, and is listed", async () => {
  const { company, course, ada, bo } = await school();
  const file = await upload(company.id, [
    `${ada.user.email};;${course.title};2024-05-01;;`,
    `${bo.user.email};;${course.title};2024-05-01;;`,
  ]);
  await importer.apply(file.id);
  await make.launch(ada, company.id, course.id);
  const { id = "" } = (await enrolmentOf(bo, course.id)) ?? {};
  const found = bodyOf(await as(admin)(completions.get, { params: { id } }));
  expect(found).toMatchObject({ completedBy: "Completed elsewhere", isSetByAdmin: false, attemptNo: 1 });
  const body = { reason: "Another person of this name", attemptNo: 1, status: "completed" as const };
  bodyOf(await as(admin)(completions.reopen, { params: { id }, body }));
  expect(await importer.undo(file.id)).toMatchObject({ state: "undone", stayed: 2 });
  const { items } = bodyOf(await as(admin)(imports.stayed, { params: { id: file.id }, query: {} }));
  expect(items.map(({ name, why }) => [name, why])).toEqual([
    ["Ada", "acted"],
    ["Bo", "changed"],
  ]);
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "completed" });
});

test("another completion rule, and its recount, leave a completion from elsewhere", async () => {
  const { company, course, ada } = await school();
  const file = await upload(company.id, [`${ada.user.email};;${course.title};2024-05-01;;`]);
  await importer.apply(file.id);
  const { id } = await tryRule(admin, course.id, timeAndScore);
  const read = async () => bodyOf(await as(admin)(completionRules.get, { params: { id } }));
  await expect.poll(read).toMatchObject({ state: "counted", total: 1, completeBefore: 1, ends: 0 });
});

test("a reopening that is undone leaves the completion from elsewhere as it was", async () => {
  const { company, course, ada } = await school();
  await switchOn(admin, course.id);
  const file = await upload(company.id, [`${ada.user.email};;${course.title};2024-05-01;;Card 7`]);
  await importer.apply(file.id);
  const { id = "" } = (await enrolmentOf(ada, course.id)) ?? {};
  const body = { reason: "A mistake", attemptNo: 1, status: "completed" as const };
  const { decisions } = bodyOf(await as(admin)(completions.reopen, { params: { id }, body }));
  bodyOf(await as(admin)(completions.undo, { params: { id: decisions[0]?.id ?? "" } }));
  const { facts } = await transcriptOf(ada);
  expect(facts.entries).toMatchObject([{ completedOn: "2024-05-01", elsewhere: "Card 7", certificate: null }]);
});

test("a day from elsewhere stays, whichever zone the company moves to", async () => {
  const { company, course, ada } = await school();
  const move = (timezone: string) =>
    db.updateTable("companies").set({ timezone }).where("id", "=", company.id).execute();
  await move("Pacific/Auckland");
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [ada.user.id] } });
  await demand(company.id, course.id, { months: 24 });
  const rows = [`${ada.user.email};;${course.title};2026-05-01;;`];
  await importer.apply((await upload(company.id, rows)).id);
  await move("America/Los_Angeles");
  expect((await upload(company.id, rows)).counts).toMatchObject({ create: 0, same: 1 });
  const { facts } = await transcriptOf(ada);
  expect(facts.entries.map(({ completedOn }) => completedOn)).toEqual(["2026-05-01"]);
});

test("a title that was kept is known once the course is here", async () => {
  const { company, course, ada } = await school();
  const rows = [`${ada.user.email};;${course.title};2024-05-01;;`];
  const rename = (title: string) => db.updateTable("courses").set({ title }).where("id", "=", course.id).execute();
  await rename("Another title");
  const file = await upload(company.id, rows);
  bodyOf(
    await as(admin)(imports.map, { params: { id: file.id }, body: { mapping: file.mapping, keepsUnknown: true } }),
  );
  await importer.waitFor(file.id);
  await importer.apply(file.id);
  await rename(course.title);
  expect((await upload(company.id, rows)).counts).toMatchObject({ create: 0, same: 1 });
});

test("an import and launches at the same time wait for each other", async () => {
  const { company, course, ada } = await school();
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [ada.user.id] } });
  const days = Array.from({ length: 28 }, (_, n) => `2024-02-${String(n + 1).padStart(2, "0")}`);
  const file = await upload(
    company.id,
    days.map((day) => `${ada.user.email};;${course.title};${day};;`),
  );
  const launches = async () => {
    for (let n = 0; n < 8; n++) await make.launch(ada, company.id, course.id, { takeOver: true });
  };
  const [applied] = await Promise.all([importer.apply(file.id), launches()]);
  expect(applied).toMatchObject({ state: "applied", code: null, counts: { applied: days.length } });
});
