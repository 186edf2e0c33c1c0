import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { certificates } from "#shared/certificates/certificates.ts";
import { completions } from "#shared/completions/completions.ts";
import { courses } from "#shared/courses/courses.ts";
import { imports } from "#shared/imports/imports.ts";
import { requirements } from "#shared/requirements/requirements.ts";
import { transcripts } from "#shared/transcripts/transcripts.ts";
import { createCertifier } from "#test/certificates.ts";
import { createHistoryImporter } from "#test/pastCompletions.ts";
import { bodyOf } from "#test/probes.ts";
import { createRequirementTester, yearly } from "#test/requirements.ts";
import { start } from "#test/start.ts";

// Past completions from a file: they complete courses or are history, and all of it can be undone

const server = await start();
const { as, make, db } = server;
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
const admin = await make.admin();
const { importer, upload, school, enrolmentOf, transcriptOf } = createHistoryImporter(server, admin);
const { switchOn } = createCertifier(server);
const { demand, work: follow } = createRequirementTester(server, admin);

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
  expect(facts.entries.map(({ activeSeconds }) => activeSeconds)).toEqual([null, null, null]);
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
