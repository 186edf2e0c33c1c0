import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { courses } from "#shared/courses/courses.ts";
import { QUESTIONS_FILE } from "#shared/courses/questions.ts";
import { reports } from "#shared/reports/reports.ts";
import { variables } from "#shared/variables/variables.ts";
import { manifest12 } from "#test/samplePackage.ts";
import { start } from "#test/start.ts";

const { as, make } = await start();
const send = committer(as);

/** The answer "b" to the question "q1" of a package with these further files, as an admin reads it. */
async function readAnswer(files: Record<string, string>) {
  const room = await make.classroom({ "imsmanifest.xml": manifest12(), "index.html": "<html></html>", ...files });
  const session = await make.launch(room.learner, room.company.id, room.course.id);
  const fields = {
    id: "q1",
    type: "choice",
    student_response: "b",
    "correct_responses.0.pattern": "a,c",
    result: "wrong",
  };
  const events = Object.entries(fields).map(([name, value], n) => setValue(3 + n, `cmi.interactions.0.${name}`, value));
  expect((await send(session, { events: [...openPart(), ...events] })).status).toBe(200);
  const boss = as(room.admin);
  const { items } = (await boss(courses.enrolments, { query: { courseId: room.course.id } })).body;
  const answers = (await boss(reports.answers, { params: { id: items[0]?.id as string } })).body.items;
  const { questions } = (await boss(reports.session, { params: { id: session.sessionId } })).body;
  return { answer: answers[0], questions };
}

test("answers are shown in the words that the package brings", async () => {
  const responses = { a: "Call", b: "Wait", c: "Report it" };
  const file = { questions: [{ id: "q1", text: "What do you do first?", responses }] };
  const { answer, questions } = await readAnswer({ [QUESTIONS_FILE]: JSON.stringify(file) });
  expect(answer).toMatchObject({ question: "What do you do first?", response: "Wait", correct: "Call; Report it" });
  expect(questions).toEqual({ q1: { text: "What do you do first?", responses } });
});

test("an answer that sets a sensitive variable is masked for admins only", async () => {
  const room = await make.classroom();
  const boss = as(room.admin);
  const path = "cmi.interactions[q1].student_response";
  const uses = [{ courseId: room.course.id, access: "write" as const, path }];
  const input = { key: "worry", label: "Worry", type: "text" as const, privacy: "sensitive" as const };
  expect((await boss(variables.create, { body: { ...input, courses: uses } })).status).toBe(200);
  const session = await make.launch(room.learner, room.company.id, room.course.id);
  const events = [
    setValue(3, "cmi.interactions.0.id", "q1"),
    setValue(4, "cmi.interactions.0.student_response", "He gets angry"),
  ];
  await send(session, { events: [...openPart(), ...events] });
  const { items } = (await boss(courses.enrolments, { query: { courseId: room.course.id } })).body;
  const params = { id: items[0]?.id as string };
  expect((await boss(reports.answers, { params })).body.items).toMatchObject([{ key: "q1", response: "masked" }]);
  const ownAnswers = await as(room.learner)(reports.answers, { params });
  expect(ownAnswers.body.items).toMatchObject([{ response: "He gets angry" }]);
});

test.each([
  ["no file of questions", {}],
  ["one that is not JSON", { [QUESTIONS_FILE]: "{" }],
  ["one of another form", { [QUESTIONS_FILE]: '{"questions":[{"id":1}]}' }],
])("a package with %s shows answers as they were sent", async (_, files) => {
  const { answer, questions } = await readAnswer(files);
  expect(answer).toMatchObject({ question: "q1", response: "b", correct: "a,c" });
  expect(questions).toEqual({});
});
