import { expect, test } from "vitest";
import { notifyAssigned } from "#server/courses/assignmentMails.ts";
import { followPeople } from "#server/enrolmentRules/follow.ts";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import { courses } from "#shared/courses/courses.ts";
import { enrolmentRules, type RuleInput } from "#shared/enrolmentRules/enrolmentRules.ts";
import { learners } from "#shared/learners/learners.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// Rules for people who join or move, and the emails they get

const { as, make, db, services } = await start();
const admin = await make.admin();
const call = as(admin);

async function activate(companyId: string | null, courseId: string, more: Partial<RuleInput> = {}) {
  const body = { companyId, name: `Rule ${courseId.slice(0, 8)}`, courseIds: [courseId], ...more };
  const { id, version } = bodyOf(await call(enrolmentRules.create, { body }));
  bodyOf(await call(enrolmentRules.setState, { params: { id }, body: { state: "active", version } }));
  while (await runTurns(services));
  return id;
}
const openKinds = async ({ user }: Person, courseId: string) => {
  const query = { userId: user.id };
  const reply = await call(courses.reasons, { params: { id: courseId }, query });
  return reply.status === 404
    ? []
    : reply.body.items.filter(({ until }) => until === null).map(({ kind, company }) => [kind, company]);
};

test("people who move keep their old course and get those of the new company", async () => {
  const [from, to] = [await make.company(admin), await make.company(admin)];
  const [old, next] = [await make.course(admin), await make.course(admin)];
  const ada = await make.learner(from.accessCode, "Ada");
  await activate(from.id, old.id);
  await activate(to.id, next.id);
  bodyOf(await call(learners.move, { body: { ids: [ada.user.id], companyId: to.id } }));
  expect(await openKinds(ada, next.id)).toEqual([["rule", to.name]]);
  await followPeople.run(services, {});
  expect(await openKinds(ada, old.id)).toEqual([["kept", from.name]]);
});

test("a rule for all companies reaches each; one for existing people, no later ones", async () => {
  const company = await make.company(admin);
  const [everywhere, once] = [await make.course(admin), await make.course(admin)];
  const early = await make.learner(company.accessCode, "Early");
  await activate(null, everywhere.id);
  await activate(company.id, once.id, { people: "existing" });
  const late = await make.learner(company.accessCode, "Late");
  await followPeople.run(services, {});
  for (const person of [early, late]) expect(await openKinds(person, everywhere.id)).toHaveLength(1);
  expect(await openKinds(early, once.id)).toHaveLength(1);
  expect(await openKinds(late, once.id)).toEqual([]);
});

test("enrolled people get an email unless the rule sends none", async () => {
  const company = await make.company(admin);
  const ada = await make.learner(company.accessCode, "Ada");
  const [told, silent] = [await make.course(admin), await make.course(admin)];
  await activate(company.id, told.id);
  await activate(company.id, silent.id, { notify: false });
  const steps = await db.selectFrom("undoSteps").where("madeBy", "is", null).select("id").execute();
  for (const { id } of steps) await notifyAssigned.run(services, { stepId: id });
  const mails = await db
    .selectFrom("mails")
    .where("userId", "=", ada.user.id)
    .where("reason", "=", "courses.assigned")
    .select("body")
    .execute();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.body).toContain(told.title);
});

test("people who move get an email about the courses of the new company", async () => {
  const [from, to] = [await make.company(admin), await make.company(admin)];
  const course = await make.course(admin);
  const ada = await make.learner(from.accessCode, "Ada");
  await activate(to.id, course.id);
  const before = await db.selectFrom("undoSteps").select("id").execute();
  bodyOf(await call(learners.move, { body: { ids: [ada.user.id], companyId: to.id } }));
  const known = before.map(({ id }) => id);
  const steps = await db.selectFrom("undoSteps").where("madeBy", "is", null).select("id").execute();
  for (const { id } of steps.filter((step) => !known.includes(step.id)))
    await notifyAssigned.run(services, { stepId: id });
  const mails = await db
    .selectFrom("mails")
    .where("userId", "=", ada.user.id)
    .where("reason", "=", "courses.assigned")
    .select("body")
    .execute();
  expect(mails).toMatchObject([{ body: expect.stringContaining(course.title) }]);
});

test("a dry run says on which day people would have been enrolled", async () => {
  const company = await make.company(admin);
  await make.learner(company.accessCode, "Ada");
  const course = await make.course(admin);
  const draft = { companyId: company.id, condition: null, courseIds: [course.id], people: "all" as const };
  const past = bodyOf(await call(enrolmentRules.past, { body: draft }));
  expect(past).toMatchObject({ total: 1, days: [{ count: 1, names: ["Ada"] }] });
});
