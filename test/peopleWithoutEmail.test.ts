import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { addLeader } from "#test/leaders.ts";
import { createCrawler } from "#test/crawl.ts";
import { addNumbered, allowPins, signInNumbered } from "#test/numbered.ts";
import { listOperations } from "#test/operations.ts";
import { fillCompany } from "#test/probes.ts";
import { start } from "#test/start.ts";

// A learner of whom every domain has rows loses the address. Then an admin, a manager and the learner read everything.

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { app, as, db, make } = server;
const origin = await app.listen({ host: "127.0.0.1", port: 0 });
afterAll(() => app.server.closeAllConnections());
const operations = listOperations((await app.inject("/api/openapi.json")).json());
const { crawl } = createCrawler(origin, operations);

const room = await fillCompany(server);
const { admin, learner } = room;
const company = await allowPins(server, admin, room.company);
const leader = await addLeader(server, { manager: admin, company });
const id = learner.user.id;
const number = "P-4711";
await as(admin)(learners.setManager, { body: { ids: [id], managerId: leader.user.id } });
await db
  .insertInto("personnelNumbers")
  .values({ userId: id, companyId: company.id, number })
  .onConflict((conflict) => conflict.column("userId").doUpdateSet({ number }))
  .execute();
await db.updateTable("users").set({ email: null, emailVerified: false }).where("id", "=", id).execute();
// Nor does the directory of the company know one.
await db.updateTable("provisionedPeople").set({ email: null }).where("userId", "=", id).execute();

/** Objects that say whose they are, with the address that they show. */
function* addressesIn(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) for (const one of value) yield* addressesIn(one);
  else if (value && typeof value === "object") {
    const { id: own, userId, personId, deputyId, email } = value as Record<string, unknown>;
    if (email !== undefined && [own, userId, personId, deputyId].includes(id)) yield email;
    for (const one of Object.values(value)) yield* addressesIn(one);
  }
}

test("everything can be read of a person without an address, and nothing shows one", { timeout: 600_000 }, async () => {
  const shown: unknown[] = [];
  const nulls: string[] = [];
  let withNumber = 0;
  const found = await crawl([admin, leader, learner], (url, text) => {
    if (text.includes(number)) withNumber++;
    const isJson = /^[[{]/.test(text);
    if (isJson) for (const email of addressesIn(JSON.parse(text))) if (email !== null) shown.push([url, email]);
    // A missing value that was printed as a word: a whole text of JSON, or a whole cell of a file.
    const printed = isJson ? /"(null|undefined)"(?!:)/ : /[,;](null|undefined)(?=[,;\r\n])/;
    if (printed.test(text)) nulls.push(url);
  });
  expect(found.wrong).toEqual([]);
  expect(shown).toEqual([]);
  expect(nulls).toEqual([]);
  expect(withNumber).toBeGreaterThan(10);
});

test("no email is queued to nobody", async () => {
  const worker = await addNumbered(server, admin, company, "W-1", "Wim Wagon");
  const alone = await addNumbered(server, admin, company, "W-2", "Alia Alone");
  await as(admin)(learners.setManager, { body: { ids: [worker.id], managerId: leader.user.id } });
  const course = await make.course(admin);
  const dueDate = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const people = { companyIds: [], userIds: [worker.id, alone.id, leader.user.id], dueDate };
  const assigned = await as(admin)(courses.assign, { params: { id: course.id }, body: { ...people, notify: true } });
  expect(assigned.status).toBe(200);
  const ids = [worker.id, alone.id];
  const preview = await as(admin)(learners.remindPreview, { body: { ids, courseId: course.id } });
  expect(preview.body.items.map(({ name, email, personnelNumber }) => [name, email, personnelNumber])).toEqual([
    ["Wim Wagon", null, "W-1"],
  ]);
  expect(preview.body.leftOut.items.map(({ name, reason }) => [name, reason])).toEqual([["Alia Alone", "unreachable"]]);
  expect((await as(admin)(learners.remind, { body: { ids, courseId: course.id } })).body.changed).toBe(1);
  const resent = await as(admin)(learners.resend, { body: { ids } });
  expect(resent.body.changed).toBe(0);
  const jobs = await server.runJobs();
  const mails = () =>
    db
      .selectFrom("mails")
      .where("reason", "in", ["courses.reminded", "courses.assigned"])
      .where("body", "like", "%Wim Wagon (W-1)%")
      .select(["recipient", "userId", "subject"])
      .orderBy("subject")
      .execute();
  await expect.poll(async () => (await mails()).length, { timeout: 30_000 }).toBe(2);
  expect(await mails()).toEqual([
    { recipient: leader.user.email, userId: leader.user.id, subject: "New courses of people you lead" },
    { recipient: leader.user.email, userId: leader.user.id, subject: expect.stringContaining("Overdue in your team") },
  ]);
  // In whatever order their ids are, the manager who learns is told of their own course as well.
  const own = await db
    .selectFrom("mails")
    .where("reason", "=", "courses.assigned")
    .where("userId", "=", leader.user.id)
    .where("body", "not like", "%(W-1)%")
    .select("subject")
    .execute();
  expect(own).toEqual([{ subject: "New course: Test course" }]);
  const { rows } = await sql`select id from mails where recipient !~ '^[^@ ]+@[^@ ]+$' or body ~ 'Alia Alone'`.execute(
    db,
  );
  expect(rows).toEqual([]);
  await jobs.stop();
});

test("a person without an address reads, exports and erases their own data", async () => {
  const person = await addNumbered(server, admin, company, "E-1", "Edda Erased");
  const other = await addNumbered(server, admin, company, "E-2");
  const session = await signInNumbered(server, person);
  const kept = await signInNumbered(server, other);
  await db
    .insertInto("authVerifications")
    .values({
      id: randomUUID(),
      identifier: "of somebody else",
      value: "a",
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      createdAt: new Date().toISOString(),
      updatedAt: new Date().toISOString(),
    })
    .execute();
  const copy = await app.inject({
    method: "GET",
    url: privacy.export.path,
    headers: { authorization: `Bearer ${session.token}` },
  });
  expect(copy.statusCode).toBe(200);
  const text = copy.body;
  expect(text).toContain("E-1");
  expect(text).not.toContain("pinHash");
  const erased = await as(session)(privacy.erase, { body: {} as never });
  expect([erased.status, erased.code]).toEqual([200, undefined]);
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from auth_pins where user_id = ${person.id}`.execute(db);
  expect(rows[0]?.n).toBe(0);
  expect((await as(kept)(auth.me)).status).toBe(200);
  const left = await db
    .selectFrom("authVerifications")
    .where("identifier", "=", "of somebody else")
    .select("id")
    .execute();
  expect(left).toHaveLength(1);
});

test("people without an address keep the number in another company", async () => {
  const [person, twin] = [
    await addNumbered(server, admin, company, "M-1"),
    await addNumbered(server, admin, company, "M-2"),
  ];
  const target = await allowPins(server, admin, await make.company(admin));
  await addNumbered(server, admin, target, "m-2");
  const move = (moved: string) => as(admin)(learners.move, { body: { ids: [moved], companyId: target.id } });
  expect((await move(twin.id)).code).toBe("learners.numberTaken");
  expect((await move(person.id)).body.changed).toBe(1);
  const { user } = await signInNumbered(server, { ...person, company: target.slug });
  expect(user).toMatchObject({ companyId: target.id, personnelNumber: "M-1" });
});
