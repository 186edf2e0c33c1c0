import { sql } from "kysely";
import { expect, test } from "vitest";
import { countLessonBlocks } from "#server/reports/blocks/blocks.ts";
import { audit } from "#shared/audit/audit.ts";
import { courses } from "#shared/courses/courses.ts";
import type { Launch, SessionEvent } from "#shared/player/player.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { reports } from "#shared/reports/reports.ts";
import { committer } from "#test/commits.ts";
import { lessonRoom } from "#test/lessonRoom.ts";
import { courseOf, lessonEvents, paragraph } from "#test/lessons.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, db, make, services } = server;
const send = committer(as);
const LESSON = "lesson-read";

async function openRoom() {
  const blocks = ["First", "Second", "Third"].map((text) => paragraph(text));
  const [first, second, third] = blocks.map(({ id }) => id) as [string, string, string];
  const other = paragraph("Elsewhere");
  const room = await lessonRoom(
    server,
    courseOf({ id: LESSON, title: "Hooks", blocks }, { id: "lesson-next", title: "Next", blocks: [other] }),
  );
  const params = { id: room.courseId };
  const boss = as(room.admin);
  const count = async (query: object = {}) => (await boss(reports.lessonBlocks, { params, query })).body;
  const figures = async (query: object = {}) =>
    (await count(query)).blocks.map(({ about, reached, medianSeconds, stopped, unclear }) => [
      about,
      reached,
      medianSeconds,
      stopped,
      unclear,
    ]);
  const people = async (group: "reached" | "stopped", block: string) =>
    (await boss(reports.blockPeople, { params, query: { lesson: LESSON, block, group } })).body;
  const join = async (company = room.company) => {
    const learner = await make.learner(company.accessCode);
    return { learner, session: await make.launch(learner, company.id, room.courseId) };
  };
  /** Sends what came into view, each with its second in the session; without a block, the end. */
  const see = async (session: Launch, seen: [string | null, number][]) => {
    // The server has opened the session before what it tells happened.
    await db
      .updateTable("sessions")
      .set({ startedAt: sql`now() - interval '1 day'` })
      .where("id", "=", session.sessionId)
      .execute();
    const list = seen.map(([key]) =>
      key === null ? { type: "lesson.end" as const } : { type: "block.seen" as const, key },
    );
    const events: SessionEvent[] = lessonEvents(LESSON, [{ type: "nav" as const }, ...list]);
    const timed = events.map((event, n) => ({ ...event, t: n === 0 ? 0 : (seen[n - 1]?.[1] ?? 0) * 1000 }));
    expect((await send(session, { events: timed })).status).toBe(200);
  };
  const leave = (session: Launch) =>
    sql`
      update enrolments
      set last_activity_at = now() - interval '8 days'
      from attempts
      where attempts.enrolment_id = enrolments.id
        and attempts.id = ${session.attemptId}`.execute(db);
  return { ...room, first, second, third, count, figures, people, join, see, leave };
}

test("blocks are counted by people, with their time and where they stopped", async () => {
  const room = await openRoom();
  const { first, second, third } = room;
  expect(await room.count()).toMatchObject({
    lessons: [
      { sco: LESSON, title: "Hooks" },
      { sco: "lesson-next", title: "Next" },
    ],
    versions: [1],
    lesson: LESSON,
    learners: 0,
  });
  const a = await room.join();
  await room.see(a.session, [
    [first, 1],
    [second, 11],
    [third, 31],
    [null, 35],
  ]);
  const b = await room.join();
  await room.see(b.session, [
    [first, 1],
    [second, 21],
  ]);
  await room.leave(b.session);
  // A pause is no time, and blocks that come into view together share it.
  const c = await room.join();
  await room.see(c.session, [
    [first, 1],
    [second, 1.4],
    [third, 41],
    [null, 4000],
  ]);
  expect(await room.figures()).toEqual([
    ["First", 3, 20, 0, 0],
    ["Second", 3, 20, 1, 0],
    ["Third", 2, 4, 0, 0],
  ]);
  expect((await room.count()).learners).toBe(3);
  const stopped = await room.people("stopped", second);
  expect(stopped.items).toMatchObject([{ userId: b.learner.user.id, sessionId: b.session.sessionId, t: 21_000 }]);
  const reached = await room.people("reached", third);
  expect(new Set(reached.items.map(({ userId }) => userId))).toEqual(new Set([a.learner.user.id, c.learner.user.id]));
  expect(reached.total).toBe(2);
  const { items } = (await as(room.admin)(audit.list, { query: { q: b.learner.user.email } })).body;
  expect(items.map(({ action }) => action)).toContain("reports.blockPeople");
});

test("a second visit counts nobody twice, and who completed the course has not stopped", async () => {
  const room = await openRoom();
  const { learner, session } = await room.join();
  await room.see(session, [[room.first, 1]]);
  const again = await make.launch(learner, room.company.id, room.courseId, { takeOver: true, newAttempt: true });
  await room.see(again, [[room.first, 1]]);
  await room.leave(again);
  expect((await room.figures())[0]).toEqual(["First", 1, null, 1, 0]);
  await sql`update enrolments set status = 'completed' where user_id = ${learner.user.id}`.execute(db);
  expect((await room.figures())[0]).toEqual(["First", 1, null, 0, 0]);
});

test("figures are as of a day, by version, and of the own company", async () => {
  const room = await openRoom();
  const { session } = await room.join();
  await room.see(session, [[room.first, 1]]);
  await send(session, {
    events: lessonEvents(LESSON, [{ type: "block.unclear", key: room.first, value: { isMarked: true } }], 3),
  });
  const far = await make.company(room.admin);
  await as(room.admin)(courses.assign, { params: { id: room.courseId }, body: { companyIds: [far.id] } });
  await room.see((await room.join(far)).session, [[room.first, 1]]);
  expect((await room.figures())[0]).toEqual(["First", 2, null, 0, 1]);
  expect((await room.figures({ companyId: far.id }))[0]).toEqual(["First", 1, null, 0, 0]);
  expect((await room.figures({ version: 2 }))[0]).toEqual(["First", 0, null, 0, 0]);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  expect((await room.figures({ asOf: yesterday, zone: "UTC" }))[0]).toEqual(["First", 0, null, 0, 0]);
  const ofCompany = { ...services, user: { ...room.admin.user, companyId: room.company.id } };
  expect((await countLessonBlocks(ofCompany, room.courseId, {})).learners).toBe(1);
  await expect(countLessonBlocks(ofCompany, room.courseId, { companyId: far.id })).rejects.toThrow();
});

test("views of erased people and blocks that do not exist are not counted", async () => {
  const room = await openRoom();
  const { learner, session } = await room.join();
  await room.see(session, [
    [room.first, 1],
    ["no-such-block", 5],
  ]);
  expect((await room.figures())[0]?.[1]).toBe(1);
  expect((await as(room.admin)(privacy.erase, { body: { userId: learner.user.id } })).status).toBe(200);
  expect((await room.figures())[0]?.[1]).toBe(0);
  const left = await db.selectFrom("blockViews").where("sessionId", "=", session.sessionId).selectAll().execute();
  expect(left).toEqual([]);
});

test("time in another lesson does not count as time on a block", async () => {
  const room = await openRoom();
  const { session } = await room.join();
  await room.see(session, [
    [room.first, 1],
    [room.second, 900],
  ]);
  await sql`
    insert into block_views (attempt_id, sco, block_id, session_id, seq, t)
    select attempt_id, 'lesson-next', 'elsewhere', id, 99, 5000
    from sessions
    where id = ${session.sessionId}`.execute(db);
  expect((await room.figures())[0]).toEqual(["First", 1, 4, 0, 0]);
});
