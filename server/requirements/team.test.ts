import { expect, test } from "vitest";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { requirements } from "#shared/requirements/requirements.ts";
import { team } from "#shared/team/team.ts";
import { bodyOf } from "#test/probes.ts";
import { createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";

// What managers see of what their people must hold; that nobody else is in it, server/managers/scope.test.ts proves

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { app, as, make } = server;
const admin = await make.admin();
const { call, room, demand, complete, moveTo } = createRequirementTester(server, admin);

/** Mona leads Ada and Ben; Cleo has no manager. All must hold a course for a year; Ada has completed it long ago. */
async function led() {
  const { company, course, learners: people } = await room(["Mona", "Ada", "Ben", "Cleo"]);
  const [mona, ada, ben, cleo] = people as [Person, Person, Person, Person];
  await complete(ada, company.id, course.id);
  await moveTo(ada, course.id, dayIn(-500));
  await complete(cleo, company.id, course.id);
  await demand(company.id, course.id);
  bodyOf(await call(learners.setManager, { body: { ids: [ada.user.id, ben.user.id], managerId: mona.user.id } }));
  return { company, course, mona, ada, ben, cleo };
}

test("a manager sees the requirements of their people, counted as in the company", async () => {
  const { company, course, mona, ada, ben } = await led();
  const list = bodyOf(await as(mona)(requirements.teamList));
  expect(list).toMatchObject({ total: 1, people: 2, lapsedPeople: 1 });
  expect(list.items).toMatchObject([{ courseId: course.id, counts: { expired: 1, missing: 1, valid: 0 } }]);
  const { items } = bodyOf(await as(mona)(requirements.team));
  expect(items.map(({ userId }) => userId).toSorted()).toEqual([ada.user.id, ben.user.id].toSorted());
  const ofCompany = bodyOf(await call(requirements.people, { params: { id: company.id } })).items;
  for (const person of items) {
    const known = ofCompany.find(({ userId }) => userId === person.userId);
    expect(person.cells).toEqual(known?.cells.map((cell) => ({ ...cell, canClose: false })));
  }
  const lapsed = bodyOf(await as(mona)(requirements.team, { query: { state: "lapsed" } }));
  expect(lapsed.items.map(({ name }) => name)).toEqual(["Ada"]);
  expect(bodyOf(await as(mona)(team.home)).hasRequirements).toBe(true);
});

test("the file of a manager has only their people", async () => {
  const { mona } = await led();
  const headers = { authorization: `Bearer ${mona.token}` };
  const file = await app.inject({ url: requirements.exportTeam.path, headers });
  expect([file.statusCode, file.headers["x-rows"]]).toEqual([200, "2"]);
  expect(file.body).toContain("Ada,");
  expect(file.body).toContain("Ben,");
  expect(file.body).not.toContain("Cleo");
});

test("managers do not open courses again, and people without a team have no list", async () => {
  const { company, course, mona, ada, cleo } = await led();
  const { items } = bodyOf(await as(mona)(requirements.team));
  const params = { id: items.find(({ userId }) => userId === ada.user.id)?.cells[0]?.enrolmentId as string };
  expect((await as(mona)(requirements.open, { params })).status).toBe(403);
  expect((await as(mona)(requirements.people, { params: { id: company.id } })).status).toBe(403);
  for (const contract of [requirements.teamList, requirements.team])
    for (const person of [cleo, admin]) expect((await as(person)(contract)).status).toBe(403);
  // A course that is withdrawn before it was completed is no longer required.
  bodyOf(await call(courses.withdraw, { params: { id: course.id }, body: { filter: { companyId: company.id } } }));
  expect(bodyOf(await as(mona)(requirements.teamList)).items.map(({ counts }) => counts.missing)).toEqual([0]);
});
