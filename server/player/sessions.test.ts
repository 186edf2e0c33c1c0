import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { type Launch, player } from "#shared/player/player.ts";
import { start } from "#test/start.ts";

const { as, make, db } = await start();
const send = committer(as);

test("lets a second window take over while the first can only add", async () => {
  const { learner, company, course } = await make.classroom();
  const first = await make.launch(learner, company.id, course.id);
  await send(first, { events: [...openPart(), setValue(3, "cmi.core.lesson_location", "one")] });
  const withoutTakeOver = await as(learner)(player.launch, {
    params: { companyId: company.id, courseId: course.id },
    body: { clientId: randomUUID() },
  });
  expect(withoutTakeOver).toMatchObject({ status: 409, code: "player.openElsewhere" });
  const second = await make.launch(learner, company.id, course.id, { takeOver: true });
  await send(second, { events: [...openPart(), setValue(3, "cmi.core.lesson_location", "two")] });
  const superseded = await send(first, {
    events: [
      setValue(4, "cmi.core.lesson_location", "late"),
      setValue(5, "cmi.core.lesson_status", "completed"),
      setValue(6, "cmi.interactions.0.id", "q1"),
    ],
  });
  expect(superseded.body).toMatchObject({ ackSeq: 6, session: "superseded", attempt: { completion: "complete" } });
  const third = await make.launch(learner, company.id, course.id, { takeOver: true });
  expect(third.values.i1).toMatchObject({ "cmi.core.lesson_location": "two", "cmi.interactions.0.id": "q1" });
});

test("applies what a closed tab sent until the next session has written", async () => {
  const { learner, company, course } = await make.classroom();
  const clientId = randomUUID();
  const launch = () => make.launch(learner, company.id, course.id, { clientId });
  const location = (seq: number, value: string) => setValue(seq, "cmi.core.lesson_location", value);
  const closed = await launch();
  await send(closed, { events: [...openPart(), location(3, "slide 3")] });
  const next = await launch();
  expect(next.previous).toEqual({ sessionId: closed.sessionId, lastSeq: 3, isSameWindow: true });
  const tail = [location(4, "slide 4"), setValue(5, "cmi.suspend_data", "four slides")];
  expect((await send(closed, { events: tail, end: "tab_closed" })).body).toMatchObject({
    ackSeq: 5,
    session: "superseded",
  });
  const again = await launch();
  expect(again.values.i1).toMatchObject({ "cmi.core.lesson_location": "slide 4", "cmi.suspend_data": "four slides" });
  await send(again, { events: [...openPart(), location(3, "slide 5")] });
  await send(closed, { events: [location(6, "slide 4 again")] });
  expect((await launch()).values.i1).toMatchObject({ "cmi.core.lesson_location": "slide 5" });
  const { endReason } = await db
    .selectFrom("sessions")
    .where("id", "=", closed.sessionId)
    .select("endReason")
    .executeTakeFirstOrThrow();
  expect(endReason).toBe("tab_closed");
});

test("keeps one history when two windows write a thousand times in turn", async () => {
  const { learner, company, course } = await make.classroom();
  const [first, second] = [
    await make.launch(learner, company.id, course.id),
    await make.launch(learner, company.id, course.id, { takeOver: true }),
  ];
  await Promise.all([first, second].map((session) => send(session, { events: openPart() })));
  const write = (session: Launch, name: string, i: number) =>
    send(session, { events: [setValue(3 + i, "cmi.core.lesson_location", `${name}${i}`)] });
  for (let i = 0; i < 500; i++) await Promise.all([write(first, "a", i), write(second, "b", i)]);
  const state = await db
    .selectFrom("partStates")
    .where("attemptId", "=", first.attemptId)
    .select(sql<string>`cmi->>'cmi.core.lesson_location'`.as("at"))
    .executeTakeFirstOrThrow();
  expect(state.at).toBe("b499");
  const counts = await db.selectFrom("sessions").where("attemptId", "=", first.attemptId).select("lastSeq").execute();
  expect(counts.map(({ lastSeq }) => lastSeq)).toEqual([502, 502]);
}, 120_000);

test("leaves one open session after twenty launches of the same window", async () => {
  const { learner, company, course } = await make.classroom();
  const clientId = randomUUID();
  const all = await Promise.all(
    Array.from({ length: 20 }, () => make.launch(learner, company.id, course.id, { clientId })),
  );
  expect(new Set(all.map(({ attemptNo }) => attemptNo))).toEqual(new Set([1]));
  const live = await db
    .selectFrom("sessions")
    .where("userId", "=", learner.user.id)
    .where("endedAt", "is", null)
    .select("id")
    .execute();
  expect(live).toHaveLength(1);
});

test("ends an open session when its learner is suspended", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: [...openPart(), setValue(3, "cmi.core.lesson_location", "here")] });
  await as(admin)(learners.suspend, { body: { ids: [learner.user.id] } });
  expect((await send(session, { events: [setValue(4, "cmi.core.lesson_location", "there")] })).body).toMatchObject({
    session: "ended",
    ackSeq: 3,
  });
  expect((await as(learner)(courses.mine)).status).toBe(401);
});
