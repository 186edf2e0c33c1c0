import { expect, test } from "vitest";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import { courses } from "#shared/courses/courses.ts";
import { enrolmentRules, type RuleInput } from "#shared/enrolmentRules/enrolmentRules.ts";
import { fields } from "#shared/fields/fields.ts";
import { learners } from "#shared/learners/learners.ts";
import { outlooks, type OutlookEvent } from "#shared/outlook/outlook.ts";
import { reminders } from "#shared/reminders/reminders.ts";
import { bodyOf } from "#test/probes.ts";
import { createReminderTester, everyDay, step } from "#test/reminders.ts";
import { addMonths, createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";

// What will reach a person, why they have their courses, and why a rule does not give them one

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, services } = server;
const admin = await make.admin();
const { call, room, setDue, savePlan, workAgain, mailsOf, lead } = createReminderTester(server, admin);

const outlookOf = async (person: Person, reader = admin, days = 30) =>
  bodyOf(await as(reader)(outlooks.get, { params: { id: person.user.id }, query: { days } }));
const ofKind = <Kind extends OutlookEvent["kind"]>(items: OutlookEvent[], kind: Kind) =>
  items.filter((event): event is Extract<OutlookEvent, { kind: Kind }> => event.kind === kind);
const rulesOf = async (person: Person, query = {}) =>
  bodyOf(await call(outlooks.rules, { params: { id: person.user.id }, query })).items;
async function activate(companyId: string, courseIds: string[], more: Partial<RuleInput> = {}) {
  const body = { companyId, name: "Safety", courseIds, ...more };
  const { id, version } = bodyOf(await call(enrolmentRules.create, { body }));
  const rule = bodyOf(await call(enrolmentRules.setState, { params: { id }, body: { state: "active", version } }));
  while (await runTurns(services));
  return rule;
}

test("names the emails of the next days, to whom, and the due date", async () => {
  const { company, course, people } = await room(["Anna", "Mia"]);
  const [anna, mia] = people as [Person, Person];
  await lead(mia, anna);
  await setDue(anna, course.id, 5);
  await savePlan(company.id, everyDay(step("due_soon", 2), step("overdue", 1, "both")));
  const { items, reminders: state } = await outlookOf(anna);
  expect(state).toBe("on");
  const emails = ofKind(items, "email").map(({ day, toManager, recipient }) => [day, toManager, recipient]);
  expect(emails).toEqual([
    [dayIn(3), false, anna.user.name],
    [dayIn(6), false, anna.user.name],
    [dayIn(6), true, mia.user.name],
  ]);
  expect(ofKind(items, "due")).toEqual([{ kind: "due", day: dayIn(5), courseId: course.id, course: course.title }]);
});

test("tells the day on which the email then leaves", async () => {
  const { company, course, people } = await room(["Otto"]);
  const [otto] = people as [Person];
  await setDue(otto, course.id, 4);
  await savePlan(company.id, everyDay(step("due_soon", 4), step("due_soon", 1)));
  const before = ofKind((await outlookOf(otto)).items, "email").map(({ day }) => day);
  expect(before).toEqual([dayIn(0), dayIn(3)]);
  await workAgain(company.id);
  expect(await mailsOf(company.id)).toHaveLength(1);
  expect(ofKind((await outlookOf(otto)).items, "email").map(({ day }) => day)).toEqual([dayIn(3)]);
});

test("a reminder by hand today does not hold back one in two days", async () => {
  const { company, course, people } = await room(["Rosa"]);
  const [rosa] = people as [Person];
  await setDue(rosa, course.id, -1);
  await savePlan(company.id, everyDay(step("overdue", 1), step("overdue", 3)));
  bodyOf(await call(courses.remind, { body: { userIds: [rosa.user.id] } }));
  const { items } = await outlookOf(rosa);
  expect(ofKind(items, "held").map(({ day, reason }) => [day, reason])).toEqual([[dayIn(0), "reminded"]]);
  expect(ofKind(items, "email").map(({ day }) => day)).toEqual([dayIn(2)]);
  const terms = everyDay(step("overdue", 1), step("overdue", 3));
  const body = { terms, day: dayIn(2), size: 200 };
  const preview = bodyOf(await call(reminders.preview, { params: { id: company.id }, body }));
  expect(preview.items.map(({ dropped }) => dropped)).toEqual([null]);
});

test("learners read what reaches them, and not why an email is held back", async () => {
  const { company, course, people } = await room(["Ida"]);
  const [ida] = people as [Person];
  await setDue(ida, course.id, 2);
  await savePlan(company.id, everyDay(step("due_soon", 1, "manager"), step("overdue", 1)));
  expect(ofKind((await outlookOf(ida)).items, "held").map(({ reason }) => reason)).toEqual(["noManager"]);
  const own = await outlookOf(ida, ida);
  expect(own.items.map(({ kind, day }) => [kind, day])).toEqual([
    ["due", dayIn(2)],
    ["email", dayIn(3)],
  ]);
});

test("only the person, their managers and admins read it", async () => {
  const { company, people } = await room(["Ben", "Lea", "Tom"]);
  const [ben, lea, tom] = people as [Person, Person, Person];
  await lead(lea, ben);
  await savePlan(company.id, everyDay(step("overdue", 1)));
  const to = (reader: Person) => ({
    get: as(reader)(outlooks.get, { params: { id: ben.user.id }, query: {} }),
    courses: as(reader)(outlooks.courses, { params: { id: ben.user.id }, query: {} }),
    rules: as(reader)(outlooks.rules, { params: { id: ben.user.id }, query: {} }),
    member: as(reader)(outlooks.member, { params: { id: ben.user.id }, query: {} }),
  });
  const statuses = async (reader: Person) => {
    const asked = to(reader);
    const replies = await Promise.all([asked.get, asked.courses, asked.rules, asked.member]);
    return replies.map(({ status }) => status);
  };
  expect(await statuses(ben)).toEqual([200, 200, 403, 403]);
  expect(await statuses(lea)).toEqual([404, 404, 403, 200]);
  expect(await statuses(tom)).toEqual([404, 404, 403, 403]);
  expect(await statuses(admin)).toEqual([200, 200, 200, 403]);
});

test("says that nothing is sent to a suspended person, or by a plan that is off", async () => {
  const { company, course, people } = await room(["Kim", "Jo"]);
  const [kim, jo] = people as [Person, Person];
  await setDue(kim, course.id, 2);
  await setDue(jo, course.id, 2);
  expect((await outlookOf(jo)).reminders).toBe("off");
  await savePlan(company.id, everyDay(step("due_soon", 1)));
  bodyOf(await call(learners.suspend, { body: { ids: [kim.user.id], reason: "Leave" } }));
  const { items, reminders: state } = await outlookOf(kim);
  expect(state).toBe("suspended");
  expect(ofKind(items, "email")).toEqual([]);
  expect(ofKind(items, "held").map(({ reason }) => reason)).toEqual(["suspended"]);
});

test("tells when a course opens again and expires, and the reminders in between", async () => {
  const { room: requiredRoom, demand, complete, moveTo, work } = createRequirementTester(server, admin);
  const { company, course, learners: people } = await requiredRoom(["Anna"]);
  const [anna] = people as [Person];
  await demand(company.id, course.id);
  await complete(anna, company.id, course.id);
  await savePlan(company.id, everyDay(step("not_started", 7), step("due_soon", 50)));
  expect((await outlookOf(anna)).items).toEqual([]);
  const events = async () => (await outlookOf(anna, anna, 90)).items.map(({ kind, day }) => [kind, day]);
  const laterBy = (days: number) => [
    ["email", dayIn(days + 7)],
    ["email", dayIn(days + 10)],
    ["expires", dayIn(days + 60)],
  ];

  await moveTo(anna, course.id, addMonths(dayIn(70), -12));
  expect(await events()).toEqual([["opens", dayIn(10)], ...laterBy(10)]);
  // What was told is what the course that has opened says.
  await moveTo(anna, course.id, addMonths(dayIn(60), -12));
  await work();
  expect(await events()).toEqual([...laterBy(0).slice(0, 2), ["due", dayIn(60)], ["expires", dayIn(60)]]);
});

test("tells the day on which a rule of new people ends, and what it takes", async () => {
  const company = await make.company(admin, { timezone: "UTC" });
  const [kept, taken] = [await make.course(admin), await make.course(admin)];
  const condition = { match: "all" as const, tests: [{ kind: "joined" as const, is: "within" as const, days: 20 }] };
  await activate(company.id, [kept.id], { condition });
  await activate(company.id, [taken.id], { condition, leaving: "withdraw", name: "Welcome" });
  const anna = await make.learner(company.accessCode, "Anna");
  const leaves = ofKind((await outlookOf(anna)).items, "leaves");
  expect(leaves.map(({ day, courseId, rule, isWithdrawn }) => [day, courseId, rule, isWithdrawn])).toEqual(
    expect.arrayContaining([
      [dayIn(20), kept.id, "Safety", false],
      [dayIn(20), taken.id, "Welcome", true],
    ]),
  );
  const own = ofKind((await outlookOf(anna, anna)).items, "leaves");
  expect(own.map(({ courseId, rule }) => [courseId, rule])).toEqual([[taken.id, null]]);
  expect(ofKind((await outlookOf(anna, admin, 19)).items, "leaves")).toEqual([]);
});

test("names what a person does not meet of a rule, with what is known of them", async () => {
  const company = await make.company(admin);
  const course = await make.course(admin);
  const body = {
    name: "Department",
    key: "department",
    kind: "choice" as const,
    companyId: company.id,
    choices: [{ name: "Operations" }, { name: "Sales" }],
  };
  const field = bodyOf(await call(fields.create, { body }));
  const [operations, sales] = field.choices as unknown as [{ id: string }, { id: string }];
  const anna = await make.learner(company.accessCode, "Anna");
  const { version } = bodyOf(await call(learners.get, { params: { id: anna.user.id } }));
  const change = { version, fields: { [field.id]: sales.id } };
  bodyOf(await call(learners.update, { params: { id: anna.user.id }, body: change }));
  const condition = {
    match: "all" as const,
    tests: [
      { kind: "status" as const, is: "is" as const, status: "active" as const },
      { kind: "field" as const, field: field.id, is: "equal" as const, value: operations.id },
    ],
  };
  await activate(company.id, [course.id], { condition });
  const [rule] = await rulesOf(anna, { courseId: course.id });
  expect(rule?.verdict).toBe("unmet");
  expect(rule?.tests).toEqual([
    { isMet: true, value: "active" },
    { isMet: false, value: "Sales" },
  ]);
  expect(rule?.courses.map(({ has }) => has)).toEqual(["not"]);
});

test("says why a person who meets a rule has no course by it", async () => {
  const company = await make.company(admin);
  const [course, later, once] = [await make.course(admin), await make.course(admin), await make.course(admin)];
  const anna = await make.learner(company.accessCode, "Anna");
  await activate(company.id, [course.id], { name: "A" });
  await activate(company.id, [later.id], { name: "B", people: "future" });
  await activate(company.id, [once.id], { name: "C", people: "existing" });
  const mia = await make.learner(company.accessCode, "Mia");
  const verdicts = async (person: Person) => (await rulesOf(person)).map(({ verdict }) => verdict);
  expect(await verdicts(anna)).toEqual(["gives", "exception", "gives"]);
  expect(await verdicts(mia)).toEqual(["gives", "gives", "existingOnly"]);
  bodyOf(await call(courses.withdraw, { params: { id: course.id }, body: { userIds: [anna.user.id] } }));
  expect(await verdicts(anna)).toEqual(["withdrawn", "exception", "gives"]);
});

test("lists each course with its reasons; learners read only those that hold", async () => {
  const company = await make.company(admin);
  const [course, gone] = [await make.course(admin), await make.course(admin)];
  const anna = await make.learner(company.accessCode, "Anna");
  await activate(company.id, [course.id], { explanation: "Everybody here needs it." });
  for (const { id } of [course, gone])
    bodyOf(await call(courses.assign, { params: { id }, body: { userIds: [anna.user.id] } }));
  bodyOf(await call(courses.withdraw, { params: { id: gone.id }, body: { userIds: [anna.user.id] } }));
  const list = async (reader: Person) =>
    bodyOf(await as(reader)(outlooks.courses, { params: { id: anna.user.id }, query: {} })).items.map(
      ({ courseId, status, reasons }) => [courseId, status, reasons.map(({ kind }) => kind).toSorted()],
    );
  expect(await list(anna)).toEqual([[course.id, "assigned", ["person", "rule"]]]);
  expect(await list(admin)).toEqual([
    [course.id, "assigned", ["person", "rule"]],
    [gone.id, "withdrawn", ["person"]],
  ]);
});
