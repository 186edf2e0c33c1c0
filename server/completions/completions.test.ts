import { expect, test } from "vitest";
import { recountLearning } from "#server/reports/recount.ts";
import { completions } from "#shared/completions/completions.ts";
import { toCondition } from "#shared/courses/completion.ts";
import { courses } from "#shared/courses/courses.ts";
import { openPart, setValue } from "#test/commits.ts";
import { createDecider, reason } from "#test/completions.ts";
import { bodyOf } from "#test/probes.ts";
import { createRuleTester, timeAndScore } from "#test/ruleChanges.ts";
import { start } from "#test/start.ts";

// What admins see of a completion, and what they decide about it by hand

const server = await start();
const { as, make, db } = server;
const { send, beginEarlier, statusOf, applyRule } = createRuleTester(server);
const { classroom } = createDecider(server);

test("each condition has its limit, value, missing parts and place in the replay", async () => {
  const { admin, learner, company, course, read } = await classroom();
  await applyRule(
    admin,
    course.id,
    { match: "all", tests: [...toCondition(timeAndScore).tests, { kind: "reported" }] },
    true,
  );
  const before = await read();
  expect(before).toMatchObject({ attemptNo: 0, status: "assigned", saving: null, supportCode: null });
  const session = await make.launch(learner, company.id, course.id);
  await beginEarlier(session.sessionId, 600_000);
  await send(session, { events: [...openPart(), setValue(3, "cmi.core.score.raw", "65")], activeMs: 18_000 });
  const { state, saving, attemptNo } = await read();
  expect(attemptNo).toBe(1);
  expect(saving).toEqual({ sent: 3, stored: 3 });
  expect(state).toMatchObject({
    match: "all",
    isMet: false,
    tests: [
      { isMet: false, value: 65, limit: 70, replay: { sessionId: session.sessionId, t: 3000 } },
      { isMet: false, value: 18, limit: 60, replay: null },
      { isMet: false, value: 0, limit: 1, missing: [{ title: "Part one" }] },
    ],
  });
});

test("a course that was never opened is set complete, and the undo restores all of it", async () => {
  const { admin, course, learner, read, decide, undo, enrolment, id } = await classroom();
  const before = await enrolment();
  const set = bodyOf(await decide("set"));
  expect(set).toMatchObject({ status: "completed", isSetByAdmin: true, completedBy: "Set complete by an admin" });
  expect(set.decisions).toMatchObject([{ kind: "set", reason, by: "Ada Admin", canUndo: true }]);
  const listed = bodyOf(await as(admin)(courses.enrolments, { query: { courseId: course.id } })).items;
  expect(listed).toMatchObject([{ status: "completed", setByAdmin: true }]);
  expect(bodyOf(await as(learner)(courses.mine)).items).toMatchObject([{ status: "completed", setByAdmin: true }]);
  expect(await recountLearning(db)).toEqual([]);
  bodyOf(await undo());
  expect(await enrolment()).toEqual({ ...before, happenedAt: expect.anything() });
  expect(await db.selectFrom("attempts").where("enrolmentId", "=", id).selectAll().execute()).toEqual([]);
  expect(await read()).toMatchObject({ attemptNo: 0, isSetByAdmin: false });
  expect(await recountLearning(db)).toEqual([]);
});

test("of two admins who set a course complete at once, one gets a 409", async () => {
  const { read, decide } = await classroom();
  const seen = await read();
  const other = await make.admin();
  const replies = await Promise.all([decide("set", seen), decide("set", seen, other)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(replies.find(({ status }) => status === 409)?.code).toBe("completions.alreadyComplete");
});

test("neither a commit nor a change of the rule takes back what was set by hand", async () => {
  const { admin, learner, company, course, read, decide } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: openPart() });
  bodyOf(await decide("set"));
  const receipt = bodyOf(await send(session, { events: [setValue(3, "cmi.core.score.raw", "10")] }));
  expect(receipt.attempt).toMatchObject({ completion: "complete", progress: 100 });
  expect(await statusOf(course.id, learner)).toBe("completed");
  const change = await applyRule(admin, course.id, timeAndScore, false);
  expect(change).toMatchObject({ ends: 0 });
  expect(await read()).toMatchObject({ status: "completed", isSetByAdmin: true });
  expect(await recountLearning(db)).toEqual([]);
});

test("the undo is refused once the learner has met the rule", async () => {
  const { learner, company, course, decide, undo } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: openPart() });
  bodyOf(await decide("set"));
  await send(session, { events: [setValue(3, "cmi.core.lesson_status", "completed")] });
  expect(await undo()).toMatchObject({ status: 409, code: "completions.metSince" });
  expect(await statusOf(course.id, learner)).toBe("completed");
});

test("an attempt that was set complete and undone keeps what the learner did meanwhile", async () => {
  const { learner, company, course, decide, undo, enrolment } = await classroom();
  bodyOf(await decide("set"));
  const session = await make.launch(learner, company.id, course.id);
  expect(session.attemptNo).toBe(1);
  await send(session, { events: [...openPart(), setValue(3, "cmi.core.score.raw", "40")] });
  bodyOf(await undo());
  expect(await enrolment()).toMatchObject({ status: "in_progress", completedAt: null, scorePercent: 40 });
  const receipt = bodyOf(await send(session, { events: [setValue(4, "cmi.core.lesson_status", "completed")] }));
  expect(receipt.attempt.completion).toBe("complete");
});

test("a completion is taken back only if the rule is not met, and its undo restores it", async () => {
  const { learner, company, course, decide, undo, read } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: [...openPart(), setValue(3, "cmi.core.lesson_status", "completed")] });
  expect(await decide("reopen")).toMatchObject({ status: 409, code: "completions.stillMet" });
  bodyOf(await decide("restart"));
  expect(await read()).toMatchObject({ status: "in_progress", attemptNo: 2, completedAt: null });
  // A window that was open sends the rest of its events.
  await send(session, { events: [setValue(4, "cmi.core.score.raw", "90")] });
  expect(await statusOf(course.id, learner)).toBe("in_progress");
  expect(await undo()).toMatchObject({ status: 200, body: { status: "completed", attemptNo: 1 } });
  expect(await recountLearning(db)).toEqual([]);
});

test("what was set by hand is taken back, and the undo shows it as set by hand again", async () => {
  const { decide, undo, read } = await classroom();
  bodyOf(await decide("set"));
  expect(bodyOf(await decide("reopen"))).toMatchObject({ status: "in_progress", isSetByAdmin: false });
  bodyOf(await undo());
  expect(await read()).toMatchObject({
    status: "completed",
    isSetByAdmin: true,
    completedBy: "Set complete by an admin",
  });
});

test("a change of the rule does not complete what an admin took back or started over", async () => {
  const { admin, learner, company, course, decide } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: [...openPart(), setValue(3, "cmi.core.lesson_status", "completed")] });
  bodyOf(await decide("restart"));
  const change = await applyRule(admin, course.id, { kind: "opened" }, true);
  expect(change).toMatchObject({ becomes: 0 });
  const next = await make.launch(learner, company.id, course.id);
  expect(next.attemptNo).toBe(2);
  await send(next, { events: openPart() });
  expect(await statusOf(course.id, learner)).toBe("completed");
});

test("the undo of a start over is refused once the new attempt was opened", async () => {
  const { learner, company, course, decide, undo } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: openPart() });
  bodyOf(await decide("restart"));
  await make.launch(learner, company.id, course.id);
  expect(await undo()).toMatchObject({ status: 409, code: "completions.begun" });
});

test("a decision needs a reason, and a view of the course as it is", async () => {
  const { admin, id, read, decide } = await classroom();
  const seen = await read();
  for (const short of ["", "ok", " a ", "x".repeat(301)]) {
    const body = { reason: short, attemptNo: 0, status: seen.status };
    expect((await as(admin)(completions.set, { params: { id }, body })).status).toBe(422);
  }
  expect(await decide("set", { ...seen, attemptNo: 3 })).toMatchObject({ status: 409, code: "completions.changed" });
});

test("after a day a decision cannot be undone", async () => {
  const { decide, undo, id } = await classroom();
  bodyOf(await decide("set"));
  await db
    .updateTable("completionDecisions")
    .set({ madeAt: new Date(Date.now() - 25 * 3_600_000).toISOString() })
    .where("enrolmentId", "=", id)
    .execute();
  expect(await undo()).toMatchObject({ status: 409, code: "completions.tooLate" });
});

test("a learner reads what is left, and why an admin has decided, and nobody else's", async () => {
  const { learner, course, decide } = await classroom();
  const params = { id: course.id };
  expect(bodyOf(await as(learner)(completions.mine, { params }))).toMatchObject({
    attemptNo: 0,
    setByAdmin: null,
    state: { tests: [{ isMet: false, missing: [{ title: "Part one" }] }] },
  });
  bodyOf(await decide("set"));
  expect(bodyOf(await as(learner)(completions.mine, { params })).setByAdmin).toMatchObject({ reason });
  const stranger = await classroom();
  expect((await as(stranger.learner)(completions.mine, { params })).status).toBe(404);
  expect((await as(learner)(completions.get, { params })).status).toBe(403);
});

test("a met rule without a completion has a support code, unless it is a new rule", async () => {
  const { admin, learner, company, course, read, id } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: [...openPart(), setValue(3, "cmi.core.lesson_status", "completed")] });
  await db
    .updateTable("attempts")
    .set({ completion: "incomplete", completedAt: null })
    .where("enrolmentId", "=", id)
    .execute();
  await db.updateTable("enrolments").set({ status: "in_progress", completedAt: null }).where("id", "=", id).execute();
  expect(await read()).toMatchObject({
    state: { isMet: true },
    supportCode: expect.stringMatching(/^[0-9A-F]{8}-\d+$/),
  });
  const { version } = bodyOf(await as(admin)(courses.get, { params: { id: course.id } }));
  const body = { version, completionRule: { kind: "opened" as const } };
  bodyOf(await as(admin)(courses.update, { params: { id: course.id }, body }));
  expect(await read()).toMatchObject({ state: { isMet: true }, supportCode: null });
});
