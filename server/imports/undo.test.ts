import { afterAll, expect, test } from "vitest";
import { createImporter } from "#test/importClient.ts";
import { scaled } from "#test/long.ts";
import { personOf, toCsv } from "#test/peopleFile.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { imports } from "#shared/imports/imports.ts";
import { learners } from "#shared/learners/learners.ts";
import { PASSWORD } from "#test/password.ts";

// Undoing an import: every table as before, except the audit log, history and the outbox

const server = await start();
const { as, make, db, services } = server;
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
const admin = await make.admin();
const importer = createImporter(server, admin);

/** Tables that record what happened, or hold the import itself. */
const TELLING = /^(audit_entries|mails|migrations|people_import.*|.*_history|enrolment_activity|throttles)$/;

/** All rows of all other tables, sorted by their text. */
async function dump() {
  const { rows: tables } = await services.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const contents: Record<string, string[]> = {};
  for (const { name } of tables) {
    if (TELLING.test(name)) continue;
    const { rows } = await services.pool.query<{ row: string }>(`select t::text as row from ${name} t order by 1`);
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}

test("every table is as before, whatever the import did", { timeout: 300_000 }, async () => {
  const count = scaled(300, 10_000);
  const company = await make.company(admin);
  const course = await make.course(admin);
  await as(admin)(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id] } });
  const members = Array.from({ length: 60 }, (_, n) => personOf(n, "before.example"));
  await importer.apply((await importer.upload(company.id, toCsv(members))).id, { invites: true });
  const worker = await make.learner(company.accessCode, "Wera Worker");
  const rows = [
    ...members.slice(0, 20),
    ...members.slice(20, 30).map((row) => row.with(2, `${row[2]} Renamed`)),
    ...members.slice(30, 40).map((row) => row.with(1, (row[1] ?? "").replace("before", "after"))),
    ...members.slice(40, 45).map((row) => row.with(3, "inaktiv")),
    ["W1", worker.user.email, "Wera Newname", "", ""],
    ...Array.from({ length: count }, (_, n) => personOf(n + 1000, "new.example")),
  ];
  const file = await importer.upload(company.id, toCsv(rows));
  expect(file).toMatchObject({ counts: { create: count, update: 26, same: 20, rejected: 0 }, leavers: 15 });
  const before = await dump();
  const applied = await importer.apply(file.id, { invites: true, leavers: "suspend", confirm: 20 });
  expect(applied).toMatchObject({ state: "applied", canUndo: true, counts: { applied: count + 26 } });
  expect((await dump()).users).not.toEqual(before.users);
  const undone = await importer.undo(file.id);
  expect(undone).toMatchObject({ state: "undone", stayed: 0, canUndo: false });
  expect(await dump()).toEqual(before);
  expect((await as(admin)(imports.undo, { params: { id: file.id } })).code).toBe("imports.cannotUndo");
});

test("who has acted or was changed since stays, and is named", async () => {
  const company = await make.company(admin);
  const old = personOf(1, "old.example");
  await importer.apply((await importer.upload(company.id, toCsv([old]))).id);
  const rows = [old.with(2, "Renamed"), ...[2, 3, 4].map((n) => personOf(n, "stays.example"))];
  const file = await importer.upload(company.id, toCsv(rows));
  await importer.apply(file.id, { invites: true });
  const { body } = await db
    .selectFrom("mails")
    .where("recipient", "=", "person2@stays.example")
    .select("body")
    .executeTakeFirstOrThrow();
  const token = /invitation=([\w-]+)/.exec(body)?.[1] as string;
  expect(
    (await as(null)(auth.acceptInvitation, { params: { token }, body: { name: "Ada", password: PASSWORD } })).status,
  ).toBe(200);
  const found = bodyOf(await as(admin)(learners.list, { query: { companyId: company.id } })).items;
  const idOf = (email: string) => found.find((person) => person.email === email)?.id as string;
  for (const email of ["person3@stays.example", old[1] as string]) {
    const { version } = bodyOf(await as(admin)(learners.get, { params: { id: idOf(email) } }));
    await as(admin)(learners.update, { params: { id: idOf(email) }, body: { name: "By hand", version } });
  }
  expect((await importer.undo(file.id)).stayed).toBe(3);
  const { items } = bodyOf(await as(admin)(imports.stayed, { params: { id: file.id } }));
  expect(items.map(({ email, why }) => [email, why]).toSorted()).toEqual([
    ["person1@old.example", "changed"],
    ["person2@stays.example", "acted"],
    ["person3@stays.example", "changed"],
  ]);
  const left = bodyOf(await as(admin)(learners.list, { query: { companyId: company.id } })).items;
  expect(left.map(({ email }) => email).toSorted()).toEqual(items.map(({ email }) => email).toSorted());
});

test("nothing is undone after a day", async () => {
  const company = await make.company(admin);
  const file = await importer.upload(company.id, toCsv([personOf(1, "late.example")]));
  await importer.apply(file.id);
  const aDayAgo = new Date(Date.now() - 86_400_000 - 1000).toISOString();
  await db.updateTable("peopleImports").set({ appliedAt: aDayAgo }).where("id", "=", file.id).execute();
  expect((await importer.get(file.id)).canUndo).toBe(false);
  expect((await as(admin)(imports.undo, { params: { id: file.id } })).code).toBe("imports.cannotUndo");
});
