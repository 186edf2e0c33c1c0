import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { followPeople } from "#server/enrolmentRules/follow.ts";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import type { PersonTest } from "#shared/conditions/conditions.ts";
import { courses } from "#shared/courses/courses.ts";
import { enrolmentRules, type RuleInput } from "#shared/enrolmentRules/enrolmentRules.ts";
import { groups } from "#shared/groups/groups.ts";
import { learners } from "#shared/learners/learners.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// Rules together with assignments, withdrawals, undoing and moves

const { as, make, db, services } = await start();
const admin = await make.admin();
const call = as(admin);

const work = async () => {
  while (await runTurns(services));
  await followPeople.run(services, {});
};
async function activate(companyId: string | null, courseId: string, more: Partial<RuleInput> = {}) {
  const body = { companyId, name: `Rule ${randomUUID().slice(0, 8)}`, courseIds: [courseId], ...more };
  const { id, version } = bodyOf(await call(enrolmentRules.create, { body }));
  const rule = bodyOf(await call(enrolmentRules.setState, { params: { id }, body: { state: "active", version } }));
  await work();
  return rule;
}
const setState = async (id: string, state: "active" | "paused") => {
  const { version } = bodyOf(await call(enrolmentRules.get, { params: { id } }));
  return call(enrolmentRules.setState, { params: { id }, body: { state, version } });
};
const statusOf = async ({ user }: Person, courseId: string) =>
  (
    await db
      .selectFrom("enrolments")
      .where("userId", "=", user.id)
      .where("courseId", "=", courseId)
      .select("status")
      .executeTakeFirst()
  )?.status;
const openKinds = async ({ user }: Person, courseId: string) =>
  bodyOf(await call(courses.reasons, { params: { id: courseId }, query: { userId: user.id } }))
    .items.filter(({ until }) => until === null)
    .map(({ kind }) => kind);
const assign = async (courseId: string, { user }: Person) =>
  bodyOf(await call(courses.assign, { params: { id: courseId }, body: { userIds: [user.id] } })).undoId;
const undo = async (id: string) => bodyOf(await call(courses.undo, { params: { id } }));

async function room() {
  const company = await make.company(admin);
  const ada = await make.learner(company.accessCode, "Ada");
  const course = await make.course(admin);
  return { company, ada, course };
}
/** A group with one person, a rule that withdraws on leaving it, and a function that moves the person in or out. */
async function groupRoom() {
  const found = await room();
  const { company, ada, course } = found;
  const group = bodyOf(await call(groups.create, { body: { companyId: company.id, name: "Crew", rule: null } }));
  const place = async (where: "in" | null) => {
    bodyOf(await call(groups.place, { params: { id: group.id }, body: { ids: [ada.user.id], place: where } }));
    await work();
  };
  await place("in");
  const tests = [{ kind: "group" as const, group: group.id, is: "member" as const }];
  const rule = await activate(company.id, course.id, { condition: { match: "all", tests }, leaving: "withdraw" });
  return { ...found, rule, place };
}

test("a withdrawal by an admin outlasts an undone assignment", async () => {
  const { company, ada, course } = await room();
  await activate(company.id, course.id);
  bodyOf(await call(courses.withdraw, { params: { id: course.id }, body: { userIds: [ada.user.id] } }));
  await undo(await assign(course.id, ada));
  await work();
  expect(await statusOf(ada, course.id)).toBe("withdrawn");
  await activate(company.id, course.id);
  expect(await statusOf(ada, course.id)).toBe("withdrawn");
});

test("rules can give a course again after its assignment was undone", async () => {
  const { company, ada, course } = await room();
  await undo(await assign(course.id, ada));
  expect(await statusOf(ada, course.id)).toBe("withdrawn");
  await activate(company.id, course.id);
  expect(await statusOf(ada, course.id)).toBe("assigned");
});

test("undoing an assignment keeps a course that a rule gives too", async () => {
  const { company, ada, course } = await room();
  const undoId = await assign(course.id, ada);
  await activate(company.id, course.id);
  await undo(undoId);
  expect(await statusOf(ada, course.id)).toBe("assigned");
  expect(await openKinds(ada, course.id)).toEqual(["rule"]);
});

test("a preview does not list people who have moved to another company as leaving", async () => {
  const { company, course } = await room();
  const stays = await make.learner(company.accessCode, "Traveller Bo");
  const moves = await make.learner(company.accessCode, "Traveller Cy");
  const rule = await activate(null, course.id);
  bodyOf(await setState(rule.id, "paused"));
  const target = await make.company(admin);
  bodyOf(await call(learners.move, { body: { ids: [moves.user.id], companyId: target.id } }));
  const nobody = { kind: "status" as const, is: "is" as const, status: "invited" as const };
  const draft = {
    id: rule.id,
    companyId: null,
    courseIds: [course.id],
    condition: { match: "all" as const, tests: [nobody] },
    people: "all" as const,
  };
  const everyone = await db.selectFrom("users").where("role", "=", "learner").select("id").execute();
  expect(bodyOf(await call(enrolmentRules.preview, { body: draft })).leaves).toBe(everyone.length - 1);
  const query = { ...draft, part: "leaves" as const, q: "Traveller" };
  const page = bodyOf(await call(enrolmentRules.previewPeople, { body: query }));
  expect(page.items.map(({ id }) => id)).toEqual([stays.user.id]);
});

test("undoing a run keeps a course that was opened without a commit", async () => {
  const { company, ada, course } = await room();
  const rule = await activate(company.id, course.id);
  await make.launch(ada, company.id, course.id);
  expect(await statusOf(ada, course.id)).toBe("assigned");
  bodyOf(await call(enrolmentRules.undo, { params: { id: rule.id } }));
  await work();
  expect(await statusOf(ada, course.id)).toBe("assigned");
  expect(await openKinds(ada, course.id)).toEqual(["kept"]);
});

test("a rule that withdraws keeps a course that was opened without a commit", async () => {
  const { company, ada, course, place } = await groupRoom();
  await make.launch(ada, company.id, course.id);
  await place(null);
  expect(await statusOf(ada, course.id)).toBe("assigned");
  expect(await openKinds(ada, course.id)).toEqual(["kept"]);
});

test("renaming an active rule starts no new run", async () => {
  const { company, course } = await room();
  const rule = await activate(company.id, course.id);
  const { run } = bodyOf(await call(enrolmentRules.get, { params: { id: rule.id } }));
  const { name: _, id, version, condition, courses: given, people } = rule;
  const body = { name: "Renamed", version, condition, people, courseIds: given.map((one) => one.id) };
  const renamed = bodyOf(await call(enrolmentRules.update, { params: { id }, body }));
  expect(renamed).toMatchObject({ name: "Renamed", run: { id: run?.id, state: "applied" } });
});

test("a rule whose run is being undone cannot be switched on", async () => {
  const { company, ada, course } = await room();
  const rule = await activate(company.id, course.id);
  bodyOf(await call(enrolmentRules.undo, { params: { id: rule.id } }));
  expect(await setState(rule.id, "active")).toMatchObject({ status: 409, code: "enrolmentRules.undoing" });
  await work();
  expect(await statusOf(ada, course.id)).toBe("withdrawn");
  expect((await setState(rule.id, "active")).status).toBe(200);
});

test("an assignment is kept while a rule withdraws the course", { timeout: 60_000 }, async () => {
  const { ada, course, place } = await groupRoom();
  const [enrolment] = await db.selectFrom("enrolments").where("userId", "=", ada.user.id).selectAll().execute();
  if (!enrolment) throw new Error("not enrolled");
  let leaving: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (tx) => {
    // Locks the course as an assignment does.
    await tx.selectFrom("courses").where("id", "=", course.id).select("id").forUpdate().execute();
    await tx
      .insertInto("enrolmentReasons")
      .values({ enrolmentId: enrolment.id, companyId: enrolment.companyId, kind: "person", madeBy: admin.user.id })
      .execute();
    leaving = place(null);
    await Promise.race([leaving, isWaiting()]);
  });
  await leaving;
  expect(await statusOf(ada, course.id)).toBe("assigned");
  expect(await openKinds(ada, course.id)).toEqual(["person"]);
});

/** Resolves when a transaction waits for a row lock. */
async function isWaiting() {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows.length > 0) return;
    await sleep(20);
  }
}

test("the rule of a group cannot make an enrolment rule take away its own courses", async () => {
  const { company, course, rule } = await groupRoom();
  const { items } = bodyOf(await call(groups.list, { query: { companyId: company.id } }));
  const [crew] = items;
  const inner = bodyOf(await call(groups.create, { body: { companyId: company.id, name: "Inner", rule: null } }));
  const update = async (group: { id: string } | undefined, test: PersonTest) => {
    const id = group?.id ?? "";
    const { version } = bodyOf(await call(groups.get, { params: { id } }));
    const body = { version, rule: { match: "all" as const, tests: [test] } };
    return call(groups.update, { params: { id }, body });
  };
  const refused = (code: string) => ({ status: 422, body: { issues: [{ path: "rule", code }] } });
  const other = await make.course(admin);
  const asks = (courseId: string, is: "has" | "completed") => ({ kind: "course" as const, course: courseId, is });
  expect(await update(crew, asks(course.id, "completed"))).toMatchObject(refused("groups.givenCourse"));
  expect(await update(crew, asks(other.id, "has"))).toMatchObject(refused("groups.withdrawsByCourse"));
  expect((await update(crew, { kind: "group", group: inner.id, is: "member" })).status).toBe(200);
  expect(await update(inner, asks(other.id, "has"))).toMatchObject(refused("groups.withdrawsByCourse"));
  expect((await update(inner, asks(other.id, "completed"))).status).toBe(200);
  bodyOf(await setState(rule.id, "paused"));
  expect((await update(inner, asks(other.id, "has"))).status).toBe(200);
  expect((await setState(rule.id, "active")).code).toBe("core.invalid");
});
