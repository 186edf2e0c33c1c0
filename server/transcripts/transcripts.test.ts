import { sql } from "kysely";
import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { MAX_A_DAY, MAX_KEPT, transcripts } from "#shared/transcripts/transcripts.ts";
import { createCertifier } from "#test/certificates.ts";
import { readPdfFile } from "#test/pdf.ts";
import { bodyOf } from "#test/probes.ts";
import { addMonths, createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";
import { createTranscriptTester } from "#test/transcripts.ts";

// What a transcript says and keeps, and who reads it

const server = await start();
const { app, as, db, make } = server;
const { complete } = createCertifier(server);

const { everything, issue, read, share, tokenIn, open, fetchFile, spend, graduate } = createTranscriptTester(server);

test("a transcript has what was completed, and stays as it was issued", async () => {
  const { company, course, person, certificate } = await graduate();
  const made = await issue(person);
  expect(made).toMatchObject({ entries: 1, link: null, opened: 0, ...everything });
  expect(made.number).toMatch(/^T-NE-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  const first = await read(person, made.id);
  expect(first).toMatchObject({ isUnchanged: true, states: ["same"], lastDay: null });
  expect(first.facts).toMatchObject({ holder: "Jonas Hagen", issuer: company.name, zone: "UTC", total: 1 });
  expect(first.facts.entries).toEqual([
    {
      course: course.title,
      code: course.code,
      completedOn: dayIn(0),
      success: "unknown",
      scorePercent: 90,
      activeSeconds: 600,
      reportedSeconds: expect.any(Number),
      validUntil: certificate.validUntil,
      certificate: certificate.number,
      setByAdmin: false,
    },
  ]);
  const admin = await make.admin();
  const second = await make.course(admin);
  await as(admin)(courses.assign, { params: { id: second.id }, body: { userIds: [person.user.id] } });
  await complete({ company, course: second }, person);
  await as(admin)(courses.update, { params: { id: course.id }, body: { title: "Renamed", version: course.version } });
  expect(await read(person, made.id)).toEqual({ ...first, checkedAt: expect.any(String) });
  expect((await read(person, (await issue(person)).id)).facts.entries).toHaveLength(2);
  expect(bodyOf(await as(person)(transcripts.list))).toMatchObject({ total: 2, completed: 2 });
});

test("what a person leaves out is in none of its forms", async () => {
  const { person } = await graduate();
  const { id } = await issue(person, { withScores: false, withTimes: false });
  const { facts } = await read(person, id);
  expect(facts.entries[0]).toMatchObject({ scorePercent: null, activeSeconds: null, reportedSeconds: null });
  const stored = await db.selectFrom("transcripts").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
  expect(JSON.stringify(stored)).not.toMatch(/\b(90|600)\b/);
  const csv = (await fetchFile(person, `${transcripts.file.path}?format=csv`, id)).body;
  expect(csv).not.toMatch(/Score|minutes|\b90\b/);
  const { pages } = await readPdfFile((await fetchFile(person, transcripts.pdf.path, id)).rawPayload);
  expect(pages.join(" ")).not.toMatch(/Score|Active|Reported|90 %/);
});

test("CSV, Excel, JSON and a tagged PDF say the same", async () => {
  const { person, certificate, course } = await graduate("王小明 محمد");
  const { id, number } = await issue(person);
  const csv = (await fetchFile(person, `${transcripts.file.path}?format=csv`, id)).body;
  expect(csv.split("\r\n")[1]).toContain(`${course.title},${course.code},${dayIn(0)},Completed,90,10`);
  expect((await fetchFile(person, `${transcripts.file.path}?format=xlsx`, id)).rawPayload.length).toBeGreaterThan(500);
  const json = JSON.parse((await fetchFile(person, `${transcripts.file.path}?format=json`, id)).body);
  const { facts, digest } = await read(person, id);
  expect(json).toEqual({ facts, sha256: digest });
  const { pages, isTagged, roles } = await readPdfFile((await fetchFile(person, transcripts.pdf.path, id)).rawPayload);
  expect(isTagged && roles.includes("Table")).toBe(true);
  const text = pages.join(" ");
  for (const said of [number, certificate.number, course.title, "90 %", digest]) expect(text).toContain(said);
  // In one line.
  expect(text).toMatch(/ Completed +90 % /);
  // Each file of the Chinese font has some hundred letters, so that a name is drawn in pieces.
  expect(text.replaceAll(" ", "")).toContain("王小明");
  expect(text).toContain("was not shared");
  expect(text).toContain(course.code);
});

test("a link works for everyone until it expires or is ended, and a new one is another", async () => {
  const { person } = await graduate();
  const { id, number } = await issue(person);
  const { link } = await share(person, id);
  expect(link?.lastDay).toBe(dayIn(30));
  const first = tokenIn(link?.url);
  expect(await open(first)).toMatchObject({ facts: { number }, isUnchanged: true, states: ["same"] });
  expect(await open(first)).not.toBeNull();
  bodyOf(await as(person)(transcripts.open, { params: { token: first } }));
  expect(bodyOf(await as(person)(transcripts.list)).items[0]).toMatchObject({ opened: 1 });
  const { pages } = await readPdfFile((await fetchFile(person, transcripts.pdf.path, id)).rawPayload);
  expect(pages.join(" ")).toContain("this code opens the transcript");
  const changed = await share(person, id, 7);
  expect([changed.link, changed.opened]).toEqual([{ url: link?.url, lastDay: dayIn(7) }, 1]);
  await sql`update transcripts set link_until = now() where id = ${id}`.execute(db);
  expect(await open(first)).toBeNull();
  expect(bodyOf(await as(person)(transcripts.list)).items[0]?.link).toBeNull();
  const again = await share(person, id);
  const second = tokenIn(again.link?.url);
  expect([again.opened, await open(first), (await open(second))?.facts.number]).toEqual([0, null, number]);
  bodyOf(await as(person)(transcripts.unshare, { params: { id } }));
  expect(await open(second)).toBeNull();
});

test("nobody reads a transcript without its link", async () => {
  const { person, company, admin } = await graduate();
  const { id } = await issue(person);
  const token = tokenIn((await share(person, id)).link?.url);
  const other = await graduate();
  const { id: otherId } = await issue(other.person);
  const otherToken = tokenIn((await share(other.person, otherId)).link?.url);
  const forged = [`${id}.${otherToken.split(".")[1]}`, `${id}.${"A".repeat(22)}`, `${token}A`, id, "", "x".repeat(120)];
  for (const one of forged.filter(Boolean)) expect(await open(one)).toBeNull();
  const colleague = await make.learner(company.accessCode);
  for (const stranger of [colleague, admin, other.person]) {
    const call = as(stranger);
    const params = { id };
    expect((await call(transcripts.get, { params })).status).toBe(404);
    expect((await call(transcripts.share, { params, body: { days: 7 } })).status).toBe(404);
    expect((await call(transcripts.unshare, { params })).status).toBe(404);
    expect((await call(transcripts.remove, { params })).status).toBe(404);
    for (const path of [transcripts.pdf.path, `${transcripts.file.path}?format=json`]) {
      const headers = { authorization: `Bearer ${stranger.token}` };
      expect((await app.inject({ url: path.replace(":id", id), headers })).statusCode).toBe(404);
    }
  }
  expect(await open(token)).not.toBeNull();
  expect(bodyOf(await as(admin)(transcripts.list))).toMatchObject({ items: [], total: 0, completed: 0 });
  bodyOf(await as(person)(transcripts.unshare, { params: { id } }));
  expect((await as(person)(transcripts.remove, { params: { id } })).status).toBe(204);
  expect(await open(token)).toBeNull();
  const { items } = bodyOf(await as(admin)(audit.list, { query: { personId: person.user.id, size: 200 } }));
  expect(items.map(({ action }) => action).filter((action) => action.startsWith("transcripts."))).toEqual([
    "transcripts.remove",
    "transcripts.unshare",
    "transcripts.share",
    "transcripts.issue",
  ]);
});

test("a course that opened again for renewal is listed with each completion", async () => {
  const admin = await make.admin();
  const { room, demand, moveTo, complete: completeIn } = createRequirementTester(server, admin);
  const { company, course, learners: people } = await room(["Ada"]);
  const [ada] = people as [Person];
  await completeIn(ada, company.id, course.id);
  await moveTo(ada, course.id, dayIn(-340));
  await spend(ada, 1, 60);
  await demand(company.id, course.id);
  const { id } = await issue(ada);
  // Valid until the end of its year, although the course is open for its renewal.
  const validUntil = addMonths(dayIn(-340), 12);
  expect((await read(ada, id)).facts.entries).toMatchObject([
    { completedOn: dayIn(-340), activeSeconds: 60, validUntil },
  ]);
  await completeIn(ada, company.id, course.id);
  await spend(ada, 2, 1800);
  const again = await read(ada, (await issue(ada)).id);
  expect(again.facts.entries).toMatchObject([
    { completedOn: dayIn(0), activeSeconds: 1800 },
    { completedOn: dayIn(-340), activeSeconds: 60 },
  ]);
  expect(again.facts.entries[0]?.validUntil).not.toBeNull();
  expect(bodyOf(await as(ada)(transcripts.list)).completed).toBe(2);
  expect((await read(ada, id)).states).toEqual(["same"]);
});

test("a transcript outlives a move, and the new company's has nothing of the old one", async () => {
  const { person, admin } = await graduate();
  const { id } = await issue(person);
  expect((await read(person, id)).facts.entries).toHaveLength(1);
  const next = await make.company(admin, { name: "Fjord AS" });
  bodyOf(await as(admin)(learners.move, { body: { ids: [person.user.id], companyId: next.id } }));
  const moved = await make.signIn(person.user.email as string);
  expect(await as(moved)(transcripts.issue, { body: everything })).toMatchObject({
    status: 409,
    code: "transcripts.nothing",
  });
  expect((await read(moved, id)).states).toEqual(["same"]);
});

test("of many at the same moment, no more are issued than a day allows", { timeout: 60_000 }, async () => {
  const { person } = await graduate();
  const replies = await Promise.all(
    Array.from({ length: MAX_A_DAY + 4 }, () => as(person)(transcripts.issue, { body: everything })),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(MAX_A_DAY);
  const refused = replies.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["transcripts.tooManyToday"]));
});

test("a person keeps a bounded number, and can issue again after deleting one", async () => {
  const { person } = await graduate();
  const { id } = await issue(person);
  await sql`
    insert into transcripts (number, company_id, person_id, facts, sources, digest, issued_at)
    select 'T-' || id || n, company_id, person_id, facts, sources, digest, now() - interval '2 days'
    from transcripts
    cross join generate_series(2, ${MAX_KEPT}::integer) n
    where id = ${id}`.execute(db);
  expect(await as(person)(transcripts.issue, { body: everything })).toMatchObject({
    status: 409,
    code: "transcripts.tooMany",
  });
  await as(person)(transcripts.remove, { params: { id } });
  expect((await issue(person)).entries).toBe(1);
});

test("the page of a link is for no search engine and says nothing by its head", async () => {
  const { person } = await graduate("Hidden Holder");
  const { link } = await share(person, (await issue(person)).id);
  const head = async (path: string) => (await app.inject({ url: path, headers: { accept: "text/html" } })).body;
  const shown = await head(new URL(link?.url as string).pathname);
  expect(shown).toContain('content="noindex"');
  expect(shown).not.toContain("Hidden Holder");
});

test("an erasure deletes transcripts, and their links end", async () => {
  const { person } = await graduate("Elsa Erased");
  const { id } = await issue(person);
  const token = tokenIn((await share(person, id)).link?.url);
  expect((await as(person)(privacy.erase, { body: {} })).status).toBe(200);
  expect(await open(token)).toBeNull();
  expect(await db.selectFrom("transcripts").where("id", "=", id).selectAll().execute()).toEqual([]);
});
