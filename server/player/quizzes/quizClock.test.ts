import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { recountLessons } from "#server/player/recountLessons.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { sampleDesign } from "#test/certificates.ts";
import { committer } from "#test/commits.ts";
import { getLesson, lessonRoom } from "#test/lessonRoom.ts";
import { quizAnswer, quizCourse, quizEvent, quizEvents } from "#test/quizzes.ts";
import { start } from "#test/start.ts";
import type { Launch } from "#shared/player/player.ts";

const server = await start();
const { as, db } = server;
const send = committer(as);
const SCO = "lesson-quiz";

async function open(...quiz: Parameters<typeof quizCourse>) {
  const made = quizCourse(...quiz);
  const room = await lessonRoom(server, made.course);
  return { ...made, ...room, session: await room.launch(), say: quizEvents() };
}
const read = async (session: Pick<Launch, "sessionId" | "token">) => (await getLesson(server, session, SCO)).body;
const asked = async (session: Pick<Launch, "sessionId" | "token">) =>
  (await read(session)).document.blocks.filter(({ kind }) => kind === "question").map(({ id }) => id);

/** The time limit of the open attempt was this many seconds earlier. */
async function shiftEnd({ attemptId }: Launch, seconds: number) {
  await sql`
    update part_states
    set lesson = jsonb_set(
      lesson,
      '{quiz,open,endsAt}',
      to_jsonb(to_char(
        (lesson->'quiz'->'open'->>'endsAt')::timestamptz at time zone 'UTC' - make_interval(secs => ${seconds}),
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
      ))
    )
    where attempt_id = ${attemptId}`.execute(db);
  await sql`update attempts set rev = rev + 1 where id = ${attemptId}`.execute(db);
}

test("what reaches the server before the end counts, and nothing after it", async () => {
  const { session, say, rightOf } = await open({ minutes: 5, passPercent: 100 }, { always: 2 });
  await send(session, { events: say({ type: "nav" }, quizEvent("quiz.start", 1)) });
  const [first, second] = (await asked(session)) as [string, string];
  await send(session, { events: say(quizAnswer(first, rightOf(first))) });
  // The laptop slept, or the clock of the browser was set back: what it says of the time does not matter.
  await shiftEnd(session, 320);
  const late = say(quizAnswer(second, rightOf(second)), quizEvent("quiz.end", 1));
  const { body } = await send(session, { events: late.map((event) => ({ ...event, t: 40 })) });
  expect(body.lessons?.refused.map(({ reason }) => reason)).toEqual(["timeUp", "notOpen"]);
  const { quiz } = (await read(session)).state;
  expect(quiz?.closed).toMatchObject([{ no: 1, earned: 1, points: 2, isTimeUp: true }]);
  expect(body.attempt.scorePercent).toBe(50);
});

test("an answer that was on its way at the end still counts", async () => {
  const { session, say, questions, rightOf } = await open({ minutes: 5 });
  const id = questions[0]!.id;
  await send(session, { events: say({ type: "nav" }, quizEvent("quiz.start", 1)) });
  await shiftEnd(session, 303);
  const { body } = await send(session, { events: say(quizAnswer(id, rightOf(id)), quizEvent("quiz.end", 1)) });
  expect(body.lessons?.refused).toEqual([]);
  expect(body.attempt).toMatchObject({ scorePercent: 100, success: "passed" });
  expect((await read(session)).state.quiz?.closed).toMatchObject([{ isTimeUp: true }]);
});

test("a browser cannot make up a start, a draw or a time", async () => {
  const { session, say, questions, rightOf } = await open({ minutes: 5, attempts: 1 }, { pooled: 5, always: 0 });
  const made = { attempt: 1, at: 0, minutes: 600, extra: -600, drawn: questions.map(({ id }) => id) };
  await send(session, { events: say({ type: "nav" }, { type: "quiz.start", value: made }) });
  const ids = await asked(session);
  expect(ids).toHaveLength(1);
  expect(Date.parse((await read(session)).quiz!.endsAt!) - Date.now()).toBeLessThan(5 * 60_000 + 1000);
  const other = questions.find(({ id }) => id !== ids[0])!;
  const { body } = await send(session, {
    events: say(quizAnswer(other.id, rightOf(other.id)), quizAnswer(ids[0]!, rightOf(ids[0]!), 2)),
  });
  expect(body.lessons?.refused.map(({ reason }) => reason)).toEqual(["unknownBlock", "otherAttempt"]);
});

test("replayed events change nothing", async () => {
  const { session, say, questions, rightOf } = await open({ attempts: 2 });
  const id = questions[0]!.id;
  const events = say(
    { type: "nav" },
    quizEvent("quiz.start", 1),
    quizAnswer(id, rightOf(id)),
    quizEvent("quiz.end", 1),
  );
  await send(session, { events });
  const before = (await read(session)).state.quiz;
  await send(session, { events });
  const doubled = await send(session, { events: say(quizEvent("quiz.start", 1), quizEvent("quiz.end", 1)) });
  expect(doubled.body.lessons?.refused.map(({ reason }) => reason)).toEqual(["otherAttempt", "notOpen"]);
  expect((await read(session)).state.quiz).toEqual(before);
});

test("of two windows, the old one neither ends the attempt nor changes an answer", async () => {
  const { session, launch, say, rightOf, wrongOf } = await open({}, { always: 2 });
  await send(session, { events: say({ type: "nav" }, quizEvent("quiz.start", 1)) });
  const [first, second] = (await asked(session)) as [string, string];
  const other = await launch({ clientId: "another-window", takeOver: true });
  const sayThere = quizEvents();
  await send(other, { events: sayThere({ type: "nav" }, quizAnswer(first, rightOf(first))) });
  const late = await send(session, {
    events: say(
      quizAnswer(first, wrongOf(first)),
      quizAnswer(second, rightOf(second)),
      quizEvent("quiz.end", 1),
      quizEvent("quiz.start", 2),
    ),
  });
  expect(late.body.lessons?.refused.map(({ reason }) => reason)).toEqual([
    "noTriesLeft",
    "otherAttempt",
    "otherAttempt",
  ]);
  expect((await read(other)).state.quiz?.open).toMatchObject({ no: 1 });
  const { body } = await send(other, { events: sayThere(quizEvent("quiz.end", 1)) });
  expect(body.attempt.scorePercent).toBe(100);
});

test("the clock stops only where the quiz allows it", async () => {
  const strict = await open({ minutes: 5 });
  const refused = await send(strict.session, {
    events: strict.say({ type: "nav" }, quizEvent("quiz.start", 1), quizEvent("quiz.pause", 1)),
  });
  expect(refused.body.lessons?.refused).toEqual([{ seq: 3, reason: "invalid" }]);
  const { session, say, questions, rightOf } = await open({ minutes: 5, mayPause: true });
  const id = questions[0]!.id;
  const paused = await send(session, {
    events: say({ type: "nav" }, quizEvent("quiz.start", 1), quizEvent("quiz.pause", 1), quizAnswer(id, rightOf(id))),
  });
  expect(paused.body.lessons?.refused).toEqual([{ seq: 4, reason: "paused" }]);
  expect((await read(session)).quiz?.endsAt).toBeNull();
  await sql`
    update part_states
    set lesson = jsonb_set(lesson, '{quiz,open,pausedAt}', '"2020-01-01T00:00:00.000Z"')
    where attempt_id = ${session.attemptId}`.execute(db);
  await sql`update attempts set rev = rev + 1 where id = ${session.attemptId}`.execute(db);
  await send(session, { events: say(quizEvent("quiz.resume", 1)) });
  expect(Date.parse((await read(session)).quiz!.endsAt!)).toBeGreaterThan(Date.now() + 365 * 86_400_000);
});

test("a job ends the attempt of a learner who does not come back", { timeout: 60_000 }, async () => {
  const { course, questions, rightOf } = quizCourse({ minutes: 5 });
  const { admin, courseId, launch } = await lessonRoom(server, course, { kind: "passed" });
  const body = { enabled: true, content: sampleDesign, version: null };
  await as(admin)(certificates.saveDesign, { params: { courseId }, body });
  const [session, say] = [await launch(), quizEvents()];
  const id = questions[0]!.id;
  await send(session, { events: say({ type: "nav" }, quizEvent("quiz.start", 1), quizAnswer(id, rightOf(id))) });
  await shiftEnd(session, 320);
  const readActivity = async () =>
    (
      await sql`
        select attempts.last_activity_at as attempt, enrolments.last_activity_at as enrolment, last_seen_at
        from sessions
        join attempts on attempts.id = sessions.attempt_id
        join enrolments on enrolments.id = attempts.enrolment_id
        where sessions.id = ${session.sessionId}`.execute(db)
    ).rows[0];
  const activity = await readActivity();
  await sql`
    update graphile_worker._private_jobs
    set run_at = now()
    where key = ${`quiz ${session.attemptId} ${SCO}`}`.execute(db);
  const jobs = await server.runJobs();
  await vi.waitFor(
    async () => {
      const { success } = await db
        .selectFrom("attempts")
        .where("id", "=", session.attemptId)
        .select("success")
        .executeTakeFirstOrThrow();
      expect(success).toBe("passed");
    },
    { timeout: 30_000, interval: 200 },
  );
  await jobs.stop();
  // The certificate was issued in the transaction of the completion (both times are those of its start), and nobody was
  // active.
  const { rows } = await sql<{ isTogether: boolean }>`
    select certificates.issued_at = part_states.updated_at as is_together
    from completion_history
    join part_states using (attempt_id)
    join certificates on certificates.completion_id = completion_history.id
    where completion_history.attempt_id = ${session.attemptId}`.execute(db);
  expect(rows).toEqual([{ isTogether: true }]);
  expect(await readActivity()).toEqual(activity);
});

test("a recount finds the same attempts, draws and points", async () => {
  const { session, say, rightOf, wrongOf } = await open({ minutes: 5, attempts: 3 }, { always: 1, pooled: 6, draw: 2 });
  await send(session, { events: say({ type: "nav" }) });
  for (const no of [1, 2, 3]) {
    await send(session, { events: say(quizEvent("quiz.start", no)) });
    const [one, two] = (await asked(session)) as [string, string];
    await send(session, { events: say(quizAnswer(one, rightOf(one), no), quizAnswer(two, wrongOf(two), no)) });
    if (no === 2) await shiftEnd(session, 320);
    const end = no === 2 ? [quizAnswer(two, rightOf(two), no)] : [quizEvent("quiz.end", no)];
    await send(session, { events: say(...end) });
  }
  expect((await recountLessons(db)).filter(({ id }) => id === session.attemptId)).toEqual([]);
});
