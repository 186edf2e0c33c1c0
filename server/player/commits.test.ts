import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { courses } from "#shared/courses/courses.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import { manifest12 } from "#test/samplePackage.ts";
import { start } from "#test/start.ts";

const { as, make, db, content } = await start();
const send = committer(as);

test("restores location, suspend data, status and total time at the next launch", async () => {
  const { learner, company, course } = await make.classroom();
  const first = await make.launch(learner, company.id, course.id);
  expect(first.values.i1).toMatchObject({
    "cmi.core.entry": "ab-initio",
    "cmi.core.lesson_status": "not attempted",
    "cmi.core.student_name": "Learner, Lea",
    "cmi.core.total_time": "0000:00:00.00",
  });
  const { status, body } = await send(first, {
    activeMs: 5000,
    events: [
      ...openPart(),
      setValue(3, "cmi.core.lesson_location", "slide-7"),
      setValue(4, "cmi.suspend_data", "ü".repeat(64_000)),
      setValue(5, "cmi.core.lesson_status", "incomplete"),
      setValue(6, "cmi.core.session_time", "0000:01:30.50"),
      setValue(7, "cmi.core.exit", "suspend"),
      { seq: 8, t: 9, type: "scorm.terminate", sco: "i1" },
    ],
    end: "exit",
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ackSeq: 8,
    session: "live",
    attempt: { completion: "incomplete", parts: [{ sco: "i1", state: "started" }] },
  });
  const second = await make.launch(learner, company.id, course.id);
  expect(second.attemptNo).toBe(1);
  expect(second.values.i1).toMatchObject({
    "cmi.core.entry": "resume",
    "cmi.core.lesson_location": "slide-7",
    "cmi.suspend_data": "ü".repeat(64_000),
    "cmi.core.lesson_status": "incomplete",
    "cmi.core.total_time": "0000:01:30.50",
  });
  expect(second.values.i1).not.toHaveProperty("cmi.core.exit");
});

test("stores a repeated batch once and rejects a gap with the missing number", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const events = [...openPart(), setValue(3, "cmi.core.session_time", "00:01:00")];
  expect((await send(session, { events })).body.ackSeq).toBe(3);
  expect((await send(session, { events })).body.ackSeq).toBe(3);
  expect((await send(session, { events: [...events, setValue(4, "cmi.core.lesson_location", "x")] })).body.ackSeq).toBe(
    4,
  );
  expect(await send(session, { events: [setValue(9, "cmi.core.lesson_location", "y")] })).toMatchObject({
    status: 409,
    code: "player.gap",
    body: { details: { ackSeq: 4 } },
  });
  const stored = await db
    .selectFrom("sessionEvents")
    .where("sessionId", "=", session.sessionId)
    .select("events")
    .orderBy("firstSeq")
    .execute();
  expect(stored.flatMap(({ events: list }) => list.map(({ seq }) => seq))).toEqual([1, 2, 3, 4]);
  const row = await db
    .selectFrom("enrolments")
    .where("userId", "=", learner.user.id)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ status: "in_progress", reportedSeconds: 60 });
});

test("stores parallel and repeated commits as one history", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: openPart() });
  const batches = Array.from({ length: 20 }, (_, i) => [setValue(3 + i, "cmi.core.lesson_location", `s${i}`)]);
  for (const events of batches)
    await Promise.all([
      send(session, { events }),
      send(session, { events }),
      send(session, {
        events: [...openPart(), ...batches.flat().filter(({ seq }) => seq <= (events[0] as SessionEvent).seq)],
      }),
    ]);
  const stored = await db
    .selectFrom("sessionEvents")
    .where("sessionId", "=", session.sessionId)
    .select("events")
    .orderBy("firstSeq")
    .execute();
  expect(stored.flatMap(({ events }) => events.map(({ seq }) => seq))).toEqual(
    Array.from({ length: 22 }, (_, i) => i + 1),
  );
});

test("returns the completion with its commit and keeps it during a review", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const done = await send(session, {
    events: [...openPart(), setValue(3, "cmi.core.score.raw", "90"), setValue(4, "cmi.core.lesson_status", "passed")],
  });
  expect(done.body.attempt).toMatchObject({
    completion: "complete",
    success: "passed",
    scorePercent: 90,
    progress: 100,
  });
  await send(session, {
    events: [
      setValue(5, "cmi.core.lesson_status", "incomplete"),
      setValue(6, "cmi.core.score.raw", "10"),
      setValue(7, "cmi.core.lesson_status", "failed"),
    ],
  });
  const row = (await as(admin)(courses.enrolments, { query: { courseId: course.id } })).body.items[0];
  expect(row).toMatchObject({ status: "completed", success: "passed", scorePercent: 90, progress: 100 });
  expect(row?.completedAt).not.toBeNull();
});

test("rolls up several parts and applies a mastery score", async () => {
  const item = (id: string, masteryScore = "") =>
    `<item identifier="${id}" identifierref="r-${id}"><title>Part ${id}</title>${masteryScore}</item>`;
  const resource = (id: string) =>
    `<resource identifier="r-${id}" type="webcontent" adlcp:scormtype="sco" href="${id}.html">` +
    `<file href="${id}.html"/></resource>`;
  const items = item("a") + item("b", "<adlcp:masteryscore>80</adlcp:masteryscore>");
  const resources = resource("a") + resource("b");
  const { learner, company, course } = await make.classroom({
    "imsmanifest.xml": manifest12(items, resources),
    "a.html": "<p>a LMSInitialize",
    "b.html": "<p>b",
  });
  const session = await make.launch(learner, company.id, course.id);
  expect(session.values.b).toMatchObject({ "cmi.student_data.mastery_score": "80" });
  const one = await send(session, {
    events: [...openPart(1, "a"), setValue(3, "cmi.core.lesson_status", "completed", "a")],
  });
  expect(one.body.attempt).toMatchObject({
    completion: "incomplete",
    progress: 50,
    parts: [{ state: "done" }, { state: "todo" }],
  });
  const two = await send(session, {
    events: [
      ...openPart(4, "b"),
      setValue(6, "cmi.core.lesson_status", "completed", "b"),
      setValue(7, "cmi.core.score.raw", "50", "b"),
    ],
  });
  expect(two.body.attempt).toMatchObject({
    completion: "incomplete",
    success: "failed",
    parts: [{ state: "done" }, { state: "failed" }],
  });
  const three = await send(session, { events: [setValue(8, "cmi.core.score.raw", "85", "b")] });
  expect(three.body.attempt).toMatchObject({ completion: "complete", success: "passed" });
});

test("accepts the final commit of a closing tab, gzipped or not", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const post = (body: Buffer | string, token = session.token) =>
    content.inject({
      method: "POST",
      url: `/commit/${session.sessionId}?token=${token}`,
      headers: { "content-type": "text/plain" },
      payload: body,
    });
  expect((await post(JSON.stringify({ events: openPart() }))).json()).toMatchObject({ ackSeq: 2 });
  expect(
    (
      await post(
        gzipSync(JSON.stringify({ events: [setValue(3, "cmi.suspend_data", "x".repeat(60_000))], end: "tab_closed" })),
      )
    ).json(),
  ).toMatchObject({ ackSeq: 3 });
  expect((await post("nonsense")).statusCode).toBe(422);
  expect((await post(JSON.stringify({ events: [] }), "wrong")).statusCode).toBe(401);
});
