import { sql } from "kysely";
import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { start } from "#test/start.ts";

// People who lose access to a course can store nothing more, whatever time their browser claims

const { as, make, db, content, services } = await start();
const send = committer(as);

async function openCourse() {
  const classroom = await make.classroom();
  const session = await make.launch(classroom.learner, classroom.company.id, classroom.course.id);
  await send(session, { events: openPart() });
  return { ...classroom, session };
}
type Classroom = Awaited<ReturnType<typeof openCourse>>;

/** The events with which a package reports "passed, 100", all within the first second of the session. */
const passed = [
  { ...setValue(3, "cmi.core.score.raw", "100"), t: 2 },
  { ...setValue(4, "cmi.core.lesson_status", "passed"), t: 3 },
];

const setStatus =
  (status: "suspended" | "archived") =>
  ({ admin, company }: Classroom) =>
    as(admin)(companies.setStatus, { params: { id: company.id }, body: { status, version: company.version } });
const revocations: [string, (classroom: Classroom) => Promise<{ status: number }>][] = [
  ["suspended", ({ admin, learner }) => as(admin)(learners.suspend, { body: { ids: [learner.user.id] } })],
  ["erased", ({ admin, learner }) => as(admin)(privacy.erase, { body: { userId: learner.user.id } })],
  [
    "moved to another company",
    async ({ admin, learner }) =>
      as(admin)(learners.move, { body: { ids: [learner.user.id], companyId: (await make.company(admin)).id } }),
  ],
  ["in a suspended company", setStatus("suspended")],
  ["in an archived company", setStatus("archived")],
  [
    "withdrawn from the course",
    ({ admin, learner, course }) =>
      as(admin)(courses.withdraw, { params: { id: course.id }, body: { userIds: [learner.user.id] } }),
  ],
  [
    "in a company from which the course was withdrawn",
    ({ admin, company, course }) =>
      as(admin)(companies.removeCourse, { params: { id: company.id, courseId: course.id } }),
  ],
];

test.each(revocations)("stores nothing for a learner who is %s", async (_, revoke) => {
  const classroom = await openCourse();
  const { learner, session } = classroom;
  expect((await revoke(classroom)).status).toBe(200);
  const answers = [
    (await send(session, { events: passed, end: "exit" })).body,
    (
      await content.inject({
        method: "POST",
        url: `/commit/${session.sessionId}?token=${session.token}`,
        headers: { "content-type": "text/plain" },
        payload: JSON.stringify({ events: passed }),
      })
    ).json(),
  ];
  for (const answer of answers)
    expect(answer).toSatisfy(
      (body: { session?: string; ackSeq?: number; code?: string }) =>
        (body.session === "ended" && body.ackSeq === 2) || body.code === "player.sessionUnknown",
    );
  const stored = await db
    .selectFrom("attempts")
    .innerJoin("sessions", "sessions.attemptId", "attempts.id")
    .where("attempts.id", "=", session.attemptId)
    .select(["completion", "success", "lastSeq", "endReason"])
    .execute();
  for (const row of stored)
    expect(row).toEqual({ completion: "incomplete", success: "unknown", lastSeq: 2, endReason: "revoked" });
  expect((await content.inject(new URL(session.shell).pathname)).statusCode).toBe(403);
  const wrongly = await db
    .selectFrom("enrolments")
    .where("userId", "=", learner.user.id)
    .where("status", "=", "completed")
    .select("id")
    .execute();
  expect(wrongly).toEqual([]);
});

test("stores no commit that was under way once a withdrawal is answered", async () => {
  const { admin, learner, course, session } = await openCourse();
  const running = Array.from({ length: 30 }, (_, n) =>
    send(session, { events: [setValue(3 + n, "cmi.core.lesson_location", `s${n}`)] }),
  );
  const withdrawn = await as(admin)(courses.withdraw, {
    params: { id: course.id },
    body: { userIds: [learner.user.id] },
  });
  expect(withdrawn.status).toBe(200);
  const readLastSeq = () =>
    db.selectFrom("sessions").where("id", "=", session.sessionId).select("lastSeq").executeTakeFirstOrThrow();
  const atAnswer = await readLastSeq();
  const last = (await Promise.all(running)).at(-1);
  expect(last?.body).toMatchObject({ session: "ended", ackSeq: atAnswer.lastSeq });
  expect(await readLastSeq()).toEqual(atAnswer);
});

test("stores leftover events from before a suspension once the learner is active again", async () => {
  const { admin, learner, session } = await openCourse();
  await as(admin)(learners.suspend, { body: { ids: [learner.user.id] } });
  expect((await send(session, { events: passed })).body).toMatchObject({ session: "ended", ackSeq: 2 });
  await as(admin)(learners.reactivate, { body: { ids: [learner.user.id] } });
  const later = { ...setValue(5, "cmi.core.lesson_location", "later"), t: 3_600_000 };
  expect((await send(session, { events: [...passed, later] })).body).toMatchObject({ session: "ended", ackSeq: 4 });
});

test("bounds event times by the time since the server opened the session", async () => {
  const { session } = await openCourse();
  await send(session, { events: [{ ...setValue(3, "cmi.core.lesson_location", "x"), t: 86_400_000 }] });
  const { events } = await db
    .selectFrom("sessionEvents")
    .where("sessionId", "=", session.sessionId)
    .where("firstSeq", "=", 3)
    .select("events")
    .executeTakeFirstOrThrow();
  expect(events[0]?.t).toBeLessThan(60_000);
});

test("refuses the token of a session that was opened 30 days ago", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  await db
    .updateTable("sessions")
    .set({ startedAt: new Date(Date.now() - 31 * 86_400_000).toISOString() })
    .where("id", "=", session.sessionId)
    .execute();
  expect(await send(session, { events: openPart() })).toMatchObject({ status: 401, code: "player.sessionUnknown" });
});

test("a commit that loses a deadlock against a change of enrolments is stored", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const change = await services.pool.connect();
  await change.query("begin");
  await change.query("update enrolments set due_date = '2031-01-01' where user_id = $1", [learner.user.id]);
  const commit = send(session, { events: [...openPart(), setValue(3, "cmi.core.lesson_location", "7")] });
  // The commit holds the attempt and waits for the enrolment; now the change waits for the attempt.
  await expect
    .poll(
      async () =>
        (await db.selectNoFrom(sql<number>`(select count(*) from pg_locks where not granted)`.as("n")).execute())[0]?.n,
    )
    .toBeGreaterThan(0);
  await change.query("update attempts set rev = rev where user_id = $1", [learner.user.id]);
  await change.query("commit");
  change.release();
  expect((await commit).status).toBe(200);
  expect((await make.launch(learner, company.id, course.id, { takeOver: true })).values.i1).toMatchObject({
    "cmi.core.lesson_location": "7",
  });
});
