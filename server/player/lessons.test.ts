import { expect, test } from "vitest";
import { committer } from "#test/commits.ts";
import { getLesson, lessonRoom, uploadMedia } from "#test/lessonRoom.ts";
import { answerEvent, choiceQuestion, choose, courseOf, lessonEvents, paragraph, words } from "#test/lessons.ts";
import { start } from "#test/start.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import type { LessonCourse } from "#shared/lessons/lessonDocument.ts";
import type { Receipt } from "#shared/player/player.ts";

const server = await start();
const { as, db } = server;
const send = committer(as);

/** Two lessons: one to read, with a required practice question, and one with two graded questions. */
function twoLessons() {
  const practice = choiceQuestion("Where do you hook on?", { graded: false, tries: null });
  const first = choiceQuestion("Where does the second hook go?");
  const second = choiceQuestion("What carries 12 kN?", { points: 3 });
  const text = paragraph("Two hooks, always.");
  const course = courseOf(
    { id: "lesson-read", title: "Read", blocks: [text, practice.block] },
    { id: "lesson-quiz", title: "Quiz", blocks: [first.block, second.block] },
  );
  return { course, practice, first, second, text };
}
const open = async (course: LessonCourse, rule?: Parameters<typeof lessonRoom>[2]) => {
  const room = await lessonRoom(server, course, rule);
  return { ...room, session: await room.launch() };
};

test("sends no solution of a graded question before it is answered", async () => {
  const { course, first, second } = twoLessons();
  const { session } = await open(course);
  expect(session.course.kind).toBe("lessons");
  const before = await getLesson(server, session, "lesson-quiz");
  expect(before.status).toBe(200);
  const sent = JSON.stringify([before.body, session]);
  for (const secret of ["isRight", "It carries 12 kN", "It can tear off", "Well seen", "Look again", '"solution":{'])
    expect(sent).not.toContain(secret);
  const events = lessonEvents("lesson-quiz", [
    { type: "nav" },
    answerEvent(first.id, choose(first.wrong)),
    answerEvent(second.id, choose(second.right)),
  ]);
  const { body } = await send(session, { events });
  expect(body.lessons?.refused).toEqual([]);
  const [one, two] = body.lessons?.judged ?? [];
  expect(one).toMatchObject({
    block: first.id,
    tries: 1,
    reveal: { result: "wrong", triesLeft: 1, solution: null, feedback: { runs: [{ text: "Look again." }] } },
  });
  expect(JSON.stringify(one)).not.toContain(first.right);
  expect(two?.reveal).toMatchObject({ result: "right", solution: { right: [second.right] } });
  const after = (await getLesson(server, session, "lesson-quiz")).body;
  expect(after.revealed[first.id]?.solution).toBeNull();
  expect(after.revealed[second.id]?.solution).not.toBeNull();
  expect(JSON.stringify(after.document)).not.toContain("isRight");
});

test("judges on the server, bounds tries and counts the best of them", async () => {
  const { course, first, second } = twoLessons();
  const { session } = await open(course);
  const answers = [first.wrong, first.right, first.wrong].map((choice) => answerEvent(first.id, choose(choice)));
  const { body } = await send(session, { events: lessonEvents("lesson-quiz", [{ type: "nav" }, ...answers]) });
  expect(body.lessons).toMatchObject({
    refused: [{ seq: 4, reason: "noTriesLeft" }],
    judged: [{ block: first.id, tries: 2, reveal: { result: "right", triesLeft: 0 } }],
  });
  expect(body.attempt.scorePercent).toBe(25);
  const next = await send(session, {
    events: lessonEvents("lesson-quiz", [answerEvent(second.id, choose(second.right))], 5),
  });
  expect(next.body.attempt).toMatchObject({ scorePercent: 100, success: "unknown" });
  const rows = await db
    .selectFrom("answers")
    .where("attemptId", "=", session.attemptId)
    .orderBy("n")
    .select(["n", "fields"])
    .execute();
  expect(rows.map(({ n, fields }) => [n, fields.learner_response, fields.result])).toEqual([
    [0, first.wrong, "incorrect"],
    [1, first.right, "correct"],
    [100, second.right, "correct"],
  ]);
  expect(rows[0]?.fields).toMatchObject({
    id: first.id,
    type: "choice",
    description: "Where does the second hook go?",
    latency: "PT0H0M4S",
    "correct_responses.0.pattern": first.right,
  });
});

test("a repeated commit stores nothing twice and brings the same results", async () => {
  const { course, first } = twoLessons();
  const { session } = await open(course);
  const events = lessonEvents("lesson-quiz", [{ type: "nav" }, answerEvent(first.id, choose(first.wrong))]);
  const once = await send(session, { events });
  const again = await send(session, { events });
  expect(again.body.lessons).toEqual(once.body.lessons);
  const { rows } = await countAnswers(session.attemptId);
  expect(rows).toBe(1);
});
const countAnswers = async (attemptId: string) => ({
  rows: (await db.selectFrom("answers").where("attemptId", "=", attemptId).select("n").execute()).length,
});

test("a lesson is done when its end was reached and nothing required is missing", async () => {
  const { course, practice, first, second, text } = twoLessons();
  const { session, learner, company, courseId } = await open(course);
  const stateOf = ({ attempt }: Receipt) => attempt.parts.map(({ state }) => state);
  const read = await send(session, {
    events: lessonEvents("lesson-read", [
      { type: "nav" },
      { type: "block.seen", key: text.id },
      { type: "lesson.end" },
    ]),
  });
  expect(stateOf(read.body)).toEqual(["started", "todo"]);
  const practised = await send(session, {
    events: lessonEvents("lesson-read", [answerEvent(practice.id, choose(practice.wrong))], 4),
  });
  expect(stateOf(practised.body)).toEqual(["done", "todo"]);
  expect(practised.body.attempt).toMatchObject({ completion: "incomplete", progress: 50, scorePercent: null });
  const quiz = await send(session, {
    events: lessonEvents(
      "lesson-quiz",
      [
        { type: "nav" },
        answerEvent(first.id, choose(first.right)),
        answerEvent(second.id, choose(second.right)),
        { type: "lesson.end" },
      ],
      5,
    ),
  });
  expect(quiz.body.attempt).toMatchObject({
    completion: "complete",
    success: "passed",
    scorePercent: 100,
    progress: 100,
  });
  const { state } = (await getLesson(server, session, "lesson-read")).body;
  expect(state).toMatchObject({ last: text.id, ended: true });
  const enrolment = await db
    .selectFrom("enrolments")
    .where("userId", "=", learner.user.id)
    .where("courseId", "=", courseId)
    .where("companyId", "=", company.id)
    .select("status")
    .executeTakeFirst();
  expect(enrolment?.status).toBe("completed");
});

test.each([
  ["score", { kind: "score" as const, percent: 70 }, "complete"],
  ["score that is not reached", { kind: "score" as const, percent: 80 }, "incomplete"],
  ["opened", { kind: "opened" as const }, "incomplete"],
])("the rule %s counts questions that are still open", async (_, rule, expected) => {
  const { course, second } = twoLessons();
  const { session } = await open(course, rule);
  const { body } = await send(session, {
    events: lessonEvents("lesson-quiz", [{ type: "nav" }, answerEvent(second.id, choose(second.right))]),
  });
  expect(body.attempt).toMatchObject({ completion: expected, scorePercent: 75 });
});

test("refuses hostile events by name and goes on", async () => {
  const { course, first, practice } = twoLessons();
  const { session } = await open(course);
  const events = lessonEvents("lesson-quiz", [
    { type: "nav" },
    { type: "block.seen", key: "no-such-block" },
    answerEvent("no-such-block", choose(first.right)),
    answerEvent(first.id, choose("no-such-choice")),
    answerEvent(first.id, choose(first.right, first.wrong)),
    answerEvent(first.id, { kind: "number", value: 1 }),
    answerEvent(practice.id, choose(practice.right)),
    { type: "block.watched", key: first.id, value: { duration: 10, ranges: [[0, 10]] } },
    { type: "block.check", key: first.id, value: ["x".repeat(30_000)] },
    { type: "block.confirm", key: first.id, value: { zone: "Europe/Oslo" } },
    { type: "block.answer", key: first.id },
    answerEvent(first.id, choose(first.right)),
  ]);
  const broken = { ...events[10]!, value: "{" };
  const { status, body } = await send(session, { events: events.with(10, broken) });
  expect(status).toBe(200);
  expect(body.ackSeq).toBe(12);
  expect(body.lessons?.refused.map(({ seq, reason }) => `${seq} ${reason}`)).toEqual([
    "2 unknownBlock",
    "3 unknownBlock",
    "4 invalid",
    "5 invalid",
    "6 invalid",
    "7 unknownBlock",
    "8 invalid",
    "9 invalid",
    "10 invalid",
    "11 invalid",
  ]);
  expect(body.lessons?.judged).toMatchObject([{ block: first.id, tries: 1, reveal: { result: "right" } }]);
});

test("of two windows, the one that was taken over may still add its answers", async () => {
  const { course, first, second } = twoLessons();
  const { session, launch } = await open(course);
  await send(session, { events: lessonEvents("lesson-quiz", [{ type: "nav" }]) });
  const other = await launch({ clientId: "another-window", takeOver: true });
  await send(other, {
    events: lessonEvents("lesson-quiz", [{ type: "nav" }, answerEvent(first.id, choose(first.right))]),
  });
  const late = await send(session, {
    events: lessonEvents(
      "lesson-quiz",
      [answerEvent(first.id, choose(first.wrong)), answerEvent(second.id, choose(second.right))],
      2,
    ),
  });
  expect(late.body).toMatchObject({
    session: "superseded",
    lessons: { refused: [{ seq: 2, reason: "noTriesLeft" }], judged: [{ block: first.id }, { block: second.id }] },
  });
  expect((await getLesson(server, other, "lesson-quiz")).body.state.answers).toMatchObject({
    [first.id]: { best: 1, tries: 1 },
    [second.id]: { best: 1, tries: 1 },
  });
});

test("gives a lesson to the session of its course only", async () => {
  const { session } = await open(twoLessons().course);
  expect((await getLesson(server, { ...session, token: "wrong" }, "lesson-quiz")).status).toBe(404);
  expect((await getLesson(server, session, "lesson-other")).status).toBe(404);
});

test("serves the files of a published lesson by its grant, and no others", async () => {
  const author = await server.make.admin();
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const used = await uploadMedia(server, author, "ring.png", "image/png", png);
  const unused = await uploadMedia(server, author, "other.png", "image/png", png);
  const file = { fileId: used, name: "ring.png", type: "image/png", bytes: png.length };
  const image: LessonBlock = {
    kind: "image",
    id: "block-image",
    file,
    alt: "A ring",
    isDecorative: false,
    caption: words("The ring"),
    width: "text",
  };
  const course = courseOf({ id: "lesson-image", title: "Ring", blocks: [image] });
  const { session } = await open(course);
  const media = new URL(session.lessons?.media ?? "").pathname;
  const reply = await server.content.inject({ url: media + used, headers: { range: "bytes=0-7" } });
  expect(reply).toMatchObject({
    statusCode: 206,
    headers: { "content-type": "image/png", "x-content-type-options": "nosniff" },
  });
  expect((await server.content.inject({ url: media + unused })).statusCode).toBe(404);
  expect((await server.content.inject({ url: media.replace(/.(?=\/$)/, "x") + used })).statusCode).toBe(404);
});
