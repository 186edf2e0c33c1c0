import { expect, test } from "vitest";
import { committer } from "#test/commits.ts";
import { lessonRoom } from "#test/lessonRoom.ts";
import { answerEvent, choiceQuestion, choose, courseOf, lessonEvents } from "#test/lessons.ts";
import { quizAnswer, quizCourse, quizEvent, quizEvents } from "#test/quizzes.ts";
import { start } from "#test/start.ts";
import { courses } from "#shared/courses/courses.ts";
import type { LessonCourse } from "#shared/lessons/lessonDocument.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { reports } from "#shared/reports/reports.ts";

// What learners can find out about their own answers elsewhere than in the lesson

const server = await start();
const { as } = server;
const send = committer(as);

async function open(course: LessonCourse) {
  const room = await lessonRoom(server, course);
  const session = await room.launch();
  const { items } = (await as(room.admin)(courses.enrolments, { query: { userId: room.learner.user.id } })).body;
  const params = { id: items[0]!.id };
  const read = async (person: typeof room.admin) => (await as(person)(reports.answers, { params })).body.items;
  return {
    ...room,
    session,
    own: () => read(room.learner),
    asAdmin: () => read(room.admin),
    ownEvents: async () => {
      const { body } = await as(room.learner)(reports.session, { params: { id: session.sessionId } });
      return body;
    },
    exported: async () => JSON.stringify((await as(room.learner)(privacy.export)).body),
  };
}

test("no report or export tells learners what is right while a quiz is open", async () => {
  const { course, questions, rightOf, wrongOf } = quizCourse({ attempts: 2 }, { always: 2 });
  const { session, own, asAdmin, ownEvents, exported } = await open(course);
  const say = quizEvents();
  const [first, second] = questions.map(({ id }) => id) as [string, string];
  await send(session, {
    events: say(
      { type: "nav" },
      quizEvent("quiz.start", 1),
      quizAnswer(first, rightOf(first)),
      quizAnswer(second, wrongOf(second)),
    ),
  });
  const unknown = { correct: "", result: "" };
  expect(await own()).toMatchObject([
    { key: first, response: "An anchor ring", ...unknown },
    { key: second, response: "A handrail", ...unknown },
  ]);
  expect(await asAdmin()).toMatchObject([{ correct: "An anchor ring", result: "correct" }, { result: "incorrect" }]);
  expect(JSON.stringify((await ownEvents()).events)).not.toContain("share");
  const file = await exported();
  expect(file).toContain("learner_response");
  for (const hint of ["correct_responses", '"result"', "share", '"best":1'])
    expect([hint, file.includes(hint)]).toEqual([hint, false]);
  await send(session, { events: say(quizEvent("quiz.end", 1)) });
  expect(await own()).toMatchObject([{ correct: "An anchor ring", result: "correct" }, { result: "incorrect" }]);
});

test("the report of a quiz without review tells its learner nothing of its answers", async () => {
  const { course, questions, rightOf } = quizCourse({ attempts: 2, review: "never" });
  const { session, own } = await open(course);
  const say = quizEvents();
  const id = questions[0]!.id;
  const attempt = say(
    { type: "nav" },
    quizEvent("quiz.start", 1),
    quizAnswer(id, rightOf(id)),
    quizEvent("quiz.end", 1),
  );
  await send(session, { events: attempt });
  expect(await own()).toMatchObject([{ response: "An anchor ring", correct: "", result: "" }]);
});

test("texts of questions that were not drawn do not reach the learner", async () => {
  const { course, questions, rightOf } = quizCourse({}, { always: 1, pooled: 5, draw: 1 });
  const { session, ownEvents } = await open(course);
  const id = questions[0]!.id;
  const say = quizEvents();
  await send(session, { events: say({ type: "nav" }, quizEvent("quiz.start", 1), quizAnswer(id, rightOf(id))) });
  expect(Object.keys((await ownEvents()).questions)).toEqual([id]);
});

test("a solution is in the learner's report once no try is left", async () => {
  const { block, id, wrong } = choiceQuestion("What carries 12 kN?", { tries: 2 });
  const { session, own } = await open(courseOf({ id: "lesson-0001", title: "Hooks", blocks: [block] }));
  const answer = answerEvent(id, choose(wrong));
  await send(session, { events: lessonEvents("lesson-0001", [{ type: "nav" }, answer]) });
  expect(await own()).toMatchObject([{ correct: "", result: "incorrect" }]);
  await send(session, { events: lessonEvents("lesson-0001", [answer], 3) });
  expect(await own()).toMatchObject([{ correct: "An anchor ring" }, { correct: "An anchor ring" }]);
});
