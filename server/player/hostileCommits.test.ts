import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createCommitter } from "#server/player/commit.ts";
import { courses } from "#shared/courses.ts";
import { learners } from "#shared/learners.ts";
import { MAX_BATCH_CHARS, firstBatch } from "#shared/playerTiming.ts";
import { type Commit, type Launch, player, SESSION_HEADER, type SessionEvent } from "#shared/player.ts";
import { reports } from "#shared/reports.ts";
import { start } from "#test/start.ts";

// What a package or a forger may send must never block what comes behind it, nor harm anybody else

const { as, make, db, services } = await start();
const send = (session: Launch, commit: Partial<Commit>) =>
  as(null, { [SESSION_HEADER]: session.token })(player.commit, {
    params: { id: session.sessionId },
    body: { events: [], ...commit },
  });
const set = (seq: number, key: string, value: string): SessionEvent => ({
  seq,
  t: seq,
  type: "scorm.set",
  sco: "i1",
  key,
  value,
});
const begin: SessionEvent[] = [
  { seq: 1, t: 0, type: "nav", sco: "i1" },
  { seq: 2, t: 1, type: "scorm.init", sco: "i1" },
];
const open = async () => {
  const room = await make.classroom();
  const session = await make.launch(room.learner, room.company.id, room.course.id);
  await send(session, { events: begin });
  return { ...room, session };
};

test.each([
  ["half of an emoji", "cmi.interactions.0.student_response", "cut \ud83d"],
  ["U+0000", "cmi.suspend_data", "a\0b"],
  ["U+0000 in a name", "cmi.odd\0name", "x"],
  ["a session since 1970", "cmi.core.session_time", "490000:12:13"],
  ["an endless score", "cmi.core.score.raw", "Infinity"],
  ["a score that is none", "cmi.core.score.raw", "NaN"],
])("%s is taken, and what comes behind it counts", async (_, key, value) => {
  const { admin, learner, session } = await open();
  const first = await send(session, { events: [set(3, "cmi.core.score.max", "Infinity"), set(4, key, value)] });
  expect(first).toMatchObject({ status: 200, body: { ackSeq: 4 } });
  expect(
    (await send(session, { events: [set(5, key, value), set(6, "cmi.core.lesson_status", "completed")] })).body,
  ).toMatchObject({ ackSeq: 6, attempt: { completion: "complete" } });
  expect((await as(admin)(learners.list, { query: { q: learner.user.email } })).status).toBe(200);
  expect((await as(admin)(reports.learner, { params: { id: learner.user.id } })).status).toBe(200);
  expect((await as(learner)(courses.mine)).body.items[0]).toMatchObject({ status: "completed" });
});

test("a value that the database refuses keeps its number and loses its effect", async () => {
  const { session } = await open();
  await sql`alter table part_states add constraint no_teapots check (cmi->>'cmi.core.lesson_location' is distinct from 'teapot')`.execute(
    db,
  );
  expect((await send(session, { events: [set(3, "cmi.core.lesson_location", "teapot")] })).body).toMatchObject({
    ackSeq: 3,
    session: "live",
  });
  expect((await send(session, { events: [set(4, "cmi.core.lesson_location", "cup")] })).body.ackSeq).toBe(4);
  await sql`alter table part_states drop constraint no_teapots`.execute(db);
});

test("a batch is cut by size as well as by number, and its largest one is taken", async () => {
  const many = Array.from({ length: 500 }, (_, n) => set(3 + n, "cmi.suspend_data", "ü".repeat(60_000)));
  const batch = firstBatch(many);
  expect(JSON.stringify(batch).length).toBeLessThan(MAX_BATCH_CHARS + 70_000);
  const { session } = await open();
  expect((await send(session, { events: batch })).body.ackSeq).toBe(2 + batch.length);
  expect(firstBatch([set(1, "x", "y".repeat(MAX_BATCH_CHARS * 2))])).toHaveLength(1);
});

test("two servers on one database take the commits of one session in turn", async () => {
  const { session } = await open();
  const [one, two] = [createCommitter(services), createCommitter(services)];
  for (let n = 0; n < 20; n++) {
    const done = await (n % 2 ? one : two)(session.sessionId, session.token, {
      events: [set(3 + n, "cmi.core.lesson_location", `s${n}`)],
      activeMs: 0,
      failed: 0,
    });
    expect(done.ackSeq).toBe(3 + n);
  }
});

test("a new attempt asks for the window that has the course, too", async () => {
  const { learner, company, course, session } = await open();
  const ask = (takeOver: boolean) =>
    as(learner)(player.launch, {
      params: { companyId: company.id, courseId: course.id },
      body: { clientId: randomUUID(), newAttempt: true, takeOver },
    });
  expect(await ask(false)).toMatchObject({ status: 409, code: "player.openElsewhere" });
  expect((await ask(true)).body.attemptNo).toBe(2);
  expect((await send(session, { events: [set(3, "cmi.core.lesson_location", "x")] })).body.session).toBe("superseded");
});

test("a failed second attempt takes nothing from a completed course; completing while withdrawn counts when it comes back", async () => {
  const { admin, learner, company, course, session } = await open();
  await as(admin)(courses.withdraw, { params: { id: course.id }, body: { userIds: [learner.user.id] } });
  await send(session, { events: [set(3, "cmi.core.lesson_status", "completed")], end: "exit" });
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [learner.user.id] } });
  const row = async () => (await as(admin)(courses.enrolments, { query: { userId: learner.user.id } })).body.items[0];
  expect(await row()).toMatchObject({ status: "completed", success: "unknown" });
  const again = await make.launch(learner, company.id, course.id, { newAttempt: true });
  await send(again, { events: [...begin, set(3, "cmi.core.lesson_status", "failed")] });
  expect(await row()).toMatchObject({ status: "completed", success: "unknown" });
});

test("what was done before a suspension is taken afterwards, what was done after it is not", async () => {
  const { admin, learner, session } = await open();
  await as(admin)(learners.suspend, { body: { ids: [learner.user.id] } });
  const late = await send(session, {
    events: [
      set(3, "cmi.core.lesson_location", "before"),
      { ...set(4, "cmi.core.lesson_location", "after"), t: 3_600_000 },
    ],
  });
  expect(late.body).toMatchObject({ session: "ended", ackSeq: 3 });
});

test("answers of two windows to different questions are not mixed", async () => {
  const { learner, company, course, session } = await open();
  const second = await make.launch(learner, company.id, course.id, { takeOver: true });
  const answer = (seq: number, id: string, response: string) => [
    set(seq, "cmi.interactions.0.id", id),
    set(seq + 1, "cmi.interactions.0.student_response", response),
  ];
  await send(session, { events: answer(3, "A", "of A") });
  await send(second, { events: [...begin, ...answer(3, "B", "of B")] });
  const stored = await db
    .selectFrom("answers")
    .where("attemptId", "=", session.attemptId)
    .select(sql<object>`fields`.as("fields"))
    .execute();
  expect(stored).toEqual([{ fields: { id: "B", student_response: "of B" } }]);
});
