import { sql } from "kysely";
import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { auditPacks } from "#shared/auditPacks/auditPacks.ts";
import { courses } from "#shared/courses/courses.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { createAuditTester } from "#test/auditPacks.ts";
import { recordEarlier } from "#test/pastDays.ts";
import { bodyOf } from "#test/probes.ts";
import { createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";
import { unpack } from "#test/unpackedAudit.ts";

// Links for auditors: what they show to whom, who is drawn, and that everything opened is listed

const server = await start();
const { as, make, db } = server;
const admin = await make.admin();
const { call, room, demand, complete, moveTo } = createRequirementTester(server, admin);
const audits = createAuditTester(server, admin);
const guest = as(null);

/** Ten people, of whom the first three have completed a required course; all of it was recorded some days ago. */
async function audited(mayDownload = false) {
  const names = Array.from({ length: 10 }, (_, n) => `Learner ${n}`);
  const { company, course, learners: people } = await room(names);
  await demand(company.id, course.id);
  for (const person of people.slice(0, 3)) {
    await complete(person, company.id, course.id);
    await moveTo(person, course.id, dayIn(-3));
  }
  await recordEarlier(db, 3);
  const pack = await audits.make(company.id);
  return { company, course, people, pack, link: await audits.link(pack.id, mayDownload) };
}
const open = async (token: string) => bodyOf(await guest(auditPacks.open, { params: { token } }));
const draw = async (token: string, body: object) =>
  bodyOf(await guest(auditPacks.draw, { params: { token }, body: { size: 3, ...body } }));
const sampleOf = async (token: string, no: number) => bodyOf(await guest(auditPacks.sample, { params: { token, no } }));
const openPerson = (token: string, no: number, key: string) => guest(auditPacks.person, { params: { token, no, key } });
const openingsOf = async (id: string) =>
  bodyOf(await call(auditPacks.links, { params: { id } })).items.flatMap(({ openings }) => openings);

test("an auditor sees the figures of the day without an account", async () => {
  const { company, course, people, pack, link } = await audited();
  await call(courses.withdraw, { params: { id: course.id }, body: { userIds: [(people[9] as Person).user.id] } });
  expect(await open(link.token)).toMatchObject({
    number: pack.number,
    company: company.name,
    label: "Veritas",
    people: 10,
    courses: [{ courseId: course.id, counts: { valid: 3, missing: 7, overdue: 0 } }],
    digest: pack.digest,
    mayDownload: false,
    samples: [],
  });
  await open(link.token);
  expect(await openingsOf(pack.id)).toMatchObject([{ what: "overview", person: null }]);
});

test("who is drawn follows from the seed, and the script of the pack draws the same", async () => {
  const { course, pack, link } = await audited(true);
  const first = await draw(link.token, { size: 4 });
  expect(first).toMatchObject({ no: 1, size: 4, population: 10 });
  const done = await draw(link.token, { courseId: course.id, state: "valid", size: 50 });
  expect(done).toMatchObject({ no: 2, size: 3, population: 3 });
  const { people } = await sampleOf(link.token, 1);
  expect(await sampleOf(link.token, 1)).toEqual({ sample: expect.objectContaining({ no: 1 }), people });
  expect((await sampleOf(link.token, 2)).people.map(({ name }) => name).toSorted()).toEqual(
    [0, 1, 2].map((n) => `Learner ${n}`),
  );
  const files = unpack(await audits.fetchZip(`/api/audits/${link.token}/file`));
  const { seed = "" } = (await open(link.token)) ?? {};
  const { output } = files.verify("sample", seed, "1", "4");
  expect(output.trim().split("\n")).toEqual([
    "4 of 10 people:",
    ...people.map(({ key, name }) => `${key} ${JSON.stringify(name)}`),
  ]);
  const of = files.verify("sample", seed, "2", "50", "--course", course.id, "--state", "Valid");
  expect(of.output).toContain("3 of 3 people:");
  expect((await openingsOf(pack.id)).map(({ what, sampleNo }) => [what, sampleNo])).toEqual([
    ["overview", null],
    ["download", null],
    ["sample", 2],
    ["sample", 1],
  ]);
  const nobody = await guest(auditPacks.draw, { params: { token: link.token }, body: { size: 1, state: "expired" } });
  expect(nobody).toMatchObject({ status: 409, body: { code: "auditPacks.nobody" } });
});

test("only records of people in a sample open, and they see that", async () => {
  const { course, people, pack, link } = await audited();
  await draw(link.token, { courseId: course.id, state: "valid", size: 1 });
  const [drawn] = (await sampleOf(link.token, 1)).people;
  const record = bodyOf(await openPerson(link.token, 1, drawn?.key as string));
  expect(record).toMatchObject({
    name: drawn?.name,
    cells: [{ state: "valid", completedOn: dayIn(-3) }],
    completions: [{ course: course.title, version: 1, completedOn: dayIn(-3), source: "here", scorePercent: 90 }],
  });
  await draw(link.token, { size: 10 });
  const other = (await sampleOf(link.token, 2)).people.find(({ key }) => key !== drawn?.key);
  expect((await openPerson(link.token, 1, other?.key as string)).status).toBe(404);
  expect((await openPerson(link.token, 2, other?.key as string)).status).toBe(200);
  const person = people.find(({ user }) => user.name === drawn?.name) as Person;
  const log = bodyOf(await as(person)(audit.mine, { query: { kind: "administration" } }));
  expect(log.items[0]).toMatchObject({ action: "auditPacks.person", actorRole: "auditor", actor: null });
  expect((await openingsOf(pack.id)).filter(({ what }) => what === "person").map((one) => one.person)).toEqual([
    other?.name,
    drawn?.name,
  ]);
  bodyOf(await call(privacy.erase, { body: { userId: person.user.id } }));
  expect((await sampleOf(link.token, 1)).people).toMatchObject([{ key: drawn?.key, name: "Erased person" }]);
  const openings = await openingsOf(pack.id);
  expect(openings.filter(({ what }) => what === "person").map((one) => one.person)).toEqual([other?.name, null]);
});

test("links that have ended, expired or were made up answer alike", async () => {
  const { pack, link } = await audited(true);
  await draw(link.token, {});
  const another = await audits.link(pack.id);
  const denied = await server.app.inject(`/api/audits/${another.token}/file`);
  expect(denied.statusCode).toBe(404);
  expect((await open(another.token))?.samples).toEqual([]);
  const [id = ""] = link.token.split(".");
  const dead = async (token: string) => {
    expect(await open(token)).toBeNull();
    const replies = [
      await guest(auditPacks.draw, { params: { token }, body: { size: 1 } }),
      await guest(auditPacks.sample, { params: { token, no: 1 } }),
      await openPerson(token, 1, id),
      await guest(auditPacks.download, { params: { token } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  };
  await dead(`${id}.${"a".repeat(22)}`);
  await dead("x");
  await sql`update audit_links set until = now() where id = ${another.id}`.execute(db);
  await dead(another.token);
  await call(auditPacks.unlink, { params: { id: link.id } });
  await dead(link.token);
  expect(await audits.get(pack.id)).toMatchObject({ links: 0 });
  const third = await audits.link(pack.id);
  await call(auditPacks.remove, { params: { id: pack.id } });
  await dead(third.token);
});
