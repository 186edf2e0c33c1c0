import { expect, test } from "vitest";
import { courses } from "#shared/courses/courses.ts";
import { exemptions } from "#shared/requirements/exemptions.ts";
import { groups } from "#shared/groups/groups.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { type ComplianceCell, type CompliancePerson, requirements } from "#shared/requirements/requirements.ts";
import { recordEarlier } from "#test/pastDays.ts";
import { bodyOf } from "#test/probes.ts";
import { addMonths, createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";

// Compliance as of a day that is over says what the page said then

const server = await start();
const { make, db, app } = server;
const admin = await make.admin();
const { call, work, room, demand, change, complete, moveTo, peopleOf, enrolmentOf } = createRequirementTester(
  server,
  admin,
);

const listOf = async (id: string, query = {}) => bodyOf(await call(requirements.list, { params: { id }, query }));

/** The state of a cell on another day: terms of `stateOn`, written again. */
function stateOn(
  day: string,
  { completedOn, validUntil, openedOn, dueDate, exemptFrom, exemptUntil }: Omit<ComplianceCell, "canClose" | "state">,
) {
  const isValid = completedOn !== null && (validUntil === null || validUntil >= day);
  if (isValid) return openedOn === null ? "valid" : "ending";
  if (exemptFrom !== null && exemptUntil !== null && exemptFrom <= day && day <= exemptUntil) return "exempt";
  if (completedOn !== null) return "expired";
  return dueDate !== null && dueDate < day ? "overdue" : "missing";
}
const shown = (items: CompliancePerson[], day: string) =>
  items
    .map(({ userId, cells }) => ({
      userId,
      cells: cells
        .map(({ canClose: _, ...cell }) => ({ ...cell, state: stateOn(day, cell) }))
        .toSorted((a, b) => (a.courseId < b.courseId ? -1 : 1)),
    }))
    .toSorted((a, b) => (a.userId < b.userId ? -1 : 1));

test("every earlier day shows what was known at its end", async () => {
  const { company, course, learners: people } = await room(["Ada", "Bo", "Cy", "Di"]);
  const [ada, bo, cy, di] = people as [Person, Person, Person, Person];
  const second = await make.course(admin);
  bodyOf(await call(courses.assign, { params: { id: second.id }, body: { companyIds: [company.id] } }));
  let id = "";
  const ofCourse = { id: course.id };
  const exempt = async (person: Person, courseId: string, from: string) => {
    const id = (await enrolmentOf(person, courseId))?.id ?? "";
    const terms = { from, until: dayIn(30), due: dayIn(40), ground: "absence" } as const;
    bodyOf(await call(exemptions.create, { params: { id }, body: terms }));
  };
  const steps: (() => Promise<unknown>)[] = [
    async () => ({ id } = await demand(company.id, course.id)),
    () => complete(ada, company.id, course.id),
    async () => {
      await moveTo(ada, course.id, addMonths(dayIn(30), -12));
      await work();
    },
    async () =>
      bodyOf(await call(courses.setDue, { params: ofCourse, body: { userIds: [bo.user.id], dueDate: dayIn(-4) } })),
    () => demand(company.id, second.id, { months: null }),
    () => exempt(bo, course.id, dayIn(-30)),
    () => exempt(bo, second.id, dayIn(0)),
    async () => {
      const params = { id: (await enrolmentOf(bo, second.id))?.id ?? "" };
      const [given] = bodyOf(await call(exemptions.list, { params })).items;
      bodyOf(await call(exemptions.end, { params: { id: given?.id ?? "" } }));
    },
    () => complete(cy, company.id, second.id),
    () => change(company.id, id, { months: 24 }),
    async () => bodyOf(await call(learners.suspend, { body: { ids: [di.user.id] } })),
    () => complete(ada, company.id, course.id),
    async () => bodyOf(await call(courses.withdraw, { params: ofCourse, body: { userIds: [bo.user.id] } })),
    async () => {
      await call(requirements.remove, { params: { id } });
      await work();
    },
  ];
  const days: { terms: [string, number | null][]; people: ReturnType<typeof shown> }[] = [];
  for (const step of steps) {
    await step();
    const { items } = await peopleOf(company.id);
    const terms = (await listOf(company.id)).items.map(({ courseId, months }): [string, number | null] => [
      courseId,
      months,
    ]);
    days.push({ terms, people: shown(items, dayIn(0)) });
    await recordEarlier(db, 1);
  }
  for (const [at, then] of days.entries()) {
    const day = dayIn(at - days.length);
    const list = await listOf(company.id, { asOf: day });
    expect(list.items.map(({ courseId, months }) => [courseId, months]).toSorted()).toEqual(then.terms.toSorted());
    const { items, total } = await peopleOf(company.id, { asOf: day });
    const cells = then.people.map((person) => ({
      ...person,
      cells: person.cells.map((cell) => ({ ...cell, state: stateOn(day, cell) })),
    }));
    expect(shown(items, day)).toEqual(cells);
    expect(items.flatMap((person) => person.cells.map(({ state }) => state)).toSorted()).toEqual(
      cells.flatMap((person) => person.cells.map(({ state }) => state)).toSorted(),
    );
    expect([total, list.people]).toEqual([cells.length, cells.length]);
    const counted = Object.values(list.items.map(({ counts }) => counts)).flatMap((counts) => Object.values(counts));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(cells.flatMap((person) => person.cells).length);
  }
  expect((await listOf(company.id)).recordedFrom).toBe(dayIn(-days.length));
});

test("filters, pages and files are those of the day, and today is refused", async () => {
  const { company, course, learners: people } = await room(["Ada", "Bo", "Cy"]);
  const [ada, bo] = people as [Person, Person];
  await demand(company.id, course.id);
  await complete(ada, company.id, course.id);
  const group = bodyOf(await call(groups.create, { body: { companyId: company.id, name: "Crane" } }));
  const put = (person: Person, place: "in" | "out") =>
    call(groups.place, { params: { id: group.id }, body: { ids: [person.user.id], place } }).then(bodyOf);
  await put(bo, "in");
  await recordEarlier(db, 2);
  await complete(bo, company.id, course.id);
  await put(bo, "out");
  await put(ada, "in");
  const asOf = dayIn(-1);
  const names = async (query = {}) => (await peopleOf(company.id, { asOf, ...query })).items.map(({ name }) => name);
  expect(await names({ state: "missing" })).toEqual(["Bo", "Cy"]);
  expect(await names({ state: "missing", q: "cy" })).toEqual(["Cy"]);
  expect(await names({ sort: "-name", size: 2 })).toEqual(["Cy", "Bo"]);
  expect(await names({ size: 2, page: 2 })).toEqual(["Cy"]);
  expect(await names({ groupId: group.id })).toEqual(["Bo"]);
  const file = await app.inject({
    url: `/api/companies/${company.id}/compliance/export?state=missing&asOf=${asOf}`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(file.headers["x-rows"]).toBe("2");
  const [head = "", first = ""] = file.body.trim().split("\r\n");
  expect(first).toMatch(/^Bo,.*Missing/);
  expect([head.split(",").at(-1), first.split(",").at(-1)]).toEqual(["As of", asOf]);
  const today = await call(requirements.people, { params: { id: company.id }, query: { asOf: dayIn(0) } });
  expect(today).toMatchObject({ status: 422, body: { issues: [{ path: "asOf" }] } });
});

test("an erased person stays counted without a name", async () => {
  const { company, course, learners: people } = await room(["Ada", "Bo"]);
  const [ada] = people as [Person];
  await demand(company.id, course.id);
  await complete(ada, company.id, course.id);
  await recordEarlier(db, 2);
  bodyOf(await call(privacy.erase, { body: { userId: ada.user.id } }));
  const asOf = dayIn(-1);
  const { items, total } = await peopleOf(company.id, { asOf });
  expect(total).toBe(2);
  expect(items.map(({ name, isErased }) => [name, isErased])).toEqual([
    ["Bo", false],
    ["Erased person", true],
  ]);
  expect(items[1]).toMatchObject({ email: null, cells: [{ state: "valid" }] });
  expect(JSON.stringify(items)).not.toContain(ada.user.id);
  expect((await peopleOf(company.id)).total).toBe(1);
});
