import { sql } from "kysely";
import { expect, test } from "vitest";
import { recountLearning } from "#server/reports/recount.ts";
import { courses } from "#shared/courses/courses.ts";
import { requirements } from "#shared/requirements/requirements.ts";
import { openPart, setValue } from "#test/commits.ts";
import { bodyOf } from "#test/probes.ts";
import { addMonths, createRequirementTester, dayIn, yearly } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";

// Requirements: how long completions are valid, and courses that open again

const server = await start();
const { as, make, db } = server;
const admin = await make.admin();
const tester = createRequirementTester(server, admin);
const { call, commit, work, room, demand, change, launch, complete, moveTo, peopleOf, cellOf, enrolmentOf } = tester;

/** A person who completed the course eleven months ago, and so has it open again. */
async function renewal(terms = {}) {
  const { company, course, learners } = await room();
  const [ada] = learners as [Person];
  const requirement = await demand(company.id, course.id, terms);
  const first = await complete(ada, company.id, course.id);
  const completedOn = addMonths(dayIn(30), -12);
  await moveTo(ada, course.id, completedOn);
  await work();
  return { company, course, ada, requirement, first, completedOn, validUntil: addMonths(completedOn, 12) };
}

test("list and matrix agree on the state of everyone who has a required course", async () => {
  const { company, course, learners } = await room(["Ada", "Bo", "Cy", "Di"]);
  const [ada, bo, cy, di] = learners as [Person, Person, Person, Person];
  await complete(ada, company.id, course.id);
  const { id } = await demand(company.id, course.id);
  for (const one of [bo, cy]) await complete(one, company.id, course.id);
  await moveTo(bo, course.id, addMonths(dayIn(30), -12));
  await moveTo(cy, course.id, addMonths(dayIn(-3), -12));
  await work();
  const states = async () =>
    (await peopleOf(company.id)).items.map(({ name, cells }) => [name, cells.map(({ state }) => state).join()]);
  expect(await states()).toEqual([
    ["Ada", "valid"],
    ["Bo", "ending"],
    ["Cy", "expired"],
    ["Di", "missing"],
  ]);
  bodyOf(
    await call(courses.setDue, {
      params: { id: course.id },
      body: { userIds: [di.user.id], dueDate: dayIn(-1) },
    }),
  );
  const list = bodyOf(await call(requirements.list, { params: { id: company.id } }));
  expect(list).toMatchObject({ people: 4, lapsedPeople: 2, total: 1 });
  expect(list.items[0]).toMatchObject({
    id,
    isApplied: true,
    counts: { valid: 1, ending: 1, missing: 0, overdue: 1, expired: 1 },
  });
  const lapsed = await peopleOf(company.id, { state: "lapsed" });
  expect(lapsed.items.map(({ name }) => name)).toEqual(["Cy", "Di"]);
  const file = await server.app.inject({
    url: `/api/companies/${company.id}/compliance/export?state=expired`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(file.headers["x-rows"]).toBe("1");
  const [, line = ""] = file.body.trim().split("\r\n");
  expect(line).toContain(`Cy,`);
  expect(line).toContain(`Expired,${addMonths(dayIn(-3), -12)},${dayIn(-3)}`);
});

test("before the end the course opens again, and what was done stays", async () => {
  const { company, course, ada, first, validUntil } = await renewal();
  expect(await enrolmentOf(ada, course.id)).toMatchObject({
    status: "assigned",
    dueDate: validUntil,
    progress: null,
    scorePercent: null,
    completedAt: null,
    attempts: 1,
  });
  expect(await cellOf(company.id, ada, course.id)).toMatchObject({ state: "ending", validUntil, isStarted: false });
  const mine = bodyOf(await as(ada)(courses.mine, {})).items;
  expect(mine).toMatchObject([{ status: "assigned", isRenewal: true, validUntil }]);
  const { rows } = await sql<{ completion: string; score: number }>`
    select completion, score_percent as score
    from attempts
    where id = ${first.attemptId}`.execute(db);
  expect(rows).toEqual([{ completion: "complete", score: 90 }]);

  // A second pass and a second job change nothing, and one email was written.
  await Promise.all([work(), work()]);
  const mails = await db.selectFrom("mails").where("userId", "=", ada.user.id).select("subject").execute();
  expect(mails.filter(({ subject }) => subject.startsWith("Open again"))).toHaveLength(1);

  const second = await launch(ada, company.id, course.id);
  expect(second).toMatchObject({ attemptNo: 2, attempt: { completion: "incomplete", scorePercent: null } });
  expect(second.attemptId).not.toBe(first.attemptId);
  await complete(ada, company.id, course.id);
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "completed", attempts: 2, scorePercent: 90 });
  const until = addMonths(dayIn(0), 12);
  expect(await cellOf(company.id, ada, course.id)).toMatchObject({ state: "valid", validUntil: until, openedOn: null });
  await work();
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "completed" });
  expect(await recountLearning(db)).toEqual([]);
});

test("a late save of an earlier cycle keeps its time and changes no outcome", async () => {
  const { course, ada, first } = await renewal();
  await sql`
    update sessions
    set started_at = now() - interval '1 hour'
    where id = ${first.sessionId}`.execute(db);
  // With a new revision, the session in memory is read again.
  await sql`
    update attempts
    set rev = rev + 1
    where id = ${first.attemptId}`.execute(db);
  const before = await enrolmentOf(ada, course.id);
  const late = [setValue(5, "cmi.core.lesson_location", "page-9"), setValue(6, "cmi.core.score.raw", "95")];
  bodyOf(await commit(first, { events: late, activeMs: 120_000 }));
  const after = await enrolmentOf(ada, course.id);
  expect(after).toMatchObject({ status: "assigned", progress: null, scorePercent: null, startedAt: null });
  expect(after?.activeSeconds).toBeGreaterThan(before?.activeSeconds ?? 0);
  expect(await recountLearning(db)).toEqual([]);
});

test("an attempt started after the completion belongs to the new cycle", async () => {
  const { company, course, learners } = await room();
  const [ada] = learners as [Person];
  await complete(ada, company.id, course.id);
  const again = await make.launch(ada, company.id, course.id, { takeOver: true, newAttempt: true });
  bodyOf(await commit(again, { events: openPart(), activeMs: 1000 }));
  await demand(company.id, course.id);
  await moveTo(ada, course.id, addMonths(dayIn(10), -12));
  await work();
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "in_progress" });
  const resumed = await launch(ada, company.id, course.id);
  expect(resumed.attemptId).toBe(again.attemptId);
  await complete(ada, company.id, course.id);
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "completed" });
});

test("an attempt that was given up does not hold a renewal", async () => {
  const { company, course, learners } = await room();
  const [ada] = learners as [Person];
  await complete(ada, company.id, course.id);
  const again = await make.launch(ada, company.id, course.id, { takeOver: true, newAttempt: true });
  bodyOf(await commit(again, { events: openPart(), activeMs: 1000 }));
  await sql`
    update attempts
    set last_activity_at = now() - interval '40 days', started_at = now() - interval '40 days'
    where id = ${again.attemptId}`.execute(db);
  const { id } = await demand(company.id, course.id);
  await moveTo(ada, course.id, addMonths(dayIn(10), -12));
  await work();
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "assigned" });
  await change(company.id, id, { months: 24 });
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "completed" });
  await change(company.id, id, {});
  expect((await launch(ada, company.id, course.id)).attemptNo).toBe(3);
});

test("a course with a fixed day is renewed once, not again and again", async () => {
  const { company, course, learners } = await room();
  const [ada] = learners as [Person];
  const [, month = 0, day = 0] = dayIn(30).split("-").map(Number);
  await demand(company.id, course.id, { countsFrom: "day", fixedDay: { month, day } });
  await complete(ada, company.id, course.id);
  await moveTo(ada, course.id, dayIn(-200));
  await work();
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "assigned", dueDate: dayIn(30) });
  await complete(ada, company.id, course.id);
  await work();
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "completed" });
  expect(await cellOf(company.id, ada, course.id)).toMatchObject({
    state: "valid",
    validUntil: addMonths(dayIn(30), 12),
  });
});

test("longer terms close what nobody has started, exactly as it was", async () => {
  const { company, course, learners } = await room(["Ada", "Bo", "Cy"]);
  const [ada, bo] = learners as [Person, Person];
  const { id } = await demand(company.id, course.id);
  for (const one of [ada, bo]) {
    await complete(one, company.id, course.id);
    await moveTo(one, course.id, addMonths(dayIn(30), -12));
  }
  const shown = await enrolmentOf(ada, course.id);
  await work();
  await launch(bo, company.id, course.id);
  const preview = bodyOf(
    await call(requirements.preview, {
      params: { id: company.id },
      body: { courseId: course.id, terms: { ...yearly, months: 24 } },
    }),
  );
  expect(preview).toEqual({
    counts: { valid: 1, ending: 1, missing: 1, overdue: 0, expired: 0, exempt: 0 },
    opens: 0,
    closes: 1,
  });
  await change(company.id, id, { months: 24 });
  expect(await enrolmentOf(ada, course.id)).toEqual(shown);
  expect(await enrolmentOf(bo, course.id)).toMatchObject({ status: "assigned" });
  const again = await launch(ada, company.id, course.id);
  expect(again.attemptNo).toBe(1);
  await change(company.id, id, { months: 12 });
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "assigned" });
  expect(await recountLearning(db)).toEqual([]);
});

test("a removed requirement leaves people their completion", async () => {
  const { company, course, ada, requirement } = await renewal();
  const removed = await call(requirements.remove, { params: { id: requirement.id } });
  expect(removed.status).toBe(204);
  await work();
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "completed", scorePercent: 90 });
  expect((await peopleOf(company.id)).total).toBe(0);
  expect(await db.selectFrom("requirements").where("userId", "=", ada.user.id).selectAll().execute()).toEqual([]);
  await demand(company.id, course.id);
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "assigned" });
});

test("one person's course is opened early, and that is taken back until it is started", async () => {
  const { company, course, learners } = await room();
  const [ada] = learners as [Person];
  await demand(company.id, course.id);
  await complete(ada, company.id, course.id);
  const cell = await cellOf(company.id, ada, course.id);
  const params = { id: cell?.enrolmentId ?? "" };
  expect(bodyOf(await call(requirements.open, { params }))).toMatchObject({ state: "ending", canClose: true });
  await work();
  expect((await call(requirements.open, { params })).status).toBe(409);
  expect(bodyOf(await call(requirements.close, { params }))).toMatchObject({ state: "valid", openedOn: null });
  await work();
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "completed" });
  bodyOf(await call(requirements.open, { params }));
  await launch(ada, company.id, course.id);
  expect((await call(requirements.close, { params })).status).toBe(409);
});

test("terms that contradict each other are refused by the name of the field", async () => {
  const { company, course } = await room([]);
  const refused = async (terms: object) => {
    const { status, body } = await call(requirements.create, {
      params: { id: company.id },
      body: { courseId: course.id, terms: { ...yearly, ...terms } as never },
    });
    return [status, (body as { issues?: { path: string }[] }).issues?.map(({ path }) => path)];
  };
  expect(await refused({ countsFrom: "day" })).toEqual([422, ["terms.fixedDay"]]);
  expect(await refused({ countsFrom: "day", months: 6, fixedDay: { month: 3, day: 31 } })).toEqual([
    422,
    ["terms.months"],
  ]);
  expect(await refused({ months: 1 })).toEqual([422, ["terms.windowDays"]]);
  expect(await refused({ months: 121 })).toEqual([422, ["terms.months"]]);
  await demand(company.id, course.id);
  expect(await refused({})).toEqual([422, ["courseId"]]);
});
