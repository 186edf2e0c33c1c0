import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { courses } from "#shared/courses/courses.ts";
import { reports } from "#shared/reports/reports.ts";
import { start } from "#test/start.ts";

const { as, make } = await start();
const ANSWERS = 2100;
const send = committer(as);

test("lists answers with their session and time", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const fields = {
    id: "Q1",
    type: "choice",
    student_response: "b",
    "correct_responses.0.pattern": "a",
    result: "wrong",
    latency: "0000:00:12.00",
  };
  await send(session, {
    events: [
      ...openPart(),
      ...Object.entries(fields).map(([name, value], i) => setValue(3 + i, `cmi.interactions.0.${name}`, value)),
    ],
  });
  const enrolment = (await as(admin)(courses.enrolments, { query: { userId: learner.user.id } })).body.items[0];
  const { body } = await as(admin)(reports.answers, { params: { id: enrolment?.id as string } });
  expect(body.items[0]).toMatchObject({
    key: "Q1",
    response: "b",
    correct: "a",
    result: "wrong",
    seconds: 12,
    sessionId: session.sessionId,
    t: expect.any(Number),
    part: "Part one",
  });
  expect((await as(learner)(reports.answers, { params: { id: enrolment?.id as string } })).body.total).toBe(1);
  const timeline = await as(admin)(reports.session, { params: { id: session.sessionId } });
  expect(timeline.body.events).toHaveLength(8);
});

test("lists every answer of a long course, page by page", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const events = [
    ...openPart(),
    ...Array.from({ length: ANSWERS }, (_, n) => setValue(3 + n, `cmi.interactions.${n}.id`, `q${n}`)),
  ];
  for (let at = 0; at < events.length; at += 500) await send(session, { events: events.slice(at, at + 500) });
  const enrolment = (await as(admin)(courses.enrolments, { query: { userId: learner.user.id } })).body.items[0];
  const keys: string[] = [];
  for (let page = 1; keys.length < ANSWERS && page <= 11; page++) {
    const { body } = await as(admin)(reports.answers, {
      params: { id: enrolment?.id as string },
      query: { page, size: 200 },
    });
    expect(body.total).toBe(ANSWERS);
    keys.push(...body.items.map(({ key }) => key));
  }
  expect(new Set(keys).size).toBe(ANSWERS);
});
