import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createCommitter } from "#server/player/commit.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { MAX_BATCH_CHARS, firstBatch } from "#shared/player/playerTiming.ts";
import { player } from "#shared/player/player.ts";
import { reports } from "#shared/reports/reports.ts";
import { type Person, start } from "#test/start.ts";

// Malformed or forged data of one session must not block its later commits or affect anyone else

const { as, make, db, services } = await start();
const send = committer(as);
const open = async () => {
  const classroom = await make.classroom();
  const session = await make.launch(classroom.learner, classroom.company.id, classroom.course.id);
  await send(session, { events: openPart() });
  return { ...classroom, session };
};

test.each([
  ["a lone surrogate", "cmi.interactions.0.student_response", "cut \ud83d"],
  ["U+0000", "cmi.suspend_data", "a\0b"],
  ["U+0000 in a name", "cmi.odd\0name", "x"],
  ["a session time since 1970", "cmi.core.session_time", "490000:12:13"],
  ["an infinite score", "cmi.core.score.raw", "Infinity"],
  ["a score that is not a number", "cmi.core.score.raw", "NaN"],
])("accepts %s and applies later events", async (_, key, value) => {
  const { admin, learner, session } = await open();
  const first = await send(session, {
    events: [setValue(3, "cmi.core.score.max", "Infinity"), setValue(4, key, value)],
  });
  expect(first).toMatchObject({ status: 200, body: { ackSeq: 4 } });
  expect(
    (await send(session, { events: [setValue(5, key, value), setValue(6, "cmi.core.lesson_status", "completed")] }))
      .body,
  ).toMatchObject({ ackSeq: 6, attempt: { completion: "complete" } });
  expect((await as(admin)(learners.list, { query: { q: learner.user.email } })).status).toBe(200);
  expect((await as(admin)(reports.learner, { params: { id: learner.user.id } })).status).toBe(200);
  expect((await as(learner)(courses.mine)).body.items[0]).toMatchObject({ status: "completed" });
});

test("accepts a forged view of a block with an impossible time, and later events", async () => {
  const { session } = await open();
  const forged = { seq: 3, t: 2 ** 52, type: "block.seen" as const, sco: "i1", key: "block" };
  expect((await send(session, { events: [forged] })).body).toMatchObject({ ackSeq: 3 });
  expect((await send(session, { events: [setValue(4, "cmi.core.lesson_location", "cup")] })).body.ackSeq).toBe(4);
});

test("accepts the view of a block in a session that was left open for weeks", async () => {
  const { session } = await open();
  await sql`update sessions set started_at = now() - interval '26 days' where id = ${session.sessionId}`.execute(db);
  const seen = { seq: 3, t: 26 * 86_400_000, type: "block.seen" as const, sco: "i\0", key: "block" };
  expect((await send(session, { events: [seen] })).body).toMatchObject({ ackSeq: 3 });
});

test("acknowledges a value that the database rejects, without its effect", async () => {
  const { session } = await open();
  await sql`
    alter table part_states add constraint no_teapots
    check (cmi->>'cmi.core.lesson_location' is distinct from 'teapot')`.execute(db);
  expect((await send(session, { events: [setValue(3, "cmi.core.lesson_location", "teapot")] })).body).toMatchObject({
    ackSeq: 3,
    session: "live",
  });
  expect((await send(session, { events: [setValue(4, "cmi.core.lesson_location", "cup")] })).body.ackSeq).toBe(4);
  await sql`alter table part_states drop constraint no_teapots`.execute(db);
});

test("limits a batch by size, and accepts the largest batch", async () => {
  const many = Array.from({ length: 500 }, (_, n) => setValue(3 + n, "cmi.suspend_data", "ü".repeat(60_000)));
  const batch = firstBatch(many);
  expect(JSON.stringify(batch).length).toBeLessThan(MAX_BATCH_CHARS + 70_000);
  const { session } = await open();
  expect((await send(session, { events: batch })).body.ackSeq).toBe(2 + batch.length);
  expect(firstBatch([setValue(1, "x", "y".repeat(MAX_BATCH_CHARS * 2))])).toHaveLength(1);
});

test("accepts commits of one session from two servers in turn", async () => {
  const { session } = await open();
  const [one, two] = [createCommitter(services).commit, createCommitter(services).commit];
  for (let n = 0; n < 20; n++) {
    const receipt = await (n % 2 ? one : two)(session.sessionId, session.token, {
      events: [setValue(3 + n, "cmi.core.lesson_location", `s${n}`)],
      activeMs: 0,
      failed: 0,
    });
    expect(receipt.ackSeq).toBe(3 + n);
  }
});

test("asks before a new attempt takes over from another window", async () => {
  const { learner, company, course, session } = await open();
  const launch = (takeOver: boolean) =>
    as(learner)(player.launch, {
      params: { companyId: company.id, courseId: course.id },
      body: { clientId: randomUUID(), newAttempt: true, takeOver },
    });
  expect(await launch(false)).toMatchObject({ status: 409, code: "player.openElsewhere" });
  expect((await launch(true)).body.attemptNo).toBe(2);
  expect((await send(session, { events: [setValue(3, "cmi.core.lesson_location", "x")] })).body.session).toBe(
    "superseded",
  );
});

const readEnrolment = async (admin: Person, learner: Person) =>
  (await as(admin)(courses.enrolments, { query: { userId: learner.user.id } })).body.items[0];

test("keeps a course completed after a failed second attempt", async () => {
  const { admin, learner, company, course, session } = await open();
  await send(session, { events: [setValue(3, "cmi.core.lesson_status", "completed")], end: "exit" });
  const again = await make.launch(learner, company.id, course.id, { newAttempt: true });
  await send(again, { events: [...openPart(), setValue(3, "cmi.core.lesson_status", "failed")] });
  expect(await readEnrolment(admin, learner)).toMatchObject({ status: "completed", success: "unknown" });
});

test("does not mix answers of two windows to different questions", async () => {
  const { learner, company, course, session } = await open();
  const second = await make.launch(learner, company.id, course.id, { takeOver: true });
  const answer = (seq: number, id: string, response: string) => [
    setValue(seq, "cmi.interactions.0.id", id),
    setValue(seq + 1, "cmi.interactions.0.student_response", response),
  ];
  await send(session, { events: answer(3, "A", "of A") });
  await send(second, { events: [...openPart(), ...answer(3, "B", "of B")] });
  const stored = await db.selectFrom("answers").where("attemptId", "=", session.attemptId).select("fields").execute();
  expect(stored).toEqual([{ fields: { id: "B", student_response: "of B" } }]);
});
