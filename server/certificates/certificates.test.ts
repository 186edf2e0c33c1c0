import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { issueForCompletion } from "#server/certificates/issuing/courseCertificates.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { createCertifier, sampleDesign } from "#test/certificates.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import { scaled } from "#test/long.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";

// Certificates: one for each completion, in its transaction, with the facts of that moment

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const { school, complete, newest, holder, switchOn } = createCertifier(server);
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
/** Passwords that are hashed at the same time. */
const AT_ONCE = 8;

const rowsOf = (courseId: string) =>
  db.selectFrom("certificates").where("courseId", "=", courseId).selectAll().orderBy("issuedAt").execute();

test("learners who complete at the same time get one certificate each", { timeout: 300_000 }, async () => {
  const { admin, course, company } = await school();
  const people: Person[] = [];
  for (let n = 0; n < scaled(80, 1000); n += AT_ONCE)
    people.push(
      ...(await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) => make.learner(company.accessCode, `Learner ${n + i}`)),
      )),
    );
  const sessions = await Promise.all(people.map((one) => make.launch(one, company.id, course.id)));
  const commit = (session: (typeof sessions)[number]) =>
    committer(as)(session, {
      events: [...openPart(), setValue(3, "cmi.core.lesson_status", "completed")],
      activeMs: 60_000,
    });
  // Twice, as a browser sends it that has not got the receipt.
  await Promise.all([...sessions, ...sessions].map(commit));
  const issued = await rowsOf(course.id);
  expect(issued.length).toBe(people.length);
  expect(new Set(issued.map(({ personId }) => personId)).size).toBe(people.length);
  expect(new Set(issued.map(({ number }) => number)).size).toBe(people.length);
  for (const { number } of issued) expect(number).toMatch(/^NE-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  const unsealed = async () => (await rowsOf(course.id)).filter(({ position }) => position === null).length;
  await expect.poll(unsealed, { timeout: 30_000 }).toBe(0);
  expect((await rowsOf(course.id)).map(({ position }) => Number(position)).toSorted((a, b) => a - b)).toEqual(
    people.map((_, n) => n),
  );
  expect((await as(admin)(certificates.list, { query: { courseId: course.id } })).body.total).toBe(people.length);
});

test("facts stay as they were issued, in the days of the company", async () => {
  const { admin, course, company } = await school({ timezone: "Pacific/Kiritimati" }, { months: 6 });
  const { person, certificate } = await holder({ admin, course, company } as never, "Lea Holm");
  const day = (offset: number) =>
    new Intl.DateTimeFormat("sv-SE", { timeZone: "Pacific/Kiritimati" }).format(Date.now() + offset);
  expect(certificate).toMatchObject({
    name: "Lea Holm",
    course: "Test course",
    courseVersion: 1,
    completedOn: day(0),
    issuedOn: day(0),
    scorePercent: 90,
    minutes: null,
    state: "valid",
  });
  const before = await rowsOf(course.id);
  await as(admin)(courses.update, { params: { id: course.id }, body: { title: "Renamed", version: course.version } });
  await as(admin)(companies.update, { params: { id: company.id }, body: { name: "Nordic", version: company.version } });
  await as(admin)(certificates.saveDesign, {
    params: { courseId: course.id },
    body: { enabled: true, version: 1, content: { ...sampleDesign, title: "Diploma", months: null } },
  });
  expect(await rowsOf(course.id)).toEqual(before);
  expect(await newest(person)).toMatchObject({ course: "Test course", company: "Norrvik Energi" });
  await expect(sql`update certificates set facts = '{}' where id = ${certificate.id}`.execute(db)).rejects.toThrow();
  await expect(sql`delete from certificates where id = ${certificate.id}`.execute(db)).rejects.toThrow();
  // Another attempt is another completion, with a certificate of its own.
  await complete({ company, course } as never, person, true);
  expect(
    (await as(person)(certificates.mine)).body.items.map(({ title, validUntil }) => [title, validUntil !== null]),
  ).toEqual([
    ["Diploma", false],
    ["Certificate of completion", true],
  ]);
});

test("a completion whose transaction could not issue gets its certificate after it", async () => {
  const { course, company } = await school();
  const person = await make.learner(company.accessCode);
  await sql`alter table certificates rename to hidden_certificates`.execute(db);
  const { reply } = await complete({ company, course } as never, person);
  await sql`alter table hidden_certificates rename to certificates`.execute(db);
  expect([reply.status, reply.body.attempt.completion]).toEqual([200, "complete"]);
  await db
    .updateTable("completionQueue")
    .set({ dueAt: sql<string>`now()` })
    .execute();
  server.following.reactions.request();
  await expect
    .poll(async () => (await rowsOf(course.id)).map(({ position }) => position !== null), { timeout: 20_000 })
    .toEqual([true]);
});

test("earlier completions get certificates with their own day, never twice", async () => {
  const admin = await make.admin();
  const course = await make.course(admin);
  const company = await make.company(admin);
  await as(admin)(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id] } });
  const person = await make.learner(company.accessCode);
  await complete({ company, course } as never, person);
  expect(await rowsOf(course.id)).toEqual([]);
  await inTransaction(db, async (tx) => {
    await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
    await sql`update completion_history set happened_at = '2025-02-28T12:00Z' where course_id = ${course.id}`.execute(
      tx,
    );
  });
  const missing = { params: { courseId: course.id } };
  expect((await as(admin)(certificates.issueMissing, missing)).code).toBe("certificates.off");
  expect(await switchOn(admin, course.id)).toMatchObject({ issued: 0, missing: 1 });
  expect((await as(admin)(certificates.issueMissing, missing)).body).toEqual({ missing: 1 });
  await expect.poll(async () => (await rowsOf(course.id)).length, { timeout: 20_000 }).toBe(1);
  expect(await newest(person)).toMatchObject({ completedOn: "2025-02-28", validUntil: "2026-02-28", state: "expired" });
  const [{ completionId } = { completionId: null }] = await rowsOf(course.id);
  await inTransaction(db, (tx) => issueForCompletion(tx, Number(completionId)));
  await as(admin)(certificates.issueMissing, missing);
  expect((await as(admin)(certificates.design, missing)).body).toMatchObject({ issued: 1, missing: 0 });
});

test("a certificate is revoked with a reason, and issued again under a new name", async () => {
  const of = await school();
  const { person, certificate } = await holder(of, "Kari Nordmann");
  const { id } = certificate;
  const path = { params: { id } };
  expect((await as(of.admin)(certificates.reissue, path)).code).toBe("certificates.sameName");
  const { version } = bodyOf(await as(of.admin)(learners.get, { params: { id: person.user.id } }));
  await as(of.admin)(learners.update, { params: { id: person.user.id }, body: { name: "Kari Dahl", version } });
  expect(await newest(person)).toMatchObject({ name: "Kari Nordmann", newName: "Kari Dahl" });
  const made = bodyOf(await as(of.admin)(certificates.reissue, path));
  expect(made).toMatchObject({
    name: "Kari Dahl",
    completedOn: certificate.completedOn,
    validUntil: certificate.validUntil,
    state: "valid",
  });
  expect(bodyOf(await as(person)(certificates.get, path))).toMatchObject({
    name: "Kari Nordmann",
    state: "replaced",
    replacedBy: made.number,
  });
  expect((await as(of.admin)(certificates.reissue, path)).code).toBe("certificates.notValid");
  const revoked = await as(of.admin)(certificates.revoke, {
    params: { id: made.id },
    body: { reason: "Issued by mistake" },
  });
  expect(bodyOf(revoked)).toMatchObject({ state: "revoked", revokedReason: "Issued by mistake" });
  const { body: page } = await as(null)(certificates.verify, { params: { number: made.number } });
  expect(page).toMatchObject({ state: "revoked" });
  expect(JSON.stringify(page)).not.toContain("mistake");
});

test("the holder of a certificate gets one mail with its number", async () => {
  const { person, certificate } = await holder(await school());
  const sent = () =>
    db.selectFrom("mails").where("userId", "=", person.user.id).where("reason", "=", "certificates.issued").selectAll();
  await expect.poll(async () => (await sent().execute()).length, { timeout: 20_000 }).toBe(1);
  const { body, subject } = await sent().executeTakeFirstOrThrow();
  expect(subject).toBe("Your certificate: Test course");
  expect(body).toContain(`/verify/${certificate.number}`);
});

test("learners see their own certificates only, and decide what others see", async () => {
  const of = await school();
  const { person, certificate } = await holder(of);
  const stranger = await make.learner(of.company.accessCode);
  const path = { params: { id: certificate.id } };
  for (const contract of [certificates.get, certificates.proof, certificates.pdf])
    expect((await as(stranger)(contract, path)).status).toBe(404);
  const shown = { showName: true, showScore: true, showMinutes: false };
  expect((await as(stranger)(certificates.share, { ...path, body: shown })).status).toBe(404);
  expect((await as(of.admin)(certificates.share, { ...path, body: shown })).code).toBe("certificates.notYours");
  const page = async () => (await as(null)(certificates.verify, { params: { number: certificate.number } })).body;
  expect(await page()).toMatchObject({ name: null, scorePercent: null, minutes: null });
  expect(bodyOf(await as(person)(certificates.share, { ...path, body: shown }))).toMatchObject(shown);
  expect(await page()).toMatchObject({ name: "Lea Learner", scorePercent: 90, minutes: null });
});
