import { expect, test } from "vitest";
import { committer } from "#test/commits.ts";
import { getLesson, lessonRoom } from "#test/lessonRoom.ts";
import { quizAnswer, quizCourse, quizEvent, quizEvents } from "#test/quizzes.ts";
import { start } from "#test/start.ts";
import { audit } from "#shared/audit/audit.ts";
import { courses } from "#shared/courses/courses.ts";
import type { Launch } from "#shared/player/player.ts";
import { quizzes } from "#shared/player/quizzes.ts";

const server = await start();
const { as, db } = server;
const send = committer(as);
const SCO = "lesson-quiz";

async function open(...quiz: Parameters<typeof quizCourse>) {
  const made = quizCourse(...quiz);
  const room = await lessonRoom(server, made.course);
  return { ...made, ...room, session: await room.launch(), say: quizEvents() };
}
const read = async (session: Pick<Launch, "sessionId" | "token">) => (await getLesson(server, session, SCO)).body;
const asked = async (session: Pick<Launch, "sessionId" | "token">) =>
  (await read(session)).document.blocks.filter(({ kind }) => kind === "question").map(({ id }) => id);

test("asks drawn questions only, in an order that a reload keeps, without solutions", async () => {
  const { session, launch, say, questions } = await open({ attempts: null }, { always: 2, pooled: 8, draw: 3 });
  const before = await read(session);
  expect(before.quiz).toMatchObject({ questions: 5, points: 5, attempts: null, isPrepared: true });
  await send(session, { events: say({ type: "nav" }, quizEvent("quiz.start", 1)) });
  const first = await asked(session);
  expect(first).toHaveLength(5);
  expect(new Set(first).size).toBe(5);
  expect(questions.slice(0, 2).every(({ id }) => first.includes(id))).toBe(true);
  const again = await launch({ clientId: "one-window" });
  expect((await read(again)).document).toEqual((await read(session)).document);
  const sent = JSON.stringify(await read(again));
  for (const secret of ["isRight", "It carries 12 kN", "Look again", '"solution":{', '"pool"'])
    expect(sent).not.toContain(secret);
  for (const { id } of questions) if (!first.includes(id)) expect(sent).not.toContain(id);
  const orders = new Set<string>();
  const other = quizEvents();
  for (const no of [1, 2, 3, 4]) {
    if (no > 1) await send(again, { events: other(quizEvent("quiz.start", no)) });
    orders.add((await asked(again)).join());
    await send(again, { events: other(quizEvent("quiz.end", no)) });
  }
  expect(orders.size).toBeGreaterThan(1);
});

test("counts answers at the end, says nothing before, and passes from its own mark", async () => {
  const { session, say, rightOf, wrongOf } = await open({ passPercent: 70 }, { always: 10 });
  await send(session, { events: say({ type: "nav" }, quizEvent("quiz.start", 1)) });
  const ids = await asked(session);
  const given = ids.map((id, n) => quizAnswer(id, n < 7 ? rightOf(id) : wrongOf(id)));
  const { body } = await send(session, { events: say(...given) });
  expect(body.lessons?.judged).toHaveLength(10);
  expect(body.lessons?.judged.every(({ reveal }) => reveal === null)).toBe(true);
  expect(body.attempt).toMatchObject({ scorePercent: null, success: "unknown" });
  const during = await read(session);
  expect(Object.values(during.state.answers).every(({ share, best }) => share === 0 && best === 0)).toBe(true);
  expect(during.revealed).toEqual({});
  const ended = await send(session, { events: say(quizEvent("quiz.end", 1)) });
  expect(ended.body.lessons?.quizzes).toEqual([SCO]);
  expect(ended.body.attempt).toMatchObject({ scorePercent: 70, success: "passed", completion: "complete" });
  const after = await read(session);
  expect(after.state.quiz?.best).toMatchObject({ no: 1, earned: 7, points: 10 });
  expect(after.quiz?.canReview).toBe(true);
  expect(after.revealed[ids[9]!]).toMatchObject({ result: "wrong", solution: { kind: "choices" } });
});

test("a changed answer replaces the earlier one until the quiz is handed in", async () => {
  const { session, say, questions, rightOf, wrongOf } = await open({ passPercent: 100 });
  const id = questions[0]!.id;
  const { body } = await send(session, {
    events: say(
      { type: "nav" },
      quizEvent("quiz.start", 1),
      quizAnswer(id, rightOf(id)),
      quizAnswer(id, wrongOf(id)),
      quizEvent("quiz.end", 1),
      quizAnswer(id, rightOf(id)),
    ),
  });
  expect(body.lessons?.refused).toEqual([{ seq: 6, reason: "notOpen" }]);
  expect(body.attempt).toMatchObject({ scorePercent: 0, success: "unknown" });
});

test("with feedback for each question, an answer is judged at once and final", async () => {
  const { session, say, questions, rightOf, wrongOf } = await open({ feedback: "each", review: "never" });
  const id = questions[0]!.id;
  const { body } = await send(session, {
    events: say({ type: "nav" }, quizEvent("quiz.start", 1), quizAnswer(id, wrongOf(id)), quizAnswer(id, rightOf(id))),
  });
  expect(body.lessons?.refused).toEqual([{ seq: 4, reason: "noTriesLeft" }]);
  expect(body.lessons?.judged).toMatchObject([{ block: id, reveal: { result: "wrong", solution: null } }]);
});

test.each([
  ["never", [false, false, false]],
  ["always", [true, true, true]],
  ["passed", [false, true, true]],
  ["lastAttempt", [false, false, true]],
] as const)("shows what was right: %s", async (review, expected) => {
  const { session, say, questions, rightOf, wrongOf } = await open({ review, attempts: 3 });
  const id = questions[0]!.id;
  await send(session, { events: say({ type: "nav" }) });
  for (const [n, isShown] of expected.entries()) {
    const answer = quizAnswer(id, n === 1 ? rightOf(id) : wrongOf(id), n + 1);
    const attempt = say(quizEvent("quiz.start", n + 1), answer, quizEvent("quiz.end", n + 1));
    await send(session, { events: attempt });
    const shown = await read(session);
    expect(shown.quiz?.canReview).toBe(isShown);
    expect(Object.keys(shown.revealed)).toHaveLength(isShown ? 1 : 0);
    expect(shown.document.blocks).toHaveLength(isShown ? 1 : 0);
  }
});

test.each([
  ["best", 100],
  ["last", 0],
] as const)("the %s attempt counts, and its answers are rows with its number", async (counts, expected) => {
  const { session, say, questions, rightOf, wrongOf } = await open({ counts, attempts: null });
  const id = questions[0]!.id;
  const attempt = (no: number, response: ReturnType<typeof rightOf>) =>
    say(quizEvent("quiz.start", no), quizAnswer(id, response, no), quizEvent("quiz.end", no));
  await send(session, { events: say({ type: "nav" }) });
  await send(session, { events: attempt(1, rightOf(id)) });
  await send(session, { events: attempt(2, wrongOf(id)) });
  const part = await db
    .selectFrom("partStates")
    .where("attemptId", "=", session.attemptId)
    .select(["scorePercent", "success"])
    .executeTakeFirstOrThrow();
  expect(part).toEqual({ scorePercent: expected, success: "passed" });
  const rows = await db
    .selectFrom("answers")
    .where("attemptId", "=", session.attemptId)
    .orderBy("n")
    .select("fields")
    .execute();
  expect(rows.map(({ fields }) => [fields.quiz_attempt, fields.result])).toEqual([
    ["1", "correct"],
    ["2", "incorrect"],
  ]);
});

test("bounds attempts, and an admin gives one person more of them without a reason", async () => {
  const { session, say, learner, admin, questions, wrongOf } = await open({ attempts: 1, minutes: 10 });
  const id = questions[0]!.id;
  const once = await send(session, {
    events: say(
      { type: "nav" },
      quizEvent("quiz.start", 1),
      quizAnswer(id, wrongOf(id)),
      quizEvent("quiz.end", 1),
      quizEvent("quiz.start", 2),
    ),
  });
  expect(once.body.lessons?.refused).toEqual([{ seq: 5, reason: "noAttemptsLeft" }]);
  expect(once.body.attempt).toMatchObject({ success: "failed" });
  const boss = as(admin);
  const enrolment = (await boss(courses.enrolments, { query: { userId: learner.user.id } })).body.items[0]!;
  const params = { id: enrolment.id };
  const allow = (who: typeof admin, sco: string) =>
    as(who)(quizzes.allow, { params, body: { sco, attempts: 1, minutes: 5 } });
  expect((await allow(learner, SCO)).status).toBe(403);
  const given = await allow(admin, SCO);
  expect(given.body.items).toMatchObject([{ sco: SCO, started: 1, attempts: 1, extra: { attempts: 1, minutes: 5 } }]);
  expect((await allow(admin, "no-quiz")).status).toBe(404);
  expect((await read(session)).quiz).toMatchObject({ attempts: 2, minutes: 15 });
  const second = await send(session, { events: say(quizEvent("quiz.start", 2)) });
  expect(second.body.lessons?.refused).toEqual([]);
  const left = Date.parse((await read(session)).quiz!.endsAt!) - Date.now();
  expect(left).toBeGreaterThan(14 * 60_000);
  const { items } = (await boss(audit.list, { query: { action: "quizzes.allow" } })).body;
  expect(items[0]).toMatchObject({ details: { attempts: 1, minutes: 5 } });
});
