import { afterAll, expect, test } from "vitest";
import { scaled } from "#test/long.ts";
import { faults, HEAD, peopleFile, personOf, toCsv } from "#test/peopleFile.ts";
import { createImporter } from "#test/importClient.ts";
import { start } from "#test/start.ts";
import { bodyOf } from "#test/probes.ts";
import { imports } from "#shared/imports/imports.ts";
import { learners } from "#shared/learners/learners.ts";
import { courses } from "#shared/courses/courses.ts";

// Imports of people: exactly what is wrong is named, everything else is created, and all of it can be undone

const server = await start();
const { as, make, db, pool } = { ...server, pool: server.services.pool };
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
const admin = await make.admin();
const importer = createImporter(server, admin);
const people = async (companyId: string) => (await as(admin)(learners.list, { query: { companyId, size: 200 } })).body;

test("names exactly the planted faults, and creates everybody else", { timeout: 300_000 }, async () => {
  const count = scaled(1000, 10_000);
  const company = await make.company(admin);
  const course = await make.course(admin);
  await as(admin)(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id] } });
  const { rows, planted } = peopleFile(count, 137);
  expect(faults.length).toBeGreaterThan(25);
  expect(new Set(planted.values().map((why) => `${why.field} ${why.code}`)).size).toBeGreaterThan(20);
  const file = await importer.upload(company.id, toCsv(rows));
  expect(file).toMatchObject({
    state: "ready",
    delimiter: ";",
    encoding: "UTF-8",
    head: HEAD,
    mapping: ["externalId", "email", "name", "status", null],
    counts: { create: count - planted.size, update: 0, same: 0, rejected: planted.size },
  });
  const rejected = await importer.listRows(file.id, "rejected");
  expect(new Map(rejected.map((row) => [row.number, row.reasons.map(({ row: _, ...why }) => why)]))).toEqual(
    new Map([...planted].toSorted(([a], [b]) => a - b).map(([row, why]) => [row, [why]])),
  );
  const applied = await importer.apply(file.id, { invites: true });
  expect(applied).toMatchObject({ state: "applied", counts: { applied: count - planted.size } });
  expect((await people(company.id)).total).toBe(count - planted.size);
  const good = rows.filter((_, n) => !planted.has(n + 2)).map(([number, email, name]) => ({ number, email, name }));
  const stored = await db
    .selectFrom("users")
    .innerJoin("personnelNumbers", "personnelNumbers.userId", "users.id")
    .where("users.companyId", "=", company.id)
    .orderBy("number")
    .select(["number", "email", "name"])
    .execute();
  expect(stored).toEqual(good);
  const { rows: made } = await pool.query(
    `select
      (select count(*)::int from enrolments where company_id = $1) as enrolled,
      (select count(*)::int from mails where company_id = $1 and reason = 'learners.invitation') as invited`,
    [company.id],
  );
  expect(made).toEqual([{ enrolled: good.length, invited: good.length }]);

  const again = await importer.upload(company.id, toCsv(rows));
  expect(again.counts).toMatchObject({ create: 0, update: 0, same: good.length, rejected: planted.size });
});

test("the rejected rows are a file that is corrected and sent again", async () => {
  const company = await make.company(admin);
  const bad = personOf(1).with(1, "kari@norrvik");
  const formula = personOf(2, "formula.example").with(2, "=1+1");
  const file = await importer.upload(company.id, toCsv([personOf(0, "formula.example"), bad, formula]));
  await importer.apply(file.id);
  const reply = await server.app.inject({
    url: `/api/imports/${file.id}/rejected`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(reply.body.split("\r\n")).toEqual([
    "\ufeffPersonalnummer,E-Mail-Adresse,Name,Status,Kantine,Row in the file,Reason",
    "P000001,kari@norrvik,Zoë Castaño 1,aktiv,ja,3,Email: Has no ending such as .com.",
    "P000002,person2@formula.example,'=1+1,aktiv,ja,4,Full name: Is a formula.",
    "",
  ]);
  const corrected = reply.body.replace("kari@norrvik", "kari@norrvik.example");
  const second = await importer.upload(company.id, corrected);
  expect(second.counts).toMatchObject({ create: 1, rejected: 1 });
  expect((await importer.listRows(second.id, "rejected"))[0]?.reasons).toEqual([{ field: "name", code: "formula" }]);
});

test("a corrected cell is checked at once, with the other rows about the person", async () => {
  const company = await make.company(admin);
  const twin = personOf(1).with(1, "person0@example.net");
  const rows = [personOf(0).with(1, "person0@example.net"), twin, personOf(2, "example.net").with(2, "")];
  const file = await importer.upload(company.id, toCsv(rows));
  const correct = async (number: number, body: object) =>
    bodyOf(await as(admin)(imports.correct, { params: { id: file.id, number: number as never }, body }));
  expect((await importer.listRows(file.id)).map(({ outcome, reasons }) => [outcome, reasons])).toEqual([
    ["create", []],
    ["rejected", [{ field: "email", code: "duplicate", row: 2 }]],
    ["rejected", [{ field: "name", code: "missing" }]],
  ]);
  expect(await correct(4, { cells: { 2: "Grace Hopper" } })).toMatchObject({ outcome: "create", reasons: [] });
  expect(await correct(2, { leftOut: true })).toMatchObject({ outcome: "leftOut" });
  expect((await importer.listRows(file.id)).map(({ outcome }) => outcome)).toEqual(["leftOut", "create", "create"]);
  expect(await correct(2, { leftOut: false })).toMatchObject({ outcome: "create" });
  expect(await correct(3, { cells: { 1: "person1@example.net" } })).toMatchObject({ outcome: "create" });
  expect((await importer.get(file.id)).counts).toMatchObject({ create: 3, rejected: 0 });
});

test("names faults that only others show: companies, admins, numbers, seats", async () => {
  const company = await make.company(admin, { learnerLimit: 4 });
  const elsewhere = await make.learner((await make.company(admin)).accessCode);
  const first = await importer.upload(company.id, toCsv([personOf(10).with(1, "ten@x.example")]));
  await importer.apply(first.id);
  const rows = [
    personOf(11).with(1, elsewhere.user.email),
    personOf(12).with(1, admin.user.email),
    personOf(13).with(1, "ten@x.example"),
    ...[14, 15, 16, 17].map((n) => personOf(n).with(1, `${n}@x.example`)),
  ];
  const file = await importer.upload(company.id, toCsv(rows));
  const named = async () =>
    (await importer.listRows(file.id, "rejected")).map(({ number, reasons }) => [number, reasons]);
  expect(await named()).toEqual([
    [2, [{ field: "email", code: "otherCompany" }]],
    [3, [{ field: "email", code: "isAdmin" }]],
    [4, [{ field: "email", code: "taken" }]],
    [8, [{ field: null, code: "full" }]],
  ]);
  await as(admin)(imports.correct, { params: { id: file.id, number: 5 as never }, body: { leftOut: true } });
  expect((await named()).map(([number]) => number)).toEqual([2, 3, 4]);
});

test("changes people by number or email, and a second time nothing", async () => {
  const company = await make.company(admin);
  const lea = await make.learner(company.accessCode, "Lea Old");
  const first = await importer.upload(company.id, toCsv([personOf(20).with(1, "twenty@x.example")]));
  await importer.apply(first.id);
  const rows = [
    ["P000020", "new.address@x.example", "New Name", "", ""],
    ["L1", lea.user.email.toUpperCase(), "Lea New", "inaktiv", ""],
  ];
  const file = await importer.upload(company.id, toCsv(rows));
  expect(file).toMatchObject({ counts: { create: 0, update: 2, suspend: 1 }, leavers: 0, members: 2 });
  expect(await importer.order(file.id, { invites: false })).toMatchObject({
    status: 409,
    code: "imports.confirmNumber",
  });
  await importer.apply(file.id, { confirm: 1 });
  expect((await people(company.id)).items.map(({ name, email, status }) => [name, email, status])).toEqual([
    ["Lea New", lea.user.email, "suspended"],
    ["New Name", "new.address@x.example", "invited"],
  ]);
  expect((await as(lea)(learners.get, { params: { id: lea.user.id } })).status).toBe(401);
  const again = await importer.upload(company.id, toCsv(rows));
  expect(again.counts).toMatchObject({ create: 0, update: 0, same: 2, rejected: 0 });
});

test("asks about leavers, and takes the number for more than 5 %", async () => {
  const company = await make.company(admin);
  const all = Array.from({ length: 40 }, (_, n) => personOf(n).with(1, `leaver${n}@x.example`));
  await importer.apply((await importer.upload(company.id, toCsv(all))).id);
  // Rows 0 to 2 are missing. Row 3 has a typing error, which must not make its person a leaver.
  const rows = all.slice(3).map((row, n) => (n === 0 ? row.with(0, "").with(1, "leaver3@x") : row));
  const file = await importer.upload(company.id, toCsv(rows));
  expect(file).toMatchObject({ leavers: 3, members: 40 });
  const { items } = bodyOf(await as(admin)(imports.leavers, { params: { id: file.id } }));
  expect(items.map(({ email }) => email).toSorted()).toEqual([
    "leaver0@x.example",
    "leaver1@x.example",
    "leaver2@x.example",
  ]);
  expect(await importer.order(file.id, { invites: false })).toMatchObject({ status: 422 });
  const suspend = { invites: false, leavers: "suspend" as const };
  expect(await importer.order(file.id, suspend)).toMatchObject({ status: 409, code: "imports.confirmNumber" });
  expect(await importer.order(file.id, { ...suspend, confirm: 2 })).toMatchObject({ status: 409 });
  const keepIds = items.slice(0, 1).map(({ id }) => id);
  expect((await importer.apply(file.id, { leavers: "suspend", keepIds })).state).toBe("applied");
  const { items: now } = bodyOf(
    await as(admin)(learners.list, { query: { companyId: company.id, status: "suspended" } }),
  );
  expect(now.map(({ email }) => email).toSorted()).toEqual(
    items
      .slice(1)
      .map(({ email }) => email)
      .toSorted(),
  );
});

test("columns that are chosen are remembered for the company", async () => {
  const company = await make.company(admin);
  const text = "adr,wer,nr\nkai@x.example,Kai Kurz,7";
  const file = await importer.upload(company.id, text);
  expect(file).toMatchObject({ mapping: ["email", null, null], unmapped: ["name"], delimiter: "," });
  expect(await importer.order(file.id, { invites: false })).toMatchObject({ status: 409, code: "imports.unmapped" });
  const map = (mapping: ("email" | "name" | "externalId" | null)[]) =>
    as(admin)(imports.map, { params: { id: file.id }, body: { mapping, existing: "update" } });
  expect((await map(["email", "email", null])).status).toBe(422);
  expect((await map(["email"])).status).toBe(422);
  expect((await map(["email", "name", "externalId"])).status).toBe(200);
  expect((await importer.waitFor(file.id)).counts.create).toBe(1);
  expect((await importer.upload(company.id, text)).mapping).toEqual(["email", "name", "externalId"]);
  expect((await importer.upload((await make.company(admin)).id, text)).mapping).toEqual(["email", null, null]);
});
