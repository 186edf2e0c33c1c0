import { expect, test } from "vitest";
import { planSteps } from "#server/reminders/planning.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { outlooks } from "#shared/outlook/outlook.ts";
import { reminders } from "#shared/reminders/reminders.ts";
import { exemptions, type ExemptionTerms } from "#shared/requirements/exemptions.ts";
import { requirements } from "#shared/requirements/requirements.ts";
import { todays } from "#shared/today/today.ts";
import { bodyOf } from "#test/probes.ts";
import { createReminderTester, everyDay, step } from "#test/reminders.ts";
import { createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";

// People who need not hold a required course for a time

const server = await start();
const { as, make, db, services } = server;
const admin = await make.admin();
const { call, work, room, demand, complete, moveTo, peopleOf, enrolmentOf } = createRequirementTester(server, admin);

const now: ExemptionTerms = {
  from: dayIn(0),
  until: dayIn(30),
  due: dayIn(44),
  ground: "absence",
  note: "",
  everywhere: false,
};
const idOf = async (person: Person, courseId: string) => (await enrolmentOf(person, courseId))?.id ?? "";
const exempt = async (person: Person, courseId: string, terms: Partial<ExemptionTerms> = {}) =>
  call(exemptions.create, { params: { id: await idOf(person, courseId) }, body: { ...now, ...terms } });
const cellOf = async (companyId: string, { user }: Person) =>
  (await peopleOf(companyId)).items.find(({ userId }) => userId === user.id)?.cells[0];
const setDue = async (person: Person, courseId: string, dueDate: string) =>
  bodyOf(await call(courses.setDue, { params: { id: courseId }, body: { userIds: [person.user.id], dueDate } }));
const openOf = async (person: Person, courseId: string) => {
  const { items } = bodyOf(await call(exemptions.list, { params: { id: await idOf(person, courseId) } }));
  return items.find(({ isOpen }) => isOpen);
};

test("what is missing, overdue or expired is exempt for the time, and due after it", async () => {
  const { company, course, learners: people } = await room(["Ada", "Bo", "Cy", "Di"]);
  const [ada, bo, cy, di] = people as [Person, Person, Person, Person];
  await complete(cy, company.id, course.id);
  await complete(di, company.id, course.id);
  await moveTo(di, course.id, dayIn(-500));
  await demand(company.id, course.id);
  await setDue(bo, course.id, dayIn(-3));
  await setDue(ada, course.id, dayIn(400));
  for (const person of people) expect((await exempt(person, course.id)).body).toEqual({ courses: 1 });
  const states = await Promise.all(people.map(async (person) => (await cellOf(company.id, person))?.state));
  expect(states).toEqual(["exempt", "exempt", "valid", "exempt"]);
  expect(await cellOf(company.id, bo)).toMatchObject({ dueDate: dayIn(44), exemptUntil: dayIn(30) });
  expect(await cellOf(company.id, ada)).toMatchObject({ dueDate: dayIn(400) });
  const { items, lapsedPeople, people: all } = bodyOf(await call(requirements.list, { params: { id: company.id } }));
  expect([items[0]?.counts, lapsedPeople, all]).toEqual([
    { valid: 1, ending: 0, missing: 0, overdue: 0, expired: 0, exempt: 3 },
    0,
    4,
  ]);
  expect((await peopleOf(company.id, { state: "exempt" })).total).toBe(3);
  expect((await peopleOf(company.id, { state: "lapsed" })).total).toBe(0);
  expect(bodyOf(await as(bo)(courses.mine)).items[0]).toMatchObject({ exemptUntil: dayIn(30), overdue: false });
});

test("a course opens again after the exemption, and is due on the later day", async () => {
  const { company, course, learners: people } = await room(["Ada"]);
  const [ada] = people as [Person];
  await complete(ada, company.id, course.id);
  await demand(company.id, course.id);
  await exempt(ada, course.id, { from: dayIn(-20), until: dayIn(40), due: dayIn(60) });
  // Valid for ten more days, so without the exemption the course would already be open again.
  await moveTo(ada, course.id, dayIn(-355));
  await work();
  expect(await cellOf(company.id, ada)).toMatchObject({ state: "valid", openedOn: null });
  const { items } = bodyOf(await call(outlooks.get, { params: { id: ada.user.id }, query: { days: 60 } }));
  expect(items.filter(({ kind }) => kind === "opens")).toMatchObject([{ day: dayIn(41), validUntil: dayIn(10) }]);
  const exemption = await openOf(ada, course.id);
  await db
    .updateTable("requirementExemptions")
    .set({ fromDay: dayIn(-40), untilDay: dayIn(-1), dueDay: dayIn(30) })
    .where("id", "=", exemption?.id ?? "")
    .execute();
  await work();
  expect(await cellOf(company.id, ada)).toMatchObject({ openedOn: dayIn(0), exemptUntil: null, dueDate: dayIn(10) });
});

test("ending one restores what it moved, and the person must hold the course again", async () => {
  const { company, course, learners: people } = await room(["Ada", "Bo"]);
  const [ada, bo] = people as [Person, Person];
  await demand(company.id, course.id);
  for (const person of [ada, bo]) {
    await setDue(person, course.id, dayIn(-3));
    await exempt(person, course.id);
  }
  expect((await exempt(ada, course.id)).code).toBe("exemptions.exists");
  const end = async (person: Person) =>
    call(exemptions.end, { params: { id: (await openOf(person, course.id))?.id ?? "" } });
  const [first] = bodyOf(await end(ada)).items;
  expect(first).toMatchObject({ isOpen: false, endedBy: admin.user.name });
  expect(await cellOf(company.id, ada)).toMatchObject({ state: "overdue", dueDate: dayIn(-3), exemptUntil: null });
  expect((await call(exemptions.end, { params: { id: first?.id ?? "" } })).code).toBe("exemptions.over");
  // Of an exemption that is older than a day, the days after it stay.
  await db
    .updateTable("requirementExemptions")
    .set({ createdAt: new Date(Date.now() - 2 * 86_400_000).toISOString(), fromDay: dayIn(-2) })
    .where("personId", "=", bo.user.id)
    .execute();
  await end(bo);
  expect(await cellOf(company.id, bo)).toMatchObject({ state: "missing", dueDate: dayIn(14) });
});

test("reminders of a day in an exemption are held back, and those after it are planned", async () => {
  const { company, course, learners: people } = await room(["Ada"]);
  const [ada] = people as [Person];
  await demand(company.id, course.id);
  await setDue(ada, course.id, dayIn(2));
  const terms = everyDay(step("due_soon", 20), step("due_soon", 7));
  bodyOf(await call(reminders.save, { params: { id: company.id }, body: { terms, version: 0 } }));
  await exempt(ada, course.id, { until: dayIn(10), due: dayIn(25) });
  const { items } = bodyOf(await call(outlooks.get, { params: { id: ada.user.id } }));
  const shown = items.flatMap((event) => {
    if (event.kind === "held") return [[event.day, event.reason]];
    return event.kind === "email" ? [[event.day, "sent"]] : [];
  });
  expect(shown).toEqual([
    [dayIn(5), "exempt"],
    [dayIn(18), "sent"],
  ]);
});

test("a reminder that was planned before the exemption is not sent", async () => {
  const { room: remindedRoom, savePlan, logOf, mailsOf, work: send } = createReminderTester(server, admin);
  const { company, course, people } = await remindedRoom(["Ada"]);
  const [ada] = people as [Person];
  await demand(company.id, course.id);
  await setDue(ada, course.id, dayIn(-1));
  await savePlan(company.id, everyDay(step("overdue", 1)));
  await planSteps(services);
  await exempt(ada, course.id);
  // As if the due date had been set again by hand.
  await setDue(ada, course.id, dayIn(-1));
  await send();
  expect(await mailsOf(company.id)).toEqual([]);
  expect(await logOf(company.id)).toMatchObject([{ status: "dropped", dropped: "exempt" }]);
});

test("Today offers an exempt course only when there is no other", async () => {
  const { company, course, learners: people } = await room(["Ada"]);
  const [ada] = people as [Person];
  const other = await make.course(admin);
  bodyOf(await call(courses.assign, { params: { id: other.id }, body: { companyIds: [company.id] } }));
  await demand(company.id, course.id);
  const next = async () => bodyOf(await as(ada)(todays.read)).next;
  expect((await next())?.courseId).toBe(course.id);
  await exempt(ada, course.id);
  expect((await next())?.courseId).toBe(other.id);
  await complete(ada, company.id, other.id);
  expect(await next()).toMatchObject({ courseId: course.id, exemptUntil: dayIn(30) });
});

test("of two admins who exempt a person at once, one is told", async () => {
  const { company, course, learners: people } = await room(["Ada"]);
  const [ada] = people as [Person];
  await demand(company.id, course.id);
  const replies = await Promise.all([exempt(ada, course.id), exempt(ada, course.id)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test("one exemption covers all courses that the person is not exempt from yet", async () => {
  const { company, course, learners: people } = await room(["Ada"]);
  const [ada] = people as [Person];
  const second = await make.course(admin);
  bodyOf(await call(courses.assign, { params: { id: second.id }, body: { companyIds: [company.id] } }));
  await demand(company.id, course.id);
  await demand(company.id, second.id);
  await exempt(ada, second.id, { from: dayIn(5) });
  expect((await exempt(ada, course.id, { everywhere: true })).body).toEqual({ courses: 1 });
  expect((await exempt(ada, second.id)).code).toBe("exemptions.exists");
  const { items } = await peopleOf(company.id);
  expect(items[0]?.cells.map(({ state }) => state).toSorted()).toEqual(["exempt", "missing"]);
});

test("managers see no reason and no note; wrong days are refused by field", async () => {
  const { company, course, learners: people } = await room(["Mona", "Ada"]);
  const [mona, ada] = people as [Person, Person];
  bodyOf(await call(learners.setManager, { body: { ids: [ada.user.id], managerId: mona.user.id } }));
  await demand(company.id, course.id);
  const note = "a note of the clinic";
  await exempt(ada, course.id, { ground: "health", note });
  const seen = bodyOf(await as(mona)(requirements.team));
  expect(seen.items[0]?.cells[0]).toMatchObject({ state: "exempt", exemptUntil: dayIn(30) });
  expect(JSON.stringify(seen)).not.toMatch(/health|clinic/);
  const id = await idOf(ada, course.id);
  expect((await as(mona)(exemptions.list, { params: { id } })).status).toBe(403);
  expect((await openOf(ada, course.id))?.note).toBe(note);
  const over = await exempt(ada, course.id, { from: dayIn(-9), until: dayIn(-1) });
  expect(over).toMatchObject({ status: 422, body: { issues: [{ path: "until" }] } });
  const refused = await exempt(ada, course.id, { until: dayIn(-1), due: dayIn(-2) });
  expect(refused).toMatchObject({ status: 422, body: { issues: [{ path: "until" }, { path: "due" }] } });
});
