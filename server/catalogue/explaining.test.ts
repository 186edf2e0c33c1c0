import { expect, test } from "vitest";
import { courses } from "#shared/courses/courses.ts";
import { catalogue } from "#shared/catalogue/catalogue.ts";
import { outlooks } from "#shared/outlook/outlook.ts";
import { createCatalogueTester } from "#test/catalogue.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// Why a person has a course of the catalogue, and who decided it

const server = await start();
const { as, make } = server;
const admin = await make.admin();
const { call, company, people, offer, join, leave, requestOf, lead } = createCatalogueTester(server, admin);

/** The reasons of a person's courses, as the page about what will reach them and the list of a course show them. */
async function explain(person: Person, courseId: string, reader = admin) {
  const params = { id: person.user.id };
  const { items } = bodyOf(await as(reader)(outlooks.courses, { params, query: {} }));
  const query = reader === admin ? { userId: person.user.id } : {};
  const why = bodyOf(await as(reader)(courses.reasons, { params: { id: courseId }, query }));
  const reasons = items.find((one) => one.courseId === courseId)?.reasons ?? [];
  if (reader === admin) expect(why.items).toEqual(reasons);
  return reasons.map(({ kind, by, ended, endedBy, rule }) => ({ kind, by, ended, endedBy, rule }));
}

const own = { kind: "self", by: null, ended: null, endedBy: null, rule: "" };

test("a learner reads that they took the course, and so does an admin, without a name", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const { id, courseId } = await offer(acme.id);
  bodyOf(await join(ada, id, "enrol"));
  expect(await explain(ada, courseId)).toEqual([own]);
  expect(await explain(ada, courseId, ada)).toEqual([own]);
  bodyOf(await leave(ada, id));
  expect(await explain(ada, courseId)).toEqual([{ ...own, ended: "left" }]);
  expect(await explain(ada, courseId, ada)).toEqual([]);
});

test("an admin reads which manager or admin approved a course; the learner does not", async () => {
  const acme = await company();
  const [ada, ben, mia] = (await people(acme.accessCode, "Ada", "Ben", "Mia")) as [Person, Person, Person];
  await lead(mia, ada);
  const { id, courseId } = await offer(acme.id, { way: "request" });
  for (const person of [ada, ben]) bodyOf(await join(person, id, "ask"));
  const idOf = async (person: Person) => (await requestOf(acme.id, person))?.id ?? "";
  const body = { approve: true, reason: "" };
  const approval = await as(mia)(catalogue.decideForTeam, { params: { id: await idOf(ada) }, body });
  expect(approval.status).toBe(204);
  bodyOf(await call(catalogue.decide, { params: { id: await idOf(ben) }, body }));
  expect(await explain(ada, courseId)).toEqual([{ ...own, by: "Mia" }]);
  expect(await explain(ben, courseId)).toEqual([{ ...own, by: admin.user.name }]);
  expect(await explain(ada, courseId, ada)).toEqual([own]);
});

test("a taken and assigned course has both reasons; a withdrawal names the admin", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const { id, courseId } = await offer(acme.id);
  bodyOf(await join(ada, id, "enrol"));
  const params = { id: courseId };
  const body = { userIds: [ada.user.id] };
  bodyOf(await call(courses.assign, { params, body }));
  const given = { ...own, kind: "person", by: admin.user.name };
  expect(await explain(ada, courseId)).toEqual(expect.arrayContaining([own, given]));
  bodyOf(await call(courses.withdraw, { params, body }));
  const taken = { ended: "withdrawn", endedBy: admin.user.name };
  expect(await explain(ada, courseId)).toEqual(
    expect.arrayContaining([
      { ...own, ...taken },
      { ...given, ...taken },
    ]),
  );
});
