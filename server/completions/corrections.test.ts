import { expect, test } from "vitest";
import { recountLearning } from "#server/reports/recount.ts";
import { completionRules } from "#shared/completionRules/ruleChanges.ts";
import { completions } from "#shared/completions/completions.ts";
import type { CompletionRule } from "#shared/courses/completionRules.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { createCertifier } from "#test/certificates.ts";
import { openPart, setValue } from "#test/commits.ts";
import { createDecider } from "#test/completions.ts";
import { addLeader } from "#test/leaders.ts";
import { bodyOf } from "#test/probes.ts";
import { createRuleTester, timeAndScore } from "#test/ruleChanges.ts";
import { type Person, start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

// Decisions about completions, and what happens beside them: other rules, moves, late steps, further attempts

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const { send, work, applyRule } = createRuleTester(server);
const { school, complete } = createCertifier(server);
const { withDecisions, classroom } = createDecider(server);

const long: CompletionRule = { kind: "time", minutes: 5000 };
const completed = (seq: number) => setValue(seq, "cmi.core.lesson_status", "completed");

const schoolroom = async () => {
  const room = await school();
  return withDecisions({ ...room, learner: await make.learner(room.company.accessCode) });
};
const certificatesOf = ({ user }: Person) =>
  db
    .selectFrom("certificates")
    .where("personId", "=", user.id)
    .orderBy("issuedAt")
    .select(["facts", "revokedAt"])
    .execute();

test("a completion that an undo restores keeps the rule by which it was completed", async () => {
  const room = await schoolroom();
  const { admin, learner, course, decide, undo, read, id } = room;
  await complete(room, learner);
  const { completedBy } = await read();
  await applyRule(admin, course.id, long, true);
  bodyOf(await decide("reopen"));
  bodyOf(await undo());
  expect(await read()).toMatchObject({ status: "completed", completedBy, isSetByAdmin: false });
  const [first, second] = await certificatesOf(learner);
  expect(first?.revokedAt).not.toBeNull();
  expect(second).toMatchObject({ revokedAt: null, facts: { rule: first?.facts.rule } });
  const rules = await db.selectFrom("completionHistory").where("enrolmentId", "=", id).select("rule").execute();
  expect(rules.map(({ rule }) => rule)).toEqual([{ kind: "reported" }, { kind: "reported" }]);
});

test("an undo of a rule change restores completions by their own rule", async () => {
  const room = await schoolroom();
  const { admin, learner, course, read } = room;
  await complete(room, learner);
  const { completedBy } = await read();
  await applyRule(admin, course.id, timeAndScore, true);
  const { id } = await applyRule(admin, course.id, long, false);
  expect((await read()).status).toBe("in_progress");
  bodyOf(await as(admin)(completionRules.undo, { params: { id } }));
  await work();
  expect(await read()).toMatchObject({ status: "completed", completedBy });
});

test("nothing is decided about a withdrawn enrolment, nor undone", async () => {
  const { admin, course, learner, decide, undo, enrolment, read } = await schoolroom();
  bodyOf(await decide("set"));
  bodyOf(await decide("reopen"));
  bodyOf(await as(admin)(courses.withdraw, { params: { id: course.id }, body: { userIds: [learner.user.id] } }));
  expect((await read()).decisions.map(({ canUndo }) => canUndo)).toEqual([false, false]);
  expect(await undo()).toMatchObject({ status: 409, code: "completions.withdrawn" });
  expect(await enrolment()).toMatchObject({ status: "withdrawn", completedAt: null });
  expect((await certificatesOf(learner)).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
});

test("nothing is decided in a company that the learner has left, nor undone", async () => {
  const { admin, learner, decide, undo, enrolment, read } = await schoolroom();
  bodyOf(await decide("set"));
  bodyOf(await decide("reopen"));
  const other = await make.company(admin);
  bodyOf(await as(admin)(learners.move, { body: { ids: [learner.user.id], companyId: other.id } }));
  expect(await read()).toMatchObject({ hasLeft: true, decisions: [{ canUndo: false }, { canUndo: false }] });
  for (const reply of [await undo(), await decide("set"), await decide("restart")])
    expect(reply).toMatchObject({ status: 409, code: "completions.left" });
  expect(await enrolment()).toMatchObject({ status: "in_progress", completedAt: null });
});

test("the undo of a rule change leaves what an admin started over", async () => {
  const { admin, learner, company, course, decide, enrolment } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: [...openPart(), completed(3)] });
  const { id } = await applyRule(admin, course.id, long, false);
  bodyOf(await decide("restart"));
  bodyOf(await as(admin)(completionRules.undo, { params: { id } }));
  await work();
  expect(await enrolment()).toMatchObject({ status: "in_progress", completedAt: null });
  expect(await recountLearning(db)).toEqual([]);
});

test("the undo of a rule change leaves what an admin has taken back since", async () => {
  const { admin, learner, company, course, decide, enrolment } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: [...openPart(), completed(3)] });
  const { id } = await applyRule(admin, course.id, long, false);
  bodyOf(await decide("set"));
  bodyOf(await decide("reopen"));
  bodyOf(await as(admin)(completionRules.undo, { params: { id } }));
  await work();
  expect(await enrolment()).toMatchObject({ status: "in_progress", completedAt: null });
});

test("a course that is started over has no result, and late steps change none", async () => {
  const { learner, company, course, decide, undo, enrolment } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  const failed = [setValue(3, "cmi.core.score.raw", "30"), setValue(4, "cmi.core.lesson_status", "failed")];
  await send(session, { events: [...openPart(), ...failed] });
  const before = await enrolment();
  expect(before).toMatchObject({ status: "failed", success: "failed", scorePercent: 30 });
  bodyOf(await decide("restart"));
  const fresh = { status: "in_progress", success: "unknown", scorePercent: null, progress: null, partsDone: 0 };
  expect(await enrolment()).toMatchObject(fresh);
  const late = [setValue(5, "cmi.core.score.raw", "95"), setValue(6, "cmi.core.lesson_status", "passed")];
  // The steps were taken before the course was started over.
  const { body } = await send(session, { events: late.map((event) => ({ ...event, t: 0 })) });
  expect(body).toMatchObject({ ackSeq: 6, session: "ended", isStartedOver: true });
  expect(await enrolment()).toMatchObject({ ...fresh, currentPart: null });
  expect(await recountLearning(db)).toEqual([]);
  // Undone, they count.
  bodyOf(await undo());
  expect(await enrolment()).toMatchObject({ status: "in_progress", success: "passed", scorePercent: 95, partsDone: 1 });
  expect(await recountLearning(db)).toEqual([]);
});

test("the undo of a start over restores a failure and its score", async () => {
  const { learner, company, course, decide, undo, enrolment } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  const failed = [setValue(3, "cmi.core.score.raw", "30"), setValue(4, "cmi.core.lesson_status", "failed")];
  await send(session, { events: [...openPart(), ...failed] });
  const before = await enrolment();
  bodyOf(await decide("restart"));
  bodyOf(await undo());
  expect(await enrolment()).toEqual({ ...before, happenedAt: expect.anything() });
});

test("no change of the rule completes one of two attempts that are taken back", async () => {
  const { admin, learner, company, course, decide, enrolment } = await classroom();
  for (const newAttempt of [false, true]) {
    const session = await make.launch(learner, company.id, course.id, { newAttempt, takeOver: newAttempt });
    await send(session, { events: [...openPart(), completed(3)] });
  }
  await applyRule(admin, course.id, timeAndScore, true);
  bodyOf(await decide("reopen"));
  expect(await applyRule(admin, course.id, { kind: "reported" }, true)).toMatchObject({ becomes: 0 });
  expect(await enrolment()).toMatchObject({ status: "in_progress", completedAt: null });
});

test("the undo of a start over is refused once a further attempt was opened", async () => {
  const { learner, company, course, decide, undo, read } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: [...openPart(), completed(3)] });
  bodyOf(await decide("restart"));
  expect((await read()).decisions).toMatchObject([{ canUndo: true }]);
  const next = await make.launch(learner, company.id, course.id, { newAttempt: true, takeOver: true });
  expect(next.attemptNo).toBe(3);
  expect((await read()).decisions).toMatchObject([{ canUndo: false }]);
  expect(await undo()).toMatchObject({ status: 409, code: "completions.begun" });
});

test("the undo of a completion by hand keeps a failure and progress of meanwhile", async () => {
  const { admin, learner, company, course, decide, undo, enrolment } = await classroom();
  await applyRule(admin, course.id, timeAndScore, true);
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: openPart() });
  bodyOf(await decide("set"));
  const failed = [setValue(3, "cmi.core.score.raw", "20"), setValue(4, "cmi.core.lesson_status", "failed")];
  await send(session, { events: failed });
  bodyOf(await undo());
  const expected = { status: "failed", success: "failed", scorePercent: 20, completedAt: null };
  expect(await enrolment()).toMatchObject(expected);
  expect(await recountLearning(db)).toEqual([]);
  bodyOf(await decide("set"));
  await send(session, { events: [completed(5)] });
  bodyOf(await undo());
  expect(await enrolment()).toMatchObject({ partsDone: 1, completedAt: null });
});

test("a course is not started over if a kept value would complete it at once", async () => {
  const { admin, learner, company, course, decide, enrolment } = await classroom();
  await createValueMaker(server).define(admin, { key: "trust", courses: [{ courseId: course.id, access: "both" }] });
  await applyRule(admin, course.id, { kind: "variable", key: "trust", is: "atLeast", value: 4 }, true);
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: [...openPart(), { seq: 3, t: 3, type: "variable.set", key: "trust", value: "5" }] });
  expect(await enrolment()).toMatchObject({ status: "completed" });
  expect(await decide("reopen")).toMatchObject({ status: 409, code: "completions.metByValue" });
  expect(await decide("restart")).toMatchObject({ status: 409, code: "completions.metByValue" });
  expect(await enrolment()).toMatchObject({ status: "completed" });
});

test("conditions that were met before a completion by hand do not stop its undo", async () => {
  const { learner, company, course, decide, undo, id, read } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: [...openPart(), completed(3)] });
  const open = { completedAt: null };
  await db
    .updateTable("attempts")
    .set({ ...open, completion: "incomplete" })
    .where("enrolmentId", "=", id)
    .execute();
  await db
    .updateTable("enrolments")
    .set({ ...open, status: "in_progress" })
    .where("id", "=", id)
    .execute();
  bodyOf(await decide("set"));
  expect((await read()).decisions).toMatchObject([{ canUndo: true }]);
  bodyOf(await undo());
  expect(await read()).toMatchObject({ status: "in_progress", supportCode: expect.any(String) });
});

test("an undo is not offered once the learner has completed the course", async () => {
  const { learner, company, course, decide, undo, read } = await classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: openPart() });
  bodyOf(await decide("set"));
  expect((await read()).decisions).toMatchObject([{ canUndo: true }]);
  await send(session, { events: [completed(3)] });
  expect((await read()).decisions).toMatchObject([{ canUndo: false }]);
  expect(await undo()).toMatchObject({ status: 409, code: "completions.metSince" });
});

test("nothing of a hidden variable is told to learners and managers", async () => {
  const { admin, learner, company, course, id, read } = await classroom();
  const { define } = createValueMaker(server);
  const of = { courses: [{ courseId: course.id, access: "both" as const }] };
  await define(admin, { key: "burnout", label: "Burnout risk", type: "text", learnerVisible: false, ...of });
  await define(admin, { key: "trust", label: "Trust level", type: "text", learnerVisible: true, ...of });
  const equals = (key: string) => ({ kind: "variable" as const, key, is: "equal" as const, value: "zeta-high" });
  await applyRule(admin, course.id, { match: "all", tests: [equals("burnout"), { kind: "opened" }] }, true);
  const leader = await addLeader(server, { manager: admin, company });
  await as(admin)(learners.setManager, { body: { ids: [learner.user.id], managerId: leader.user.id } });
  const session = await make.launch(learner, company.id, course.id);
  expect(JSON.stringify(session.course)).not.toMatch(/burnout|zeta/i);
  await send(session, {
    events: [...openPart(), { seq: 3, t: 3, type: "variable.set", key: "burnout", value: '"zeta-high"' }],
  });
  const own = async () => bodyOf(await as(learner)(completions.mine, { params: { id: course.id } }));
  const ofTeam = async () => bodyOf(await as(leader)(completions.ofTeam, { params: { id } }));
  const hidden = { test: { kind: "hidden" }, isMet: true, label: null };
  expect((await own()).state?.tests[0]).toEqual({
    ...hidden,
    value: null,
    limit: null,
    missing: [],
    part: null,
    replay: null,
  });
  expect((await ofTeam()).tests[0]).toEqual(hidden);
  expect(JSON.stringify([await own(), await ofTeam()])).not.toMatch(/burnout|zeta/i);
  expect(await read()).toMatchObject({ isAllShown: false, state: { tests: [{ label: "Burnout risk" }, {}] } });
  await applyRule(admin, course.id, equals("trust"), true);
  expect((await own()).state?.tests[0]).toMatchObject({ label: "Trust level", limit: "zeta-high" });
  expect(JSON.stringify(await ofTeam())).not.toMatch(/trust|zeta/i);
  expect(await read()).toMatchObject({ isAllShown: true });
  await db.updateTable("variables").set({ privacy: "sensitive" }).where("key", "=", "trust").execute();
  expect(JSON.stringify(await own())).not.toMatch(/trust|zeta/i);
});

test("the learner is told of an undo that takes a completion back or restores it", async () => {
  const { learner, decide, undo } = await schoolroom();
  const subjects = async () => {
    const mails = await db
      .selectFrom("mails")
      .where("userId", "=", learner.user.id)
      .where("reason", "like", "completions.%")
      .select("reason")
      .execute();
    return mails.map(({ reason }) => reason).toSorted();
  };
  bodyOf(await decide("set"));
  expect(await subjects()).toEqual([]);
  bodyOf(await undo());
  expect(await subjects()).toEqual(["completions.reopened"]);
  bodyOf(await decide("set"));
  bodyOf(await decide("reopen"));
  bodyOf(await undo());
  expect(await subjects()).toEqual(["completions.reopened", "completions.reopened", "completions.restored"]);
});
