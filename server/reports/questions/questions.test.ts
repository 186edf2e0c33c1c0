import { expect, test } from "vitest";
import { listQuestionPeople, listQuestions } from "#server/reports/questions/questions.ts";
import { audit } from "#shared/audit/audit.ts";
import { courses } from "#shared/courses/courses.ts";
import { QUESTIONS_FILE } from "#shared/courses/questions.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import { reports } from "#shared/reports/reports.ts";
import { variables } from "#shared/variables/variables.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import { manifest12 } from "#test/samplePackage.ts";
import { start } from "#test/start.ts";

const { as, make, services } = await start();
const send = committer(as);

const responses = { a: "Call", b: "Wait", c: "Report it" };
const file = { questions: [{ id: "q1", text: "What do you do first?", responses }] };
const content = {
  "imsmanifest.xml": manifest12(),
  "index.html": "<html></html>",
  [QUESTIONS_FILE]: JSON.stringify(file),
};

/** The events of answers in order, each `question=response`, with `!` in front of a wrong one. */
function toEvents(answers: string[]): SessionEvent[] {
  const events = answers.flatMap((answer, n) => {
    const [id, response] = answer.replace("!", "").split("=") as [string, string];
    const result = answer.startsWith("!") ? "wrong" : "correct";
    const fields = { id, type: "choice", student_response: response, result };
    return Object.entries(fields).map(([name, value]) => [`cmi.interactions.${n}.${name}`, value] as const);
  });
  return events.map(([key, value], n) => ({ ...setValue(3 + n, key, value), t: 3 + n }));
}

async function makeRoom() {
  const room = await make.classroom(content);
  const boss = as(room.admin);
  const course = { params: { id: room.course.id } };
  const answer = async (answers: string[], learner?: typeof room.learner) => {
    const who = learner ?? (await make.learner(room.company.accessCode));
    const options = { takeOver: true, newAttempt: learner !== undefined };
    const session = await make.launch(who, room.company.id, room.course.id, options);
    expect((await send(session, { events: [...openPart(), ...toEvents(answers)] })).status).toBe(200);
    return { who, session };
  };
  const list = async (query: object = {}) => (await boss(reports.questions, { ...course, query })).body;
  const listPeople = async (group: "right" | "wrong" | "stillWrong", key = "q1") =>
    (await boss(reports.questionPeople, { ...course, query: { sco: "i1", key, group } })).body;
  return { ...room, boss, course, answer, list, listPeople };
}

test("a question is counted by the first answer of each person, the hardest first", async () => {
  const room = await makeRoom();
  await room.answer(["!q1=b", "q2=x"]);
  await room.answer(["!q1=b", "!q1=a", "q2=x"]);
  await room.answer(["!q1=a", "q1=c"]);
  await room.answer(["q1=c"]);
  const { items, total } = await room.list();
  expect(total).toBe(2);
  expect(items).toMatchObject([
    {
      key: "q1",
      question: "What do you do first?",
      answered: 4,
      right: 1,
      wrong: 3,
      stillWrong: 2,
      frequentWrong: { response: "Wait", n: 2 },
      rightAnswer: "Report it",
    },
    {
      key: "q2",
      question: "q2",
      answered: 2,
      right: 2,
      wrong: 0,
      stillWrong: 0,
      frequentWrong: null,
      rightAnswer: "x",
    },
  ]);
});

test("each number leads to its people, and to the second of their answer", async () => {
  const room = await makeRoom();
  const { who, session } = await room.answer(["!q1=b", "q1=c"]);
  const other = await room.answer(["!q1=a"]);
  const wrong = await room.listPeople("wrong");
  expect(wrong.items).toMatchObject([
    { userId: other.who.user.id, response: "Call", sessionId: other.session.sessionId },
    { userId: who.user.id, response: "Wait", sessionId: session.sessionId, t: 6 },
  ]);
  expect((await room.listPeople("stillWrong")).items).toMatchObject([{ userId: other.who.user.id }]);
  expect(await room.listPeople("right")).toEqual({ items: [], total: 0 });
  const { items } = (await room.boss(audit.list, { query: { q: who.user.email } })).body;
  expect(items.map(({ action }) => action)).toContain("reports.answers");
});

test("a later attempt changes the last answer of a person, not the first", async () => {
  const room = await makeRoom();
  const { who } = await room.answer(["!q1=b"]);
  await room.answer(["q1=c"], who);
  expect((await room.list()).items).toMatchObject([{ answered: 1, right: 0, wrong: 1, stillWrong: 0 }]);
});

test("answers of another company are counted only where they belong", async () => {
  const room = await makeRoom();
  await room.answer(["q1=c"]);
  const far = await make.company(room.admin);
  const stranger = await make.learner(far.accessCode);
  await room.boss(courses.assign, { ...room.course, body: { companyIds: [far.id] } });
  const session = await make.launch(stranger, far.id, room.course.params.id);
  await send(session, { events: [...openPart(), ...toEvents(["!q1=a"])] });
  expect((await room.list()).items).toMatchObject([{ answered: 2, wrong: 1 }]);
  expect((await room.list({ companyId: room.company.id })).items).toMatchObject([{ answered: 1, wrong: 0 }]);
  const ofCompany = { ...services, user: { ...room.admin.user, companyId: room.company.id } };
  const query = { sco: "i1", key: "q1", group: "wrong" as const, page: 1, size: 25 };
  expect(await listQuestionPeople(ofCompany, room.course.params.id, query)).toEqual({ items: [], total: 0 });
  await expect(listQuestions(ofCompany, room.course.params.id, { ...query, companyId: far.id })).rejects.toThrow();
});

test("sensitive responses are masked, and questions with a sensitive result left out", async () => {
  const room = await makeRoom();
  const input = { type: "text" as const, privacy: "sensitive" as const };
  const protect = (key: string, path: string) =>
    room.boss(variables.create, {
      body: { ...input, key, label: key, courses: [{ courseId: room.course.params.id, access: "write", path }] },
    });
  expect((await protect("worry", "cmi.interactions[q1].student_response")).status).toBe(200);
  expect((await protect("verdict", "cmi.interactions[q2].result")).status).toBe(200);
  await room.answer(["!q1=b", "!q2=x"]);
  expect((await room.list()).items).toMatchObject([{ key: "q1", wrong: 1, frequentWrong: null, rightAnswer: null }]);
  expect((await room.listPeople("wrong")).items).toMatchObject([{ response: "masked" }]);
  expect((await room.listPeople("wrong", "q2")).total).toBe(0);
});
