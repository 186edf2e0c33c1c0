import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { readSigningKey, signText } from "#server/certificates/proofs/keys.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { auditPacks } from "#shared/auditPacks/auditPacks.ts";
import { headText, toHex } from "#shared/certificates/proof.ts";
import { completions } from "#shared/completions/completions.ts";
import { exemptions } from "#shared/requirements/exemptions.ts";
import { courses } from "#shared/courses/courses.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { createAuditTester } from "#test/auditPacks.ts";
import { createCertifier } from "#test/certificates.ts";
import { recordEarlier } from "#test/pastDays.ts";
import { bodyOf } from "#test/probes.ts";
import { createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";
import { unpack } from "#test/unpackedAudit.ts";

// Audit packs: what is in them, that they are the same when made again, and that their script finds what does not fit

const server = await start();
const { make, db, services } = server;
const admin = await make.admin();
const { call, room, demand, complete, moveTo } = createRequirementTester(server, admin);
const { switchOn } = createCertifier(server);
const audits = createAuditTester(server, admin);

const enrolmentId = async (person: Person, courseId: string) => {
  const { items } = bodyOf(await call(courses.enrolments, { query: { courseId, userId: person.user.id } }));
  return items[0]?.id as string;
};

/** A company with a required course that gives certificates; all of it was recorded some days ago. */
async function audited() {
  const { company, course, learners: people } = await room(["Ada", "Bo", "Cy", "Di"]);
  const [ada, bo, cy, di] = people as [Person, Person, Person, Person];
  await switchOn(admin, course.id);
  await demand(company.id, course.id);
  await complete(ada, company.id, course.id);
  await complete(cy, company.id, course.id);
  const id = await enrolmentId(bo, course.id);
  const { status, attemptNo } = bodyOf(await call(completions.get, { params: { id } }));
  const body = { reason: "Passed the test on paper", status, attemptNo };
  bodyOf(await call(completions.set, { params: { id }, body }));
  const away = { from: dayIn(-10), until: dayIn(20), due: dayIn(30), ground: "health", note: "on paper" } as const;
  bodyOf(await call(exemptions.create, { params: { id: await enrolmentId(ada, course.id) }, body: away }));
  await call(courses.withdraw, { params: { id: course.id }, body: { userIds: [di.user.id] } });
  for (const person of [ada, bo, cy]) await moveTo(person, course.id, dayIn(-3));
  await recordEarlier(db, 3);
  await sql`alter table certificates disable trigger user`.execute(db);
  await sql`update certificates set issued_at = issued_at - interval '3 days', completed_on = completed_on - 3`.execute(
    db,
  );
  await sql`alter table certificates enable trigger user`.execute(db);
  return { company, course, ada, bo, cy, di };
}

/** Signs the root of the last day again as that of the day before it. */
const signForYesterday = (companyId: string) =>
  inTransaction(db, async (tx) => {
    const head = await tx
      .selectFrom("certificateHeads")
      .where("companyId", "=", companyId)
      .selectAll()
      .executeTakeFirstOrThrow();
    const key = await readSigningKey(services.config, tx);
    const day = dayIn(-3);
    const signed = headText({
      format: "lyceum-head-1",
      issuer: companyId,
      day,
      root: toHex(head.root),
      key: head.keyId,
    });
    await tx
      .insertInto("certificateHeads")
      .values({ ...head, day, signature: signText(key, signed) })
      .execute();
  });

test("a pack has everything of its courses as of its day, and its script accepts it", async () => {
  const { company, course, ada } = await audited();
  await signForYesterday(company.id);
  const pack = await audits.make(company.id, { to: dayIn(-1), from: dayIn(-30) });
  expect(pack).toMatchObject({ state: "made", courses: [{ id: course.id, title: course.title }], day: dayIn(-1) });
  expect(pack.number).toMatch(/^A-[A-Z]{1,3}-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  const files = unpack(await audits.download(pack.id));
  expect(Object.keys(files.texts).filter((path) => !path.startsWith("proofs/"))).toEqual([
    "index.html",
    "requirements.csv",
    "matrix.csv",
    "requirements-by-person.csv",
    "completions.csv",
    "completion-rules.csv",
    "certificates.csv",
    "corrections.csv",
    "withdrawals.csv",
    "exemptions.csv",
    "settings.csv",
    "verify.mjs",
    "manifest.json",
  ]);
  expect(files.rows("requirements.csv")).toMatchObject([{ Course: course.title, "Valid for months": "12" }]);
  expect(files.rows("matrix.csv").map((row) => [row.Person, row[`${course.title}: Status`]])).toEqual([
    ["Ada", "Valid"],
    ["Bo", "Valid"],
    ["Cy", "Valid"],
  ]);
  const done = files.rows("completions.csv");
  expect(done.map((row) => [row.Person, row["Where completed"], row["Score (%)"]])).toEqual([
    ["Ada", "In this academy", "90"],
    ["Bo", "Set complete by an admin", ""],
    ["Cy", "In this academy", "90"],
  ]);
  expect(done[0]).toMatchObject({ Version: "1", "Completed on": dayIn(-3), Email: ada.user.email });
  expect(files.rows("certificates.csv").map((row) => row.Certificate)).toEqual(
    expect.arrayContaining(done.map((row) => row.Certificate).filter(Boolean)),
  );
  expect(files.rows("corrections.csv")).toMatchObject([{ Person: "Bo", Decision: "Set complete" }]);
  expect(files.rows("withdrawals.csv")).toMatchObject([{ Person: "Di", How: "By a person" }]);
  expect(files.rows("exemptions.csv")).toMatchObject([
    { Person: "Ada", Course: course.title, "Exempt from": dayIn(-10), "Exempt until": dayIn(20) },
  ]);
  expect(files.rows("settings.csv")).toMatchObject([{ "Sessions are recorded": "No" }]);
  expect(files.texts["index.html"]).toContain(course.title);
  // Reasons may be about health.
  expect(Object.values(files.texts).join("")).not.toContain("on paper");
  const { status, output } = files.verify();
  expect([status, output]).toEqual([0, expect.stringContaining("0 mismatches")]);
  expect(output).toContain(pack.digest);
  expect(Object.keys(files.texts).filter((path) => path.startsWith("proofs/")).length).toBeGreaterThan(0);
});

test("made again it has the same bytes, and a check says what has changed", async () => {
  const { company, course, ada, cy } = await audited();
  const pack = await audits.make(company.id);
  const first = await audits.download(pack.id);
  expect(Buffer.compare(first, await audits.download(pack.id))).toBe(0);
  const checksOf = async () => {
    const { files, digest } = await audits.check(pack.id);
    expect(digest).toBe(pack.digest);
    return Object.fromEntries((files ?? []).map(({ path, check }) => [path, check]));
  };
  expect(new Set(Object.values(await checksOf()))).toEqual(new Set(["same"]));

  // What happens later does not count.
  await call(courses.withdraw, { params: { id: course.id }, body: { userIds: [cy.user.id] } });
  const another = await make.learner(company.accessCode, "Eve");
  await complete(another, company.id, course.id);
  expect(new Set(Object.values(await checksOf()))).toEqual(new Set(["same"]));

  await sql`update users set name = 'Adele' where id = ${ada.user.id}`.execute(db);
  const renamed = await checksOf();
  expect(renamed).toMatchObject({ "matrix.csv": "names", "completions.csv": "names", "requirements.csv": "same" });

  bodyOf(await call(privacy.erase, { body: { userId: ada.user.id } }));
  const erased = await checksOf();
  expect(erased).toMatchObject({ "matrix.csv": "names", "requirements-by-person.csv": "names" });
  const again = unpack(await audits.download(pack.id));
  expect(Object.values(again.texts).join("")).not.toMatch(new RegExp(`Adele|${ada.user.email}|${ada.user.id}`));
  expect(again.rows("matrix.csv").at(-1)).toMatchObject({ Person: "Erased person" });

  const [{ id }] = (
    await sql<{ id: string }>`
    select id from completion_history where course_id = ${course.id} and person_id = ${cy.user.id}`.execute(db)
  ).rows as [{ id: string }];
  await sql`
    insert into completion_withdrawals (completion_id, recorded_at)
    values (${id}, now() - interval '3 days')`.execute(db);
  expect((await checksOf())["completions.csv"]).toBe("records");
});

test("the script names every file that was changed, added or removed", async () => {
  const { company } = await audited();
  await signForYesterday(company.id);
  const pack = await audits.make(company.id);
  const files = unpack(await audits.download(pack.id));
  const proof = Object.keys(files.texts).find((path) => path.startsWith("proofs/")) as string;
  expect(files.verify("--key", "another").output).toContain(`MISMATCH: ${proof}: another key has signed it`);
  appendFileSync(join(files.folder, "matrix.csv"), "x");
  writeFileSync(join(files.folder, "extra.csv"), "x");
  writeFileSync(join(files.folder, proof), (files.texts[proof] as string).replace('"rule": "', '"rule": "not '));
  const { status, output } = files.verify();
  expect(status).toBe(1);
  expect(output).toContain("MISMATCH: matrix.csv: changed");
  expect(output).toContain("MISMATCH: extra.csv: not in the manifest");
  expect(output).toContain(`MISMATCH: ${proof}: the facts are not those in the signed tree`);
});

test("periods and courses that do not fit are refused by field", async () => {
  const { company, course } = await room();
  const ask = (body: object) =>
    call(auditPacks.create, {
      params: { id: company.id },
      body: { from: dayIn(-9), to: dayIn(-1), asOf: null, courseIds: [], ...body },
    });
  const fieldsOf = async (body: object) => {
    const reply = await ask(body);
    expect(reply.status).toBe(422);
    return (reply.body as unknown as { issues: { path: string }[] }).issues.map(({ path }) => path);
  };
  expect(await ask({})).toMatchObject({ status: 409, body: { code: "auditPacks.nothingRequired" } });
  await demand(company.id, course.id);
  await recordEarlier(db, 2);
  expect(await fieldsOf({ from: dayIn(0) })).toEqual(["from"]);
  expect(await fieldsOf({ from: dayIn(-3000) })).toEqual(["from"]);
  expect(await fieldsOf({ asOf: dayIn(0) })).toEqual(["asOf"]);
  expect(await fieldsOf({ asOf: dayIn(-2) })).toEqual(["to"]);
  const other = await make.course(admin);
  expect(await fieldsOf({ courseIds: [other.id] })).toEqual(["courseIds"]);
  expect((await ask({})).status).toBe(200);
});

test("a pack whose server died is made by the next one, and one that fails says so", async () => {
  const { company } = await audited();
  const { id } = await audits.order(company.id);
  await sql`update audit_packs set leased_until = now() + interval '1 hour', tries = 1 where id = ${id}`.execute(db);
  await audits.work();
  expect(await audits.get(id)).toMatchObject({ state: "waiting", files: null });
  const early = await call(auditPacks.file, { params: { id } });
  expect(early).toMatchObject({ status: 409, body: { code: "auditPacks.notMade" } });
  await sql`update audit_packs set leased_until = now() - interval '1 second' where id = ${id}`.execute(db);
  await audits.work();
  expect(await audits.get(id)).toMatchObject({ state: "made" });
  await sql`update audit_packs set zone = 'Nowhere/None' where id = ${id}`.execute(db);
  const failed = await audits.check(id);
  expect(failed).toMatchObject({ state: "failed", checkedAt: null });
  await sql`update audit_packs set zone = 'UTC' where id = ${id}`.execute(db);
  expect(await audits.check(id)).toMatchObject({ state: "made", checkedAt: expect.any(String) });
});
