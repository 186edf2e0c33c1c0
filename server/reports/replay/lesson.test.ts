import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { courses } from "#shared/courses/courses.ts";
import { replays } from "#shared/reports/replays.ts";
import { reports } from "#shared/reports/reports.ts";
import { committer } from "#test/commits.ts";
import { getLesson, lessonRoom } from "#test/lessonRoom.ts";
import { answerEvent, choiceQuestion, choose, courseOf, lessonEvents, paragraph } from "#test/lessons.ts";
import { quizAnswer, quizCourse, quizEvent, quizEvents } from "#test/quizzes.ts";
import { gustScenario } from "#test/scenarios.ts";
import { start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const server = await start();
const { as, db } = server;
const send = committer(as);
const { define } = createValueMaker(server);

const room = async (course: Parameters<typeof lessonRoom>[1]) => {
  const made = await lessonRoom(server, course);
  const session = await made.launch();
  const at = async (seq: number) => {
    const reply = await as(made.admin)(replays.replayLesson, { params: { id: session.sessionId }, query: { seq } });
    expect(reply.status).toBe(200);
    return reply.body;
  };
  return { ...made, session, at };
};

test("a lesson is shown after each event as its learner saw it then", async () => {
  const question = choiceQuestion("Where does the second hook go?");
  const course = courseOf(
    { id: "lesson-read", title: "Read", blocks: [paragraph("Two hooks, always.")] },
    { id: "lesson-quiz", title: "Quiz", blocks: [question.block] },
  );
  const { session, at } = await room(course);
  await send(session, {
    events: [
      ...lessonEvents("lesson-read", [{ type: "nav" }, { type: "lesson.end" }]),
      ...lessonEvents(
        "lesson-quiz",
        [
          { type: "nav" },
          answerEvent(question.id, choose(question.wrong)),
          answerEvent(question.id, choose(question.right)),
        ],
        3,
      ),
    ],
  });
  expect(await at(0)).toEqual({ sco: null, shown: null });
  expect((await at(1)).shown?.lesson.state.ended).toBe(false);
  expect((await at(2)).shown?.lesson.state.ended).toBe(true);

  const opened = await at(3);
  expect(opened.sco).toBe("lesson-quiz");
  expect(opened.shown?.lesson.state.answers).toEqual({});
  expect(JSON.stringify(opened)).not.toContain("isRight");
  const wrong = await at(4);
  expect(wrong.shown?.lesson.state.answers[question.id]).toMatchObject({ share: 0, tries: 1 });
  expect(wrong.shown?.lesson.revealed[question.id]).toMatchObject({ result: "wrong", solution: null });
  expect(wrong.shown?.answers[question.id]).toEqual({ result: "wrong", chosen: [question.wrong] });
  const right = await at(5);
  expect(right.shown?.lesson.revealed[question.id]).toMatchObject({ result: "right" });
  // The last one is what the learner has now, in the same order of choices.
  const { body: now } = await getLesson(server, session, "lesson-quiz");
  expect(right.shown?.lesson).toEqual({ ...now, state: { ...now.state, values: {} } });
});

test("a later session does not change an earlier replay", async () => {
  const question = choiceQuestion("Where does the second hook go?");
  const { session, at, launch } = await room(courseOf({ id: "lesson-quiz", title: "Quiz", blocks: [question.block] }));
  await send(session, { events: lessonEvents("lesson-quiz", [{ type: "nav" }]), end: "exit" });
  const later = await launch();
  expect(later.sessionId).not.toBe(session.sessionId);
  await send(later, { events: lessonEvents("lesson-quiz", [answerEvent(question.id, choose(question.right))]) });
  expect((await at(1000)).shown?.lesson.state.answers).toEqual({});
});

test("a quiz says as much about its answers as it said then", async () => {
  const { course, questions, rightOf } = quizCourse({ feedback: "end" }, { always: 2 });
  const { session, at } = await room(course);
  const next = quizEvents();
  const [first] = questions;
  await send(session, { events: next({ type: "nav" }, quizEvent("quiz.start", 1)) });
  await send(session, { events: next(quizAnswer(first!.id, rightOf(first!.id))) });
  await send(session, { events: next(quizEvent("quiz.end", 1)) });

  expect((await at(1)).shown?.lesson.state.quiz?.open).toBeNull();
  const asked = await at(2);
  expect(asked.shown?.lesson.state.quiz?.open?.no).toBe(1);
  const answered = await at(3);
  expect(Object.keys(answered.shown?.lesson.state.answers ?? {})).toEqual([first!.id]);
  expect(answered.shown?.lesson.revealed).toEqual({});
  const ended = await at(4);
  expect(ended.shown?.lesson.state.quiz).toMatchObject({ open: null, closed: [{ no: 1 }] });
});

test("no masked value is in what conditions have kept", async () => {
  const key = `secret_${randomUUID().slice(0, 8)}`;
  const text = paragraph("Rest first.");
  const hidden = paragraph("You said so.", {
    showWhen: { match: "all", tests: [{ kind: "variable", key, is: "equal", value: "asthma" }] },
  });
  const { session, at, admin, courseId } = await room(
    courseOf({ id: "lesson-read", title: "Read", blocks: [text, hidden] }),
  );
  await define(admin, { key, type: "text", privacy: "sensitive", courses: [{ courseId, access: "both" }] });
  await send(session, {
    events: lessonEvents("lesson-read", [
      { type: "nav" },
      { type: "variable.set", key, value: "asthma" },
      { type: "block.seen", key: text.id },
    ]),
  });
  const reply = await at(3);
  expect(reply.shown?.lesson.document.blocks).toHaveLength(2);
  expect(JSON.stringify(reply.shown?.lesson.state)).not.toContain("asthma");
});

test("its files open by a grant, and nobody but admins reads it", async () => {
  const made = await room(courseOf({ id: "lesson-read", title: "Read", blocks: [paragraph("Two hooks, always.")] }));
  const { session, at, learner, admin } = made;
  await send(session, { events: lessonEvents("lesson-read", [{ type: "nav" }]) });
  expect((await at(1)).shown?.media).toMatch(/\/media\/[\w.-]+\/$/);
  const call = { params: { id: session.sessionId }, query: { seq: 1 } };
  expect((await as(learner)(replays.replayLesson, call)).status).toBe(403);
  expect((await as(null)(replays.replayLesson, call)).status).toBe(401);
  const missing = await as(admin)(replays.replayLesson, { ...call, params: { id: randomUUID() } });
  expect(missing.status).toBe(404);
});

test("what is chosen in a scenario does not tell a masked value", async () => {
  const gust = gustScenario();
  const { session, at, admin, courseId } = await room(
    courseOf({ id: "lesson-gust", title: "Gust", blocks: [gust.block] }),
  );
  const boss = as(admin);
  const choose = gust.choose(0, "Climb");
  const text = JSON.stringify("Climb quickly");
  const events = lessonEvents("lesson-gust", [
    { type: "nav" },
    choose,
    { type: "variable.set", key: "gust_choice", value: text },
  ]);
  await define(admin, { key: "gust_choice", type: "text", courses: [{ courseId, access: "both" }] });
  await send(session, { events });
  const [{ id } = { id: "" }] = (await boss(courses.enrolments, { query: { courseId } })).body.items;
  const everything = async () => {
    const params = { params: { id: session.sessionId } };
    return JSON.stringify([
      (await at(3)).shown?.lesson.state,
      (await at(3)).shown?.answers,
      (await boss(replays.replayEvents, params)).body.events,
      (await boss(reports.session, params)).body.events,
      (await boss(reports.answers, { params: { id } })).body.items.map(({ response }) => response),
    ]);
  };
  expect(await everything()).toContain(choose.value.choice);
  await sql`update variables set privacy = 'sensitive' where key = 'gust_choice'`.execute(db);
  const masked = await everything();
  expect(masked).not.toContain(choose.value.choice);
  expect(masked).not.toContain("Climb quickly");
});
