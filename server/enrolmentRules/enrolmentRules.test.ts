import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { followPeople } from "#server/enrolmentRules/follow.ts";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import type { PersonTest } from "#shared/conditions/conditions.ts";
import { courses } from "#shared/courses/courses.ts";
import { enrolmentRules, type RuleInput } from "#shared/enrolmentRules/enrolmentRules.ts";
import { fields } from "#shared/fields/fields.ts";
import { groups } from "#shared/groups/groups.ts";
import { learners } from "#shared/learners/learners.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// Rules: whom they enrol, whom they leave alone, and how that is explained and undone

const { as, make, db, services } = await start();
const admin = await make.admin();
const call = as(admin);

const work = async () => {
  while (await runTurns(services));
  await followPeople.run(services, {});
};
const ruleFor = (companyId: string | null, courseIds: string[], more: Partial<RuleInput> = {}) => ({
  companyId,
  name: `Rule ${randomUUID().slice(0, 8)}`,
  courseIds,
  ...more,
});
const all = (...tests: PersonTest[]) => ({ match: "all" as const, tests });
/** Switches a rule on and applies it. */
async function activate(companyId: string | null, courseIds: string[], more: Partial<RuleInput> = {}) {
  const made = bodyOf(await call(enrolmentRules.create, { body: ruleFor(companyId, courseIds, more) }));
  const body = { state: "active" as const, version: made.version };
  const rule = bodyOf(await call(enrolmentRules.setState, { params: { id: made.id }, body }));
  await work();
  return rule;
}
const enrolmentsOf = async (person: Person, courseId: string) =>
  bodyOf(await call(courses.enrolments, { query: { courseId, userId: person.user.id } })).items;
const reasonsOf = async (person: Person, courseId: string) =>
  bodyOf(await call(courses.reasons, { params: { id: courseId }, query: { userId: person.user.id } })).items;
const openReasons = async (person: Person, courseId: string) =>
  (await reasonsOf(person, courseId)).filter(({ until }) => until === null).map(({ kind, rule }) => [kind, rule]);
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A company with two learners, and a published course without learners. */
async function room() {
  const company = await make.company(admin);
  const [ada, bo] = [await make.learner(company.accessCode, "Ada"), await make.learner(company.accessCode, "Bo")];
  const course = await make.course(admin);
  return { company, ada, bo, course };
}

test("a preview says whom a rule would enrol, and changes nothing", async () => {
  const { company, ada, bo, course } = await room();
  bodyOf(await call(courses.assign, { params: { id: course.id }, body: { userIds: [bo.user.id] } }));
  const draft = { ...ruleFor(company.id, [course.id]), condition: null };
  const preview = bodyOf(await call(enrolmentRules.preview, { body: draft }));
  expect(preview).toMatchObject({ meet: 2, fresh: 1, has: 1, withdrawn: 0, enrolments: 1, names: ["Ada"] });
  expect(preview.courses).toMatchObject([{ id: course.id, fresh: 1, has: 1 }]);
  const people = bodyOf(await call(enrolmentRules.previewPeople, { body: { ...draft, part: "fresh" } }));
  expect(people).toMatchObject({ total: 1, items: [{ id: ada.user.id, fresh: 1 }] });
  const searched = bodyOf(await call(enrolmentRules.previewPeople, { body: { ...draft, part: "meet", q: "bo" } }));
  expect(searched.items.map(({ id }) => id)).toEqual([bo.user.id]);
  expect(await enrolmentsOf(ada, course.id)).toEqual([]);
});

test("a draft enrols no one; once active, the rule enrols everyone once, with a reason", async () => {
  const { company, ada, course } = await room();
  const made = bodyOf(await call(enrolmentRules.create, { body: ruleFor(company.id, [course.id]) }));
  await work();
  expect(await enrolmentsOf(ada, course.id)).toEqual([]);
  const rule = await activate(company.id, [course.id], { due: { kind: "assigned", days: 14 }, explanation: "Safety" });
  expect(await enrolmentsOf(ada, course.id)).toMatchObject([{ status: "assigned", dueDate: dayIn(14) }]);
  const again = bodyOf(
    await call(enrolmentRules.setState, { params: { id: made.id }, body: { state: "active", version: made.version } }),
  );
  await work();
  expect(await enrolmentsOf(ada, course.id)).toHaveLength(1);
  expect((await openReasons(ada, course.id)).toSorted()).toEqual(
    [
      ["rule", rule.name],
      ["rule", again.name],
    ].toSorted(),
  );
  const mine = bodyOf(await as(ada)(courses.reasons, { params: { id: course.id } })).items;
  expect(mine.find(({ rule: name }) => name === rule.name)).toMatchObject({
    explanation: "Safety",
    dueDate: dayIn(14),
    by: null,
    ruleId: null,
  });
  expect(bodyOf(await call(enrolmentRules.get, { params: { id: rule.id } }))).toMatchObject({
    enrolled: 2,
    run: { state: "applied", added: 2 },
  });
});

test("people are enrolled in the transaction that creates them", async () => {
  const { company, course } = await room();
  const rule = await activate(company.id, [course.id], { people: "future" });
  const cy = await make.learner(company.accessCode, "Cy");
  expect(await openReasons(cy, course.id)).toEqual([["rule", rule.name]]);
  await work();
  expect(await openReasons(cy, course.id)).toEqual([["rule", rule.name]]);
  bodyOf(
    await call(learners.invite, {
      body: { companyId: company.id, people: [{ email: "di@example.com", name: "Di" }], courseIds: [] },
    }),
  );
  const { items } = bodyOf(await call(courses.enrolments, { query: { courseId: course.id } }));
  expect(items.map(({ name }) => name).toSorted()).toEqual(["Cy", "Di"]);
});

test("people who join a group are enrolled, and keep the course when they leave it", async () => {
  const { company, ada, course } = await room();
  const group = bodyOf(await call(groups.create, { body: { companyId: company.id, name: "Operations", rule: null } }));
  const rule = await activate(company.id, [course.id], {
    condition: all({ kind: "group", group: group.id, is: "member" }),
  });
  expect(await enrolmentsOf(ada, course.id)).toEqual([]);
  const place = (where: "in" | null) =>
    call(groups.place, { params: { id: group.id }, body: { ids: [ada.user.id], place: where } });
  bodyOf(await place("in"));
  await work();
  expect(await openReasons(ada, course.id)).toEqual([["rule", rule.name]]);
  bodyOf(await place(null));
  await work();
  expect(await enrolmentsOf(ada, course.id)).toMatchObject([{ status: "assigned" }]);
  expect(await openReasons(ada, course.id)).toEqual([["kept", rule.name]]);
  bodyOf(await place("in"));
  await work();
  expect(await openReasons(ada, course.id)).toEqual([["rule", rule.name]]);
  expect((await call(groups.remove, { params: { id: group.id } })).code).toBe("groups.used");
});

test("a rule withdraws only unopened courses, and gives them again", async () => {
  const { company, ada, bo, course } = await room();
  const field = bodyOf(
    await call(fields.create, {
      body: { companyId: company.id, key: "team", name: "Team", kind: "choice", choices: [{ name: "Operations" }] },
    }),
  );
  const choice = field.choices[0]?.id ?? "";
  const setTeam = async ({ user: { id } }: Person, value: string | null) => {
    const { version } = bodyOf(await call(learners.get, { params: { id } }));
    return call(learners.update, { params: { id }, body: { fields: { [field.id]: value }, version } });
  };
  for (const person of [ada, bo]) bodyOf(await setTeam(person, choice));
  await activate(company.id, [course.id], {
    condition: all({ kind: "field", field: field.id, is: "equal", value: choice }),
    leaving: "withdraw",
  });
  await make.launch(bo, company.id, course.id);
  await sql`
    update enrolments set first_started_at = now(), status = 'in_progress'
    where user_id = ${bo.user.id} and course_id = ${course.id}`.execute(db);
  for (const person of [ada, bo]) bodyOf(await setTeam(person, null));
  await work();
  const withdrawn = await call(courses.enrolments, { query: { courseId: course.id, status: "withdrawn" } });
  expect(bodyOf(withdrawn).items.map(({ name }) => name)).toEqual(["Ada"]);
  expect(await openReasons(bo, course.id)).toMatchObject([["kept", expect.any(String)]]);
  bodyOf(await setTeam(ada, choice));
  await work();
  expect(await enrolmentsOf(ada, course.id)).toMatchObject([{ status: "assigned" }]);
});

test("a withdrawal by an admin holds until the course is given back; previews count it", async () => {
  const { company, ada, course } = await room();
  const rule = await activate(company.id, [course.id]);
  const userIds = [ada.user.id];
  bodyOf(await call(courses.withdraw, { params: { id: course.id }, body: { userIds } }));
  await activate(company.id, [course.id]);
  expect(await enrolmentsOf(ada, course.id)).toEqual([]);
  const preview = bodyOf(
    await call(enrolmentRules.preview, { body: { ...ruleFor(company.id, [course.id]), condition: null } }),
  );
  expect(preview).toMatchObject({ meet: 2, fresh: 0, withdrawn: 1 });
  bodyOf(await call(courses.restore, { params: { id: course.id }, body: { userIds } }));
  await work();
  expect(await enrolmentsOf(ada, course.id)).toMatchObject([{ status: "assigned" }]);
  expect((await openReasons(ada, course.id)).map(([kind]) => kind).toSorted()).toEqual(["person", "rule", "rule"]);
  expect((await openReasons(ada, course.id)).map(([, name]) => name)).toContain(rule.name);
});

test("undoing takes back unopened courses, names other learners and pauses the rule", async () => {
  const { company, ada, bo, course } = await room();
  const rule = await activate(company.id, [course.id]);
  await sql`
    update enrolments set first_started_at = now(), status = 'in_progress'
    where user_id = ${bo.user.id} and course_id = ${course.id}`.execute(db);
  const params = { id: rule.id };
  expect(bodyOf(await call(enrolmentRules.undo, { params }))).toMatchObject({ state: "paused" });
  await work();
  expect(await enrolmentsOf(ada, course.id)).toEqual([]);
  expect(await enrolmentsOf(bo, course.id)).toMatchObject([{ status: "in_progress" }]);
  const undone = bodyOf(await call(enrolmentRules.get, { params }));
  expect(undone.run).toMatchObject({ state: "undone", undone: 1, left: 1, leftNames: ["Bo"], undoUntil: null });
  expect((await call(enrolmentRules.undo, { params })).code).toBe("enrolmentRules.cannotUndo");
  const body = { state: "active" as const, version: undone.version };
  bodyOf(await call(enrolmentRules.setState, { params, body }));
  await work();
  expect(await enrolmentsOf(ada, course.id)).toMatchObject([{ status: "assigned" }]);
});

test("the earlier day of two rules counts, and a preview names the other rule", async () => {
  const { company, ada, course } = await room();
  const slow = await activate(company.id, [course.id], { due: { kind: "assigned", days: 30 } });
  const draft = { ...ruleFor(company.id, [course.id], { due: { kind: "assigned", days: 7 } }), condition: null };
  expect(bodyOf(await call(enrolmentRules.preview, { body: draft })).conflicts).toMatchObject([
    { ruleId: slow.id, people: 2, earlier: 0, due: { kind: "assigned", days: 30 } },
  ]);
  await activate(company.id, [course.id], { due: { kind: "assigned", days: 7 } });
  expect(await enrolmentsOf(ada, course.id)).toMatchObject([{ dueDate: dayIn(7) }]);
});

test("a due date that an admin has set stays", async () => {
  const { company, ada, course } = await room();
  await activate(company.id, [course.id], { due: { kind: "assigned", days: 30 } });
  const body = { userIds: [ada.user.id], dueDate: dayIn(60) };
  bodyOf(await call(courses.setDue, { params: { id: course.id }, body }));
  await activate(company.id, [course.id], { due: { kind: "assigned", days: 7 } });
  expect(await enrolmentsOf(ada, course.id)).toMatchObject([{ dueDate: dayIn(60) }]);
});

test("of two admins who change the same rule, the second one is refused", async () => {
  const { company, course } = await room();
  const rule = await activate(company.id, [course.id]);
  const send = (name: string) =>
    call(enrolmentRules.update, { params: { id: rule.id }, body: { name, version: rule.version } });
  expect((await send("First")).status).toBe(200);
  expect((await send("Second")).code).toBe("core.conflict");
});

test("a changed rule applies to everyone again; courses that it no longer gives stay", async () => {
  const { company, ada, course } = await room();
  const other = await make.course(admin);
  const rule = await activate(company.id, [course.id]);
  const body = { courseIds: [other.id], version: rule.version };
  bodyOf(await call(enrolmentRules.update, { params: { id: rule.id }, body }));
  await work();
  expect(await openReasons(ada, course.id)).toEqual([["kept", rule.name]]);
  expect(await openReasons(ada, other.id)).toEqual([["rule", rule.name]]);
});

test("courses of a removed rule are kept, and their reason still names it", async () => {
  const { company, ada, course } = await room();
  const rule = await activate(company.id, [course.id]);
  expect((await call(enrolmentRules.remove, { params: { id: rule.id } })).status).toBe(204);
  expect(await openReasons(ada, course.id)).toEqual([["kept", rule.name]]);
  expect((await call(enrolmentRules.get, { params: { id: rule.id } })).status).toBe(404);
});

test("a rule cannot take away its own courses", async () => {
  const { company, course } = await room();
  const other = await make.course(admin);
  const own = ruleFor(company.id, [course.id], { condition: all({ kind: "course", course: course.id, is: "hasNot" }) });
  expect((await call(enrolmentRules.create, { body: own })).body).toMatchObject({
    issues: [{ path: "condition", code: "enrolmentRules.ownCourse" }],
  });
  const condition = all({ kind: "course", course: other.id, is: "has" });
  const body = ruleFor(company.id, [course.id], { condition, leaving: "withdraw" });
  expect((await call(enrolmentRules.create, { body })).status).toBe(422);
});
