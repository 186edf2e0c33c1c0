import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { courses } from "#shared/courses.ts";
import { learners } from "#shared/learners.ts";
import { type Commit, type Launch, player, SESSION_HEADER, type SessionEvent } from "#shared/player.ts";
import { reports } from "#shared/reports.ts";
import { manifest12 } from "#test/make.ts";
import { start } from "#test/start.ts";

const { as, make, db, content } = await start();

const send = (session: Launch, commit: Partial<Commit>) =>
  as(null, { [SESSION_HEADER]: session.token })(player.commit, {
    params: { id: session.sessionId },
    body: { events: [], ...commit },
  });
const set = (seq: number, key: string, value: string, sco = "i1"): SessionEvent => ({
  seq,
  t: seq * 1000,
  type: "scorm.set",
  sco,
  key,
  value,
});
const begin = (seq = 1, sco = "i1"): SessionEvent[] => [
  { seq, t: 0, type: "nav", sco },
  { seq: seq + 1, t: 1, type: "scorm.init", sco },
];

test("what is committed is there at the next launch: place, data, status, total time", async () => {
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
      ...begin(),
      set(3, "cmi.core.lesson_location", "slide-7"),
      set(4, "cmi.suspend_data", "ü".repeat(64_000)),
      set(5, "cmi.core.lesson_status", "incomplete"),
      set(6, "cmi.core.session_time", "0000:01:30.50"),
      set(7, "cmi.core.exit", "suspend"),
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

test("a batch that is sent twice is stored once, and a gap is refused with the number that is missing", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const events = [...begin(), set(3, "cmi.core.session_time", "00:01:00")];
  expect((await send(session, { events })).body.ackSeq).toBe(3);
  expect((await send(session, { events })).body.ackSeq).toBe(3);
  expect((await send(session, { events: [...events, set(4, "cmi.core.lesson_location", "x")] })).body.ackSeq).toBe(4);
  expect(await send(session, { events: [set(9, "cmi.core.lesson_location", "y")] })).toMatchObject({
    status: 409,
    code: "player.gap",
    body: { details: { ackSeq: 4 } },
  });
  const stored = await db
    .selectFrom("sessionEvents")
    .where("sessionId", "=", session.sessionId)
    .select(sql<SessionEvent[]>`events`.as("events"))
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

test("parallel commits of one session and repeated ones end in exactly one history", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: begin() });
  const batches = Array.from({ length: 20 }, (_, i) => [set(3 + i, "cmi.core.lesson_location", `s${i}`)]);
  for (const events of batches)
    await Promise.all([
      send(session, { events }),
      send(session, { events }),
      send(session, {
        events: [...begin(), ...batches.flat().filter(({ seq }) => seq <= (events[0] as SessionEvent).seq)],
      }),
    ]);
  const stored = await db
    .selectFrom("sessionEvents")
    .where("sessionId", "=", session.sessionId)
    .select(sql<SessionEvent[]>`events`.as("events"))
    .orderBy("firstSeq")
    .execute();
  expect(stored.flatMap(({ events }) => events.map(({ seq }) => seq))).toEqual(
    Array.from({ length: 22 }, (_, i) => i + 1),
  );
});

test("completion is there in the answer of the commit that reaches it, and a review takes nothing back", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const done = await send(session, {
    events: [...begin(), set(3, "cmi.core.score.raw", "90"), set(4, "cmi.core.lesson_status", "passed")],
  });
  expect(done.body.attempt).toMatchObject({
    completion: "complete",
    success: "passed",
    scorePercent: 90,
    progress: 100,
  });
  await send(session, {
    events: [
      set(5, "cmi.core.lesson_status", "incomplete"),
      set(6, "cmi.core.score.raw", "10"),
      set(7, "cmi.core.lesson_status", "failed"),
    ],
  });
  const row = (await as(admin)(courses.enrolments, { query: { courseId: course.id } })).body.items[0];
  expect(row).toMatchObject({ status: "completed", success: "passed", scorePercent: 90, progress: 100 });
  expect(row?.completedAt).not.toBeNull();
});

test("a second window asks, takes over, and the first can add but not overwrite", async () => {
  const { learner, company, course } = await make.classroom();
  const first = await make.launch(learner, company.id, course.id);
  await send(first, { events: [...begin(), set(3, "cmi.core.lesson_location", "one")] });
  const asked = await as(learner)(player.launch, {
    params: { companyId: company.id, courseId: course.id },
    body: { clientId: randomUUID() },
  });
  expect(asked).toMatchObject({ status: 409, code: "player.openElsewhere" });
  const second = await make.launch(learner, company.id, course.id, { takeOver: true });
  await send(second, { events: [...begin(), set(3, "cmi.core.lesson_location", "two")] });
  const late = await send(first, {
    events: [
      set(4, "cmi.core.lesson_location", "late"),
      set(5, "cmi.core.lesson_status", "completed"),
      set(6, "cmi.interactions.0.id", "q1"),
    ],
  });
  expect(late.body).toMatchObject({ ackSeq: 6, session: "superseded", attempt: { completion: "complete" } });
  const third = await make.launch(learner, company.id, course.id, { takeOver: true });
  expect(third.values.i1).toMatchObject({ "cmi.core.lesson_location": "two", "cmi.interactions.0.id": "q1" });
});

test("two windows that write a thousand times in turn leave exactly one history in the state", async () => {
  const { learner, company, course } = await make.classroom();
  const [first, second] = [
    await make.launch(learner, company.id, course.id),
    await make.launch(learner, company.id, course.id, { takeOver: true }),
  ];
  await Promise.all([first, second].map((session) => send(session, { events: begin() })));
  const write = (session: Launch, name: string, i: number) =>
    send(session, { events: [set(3 + i, "cmi.core.lesson_location", `${name}${i}`)] });
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

test("the same window reloads without being asked; twenty launches at once leave one live session", async () => {
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

test("answers are kept with their second, and a report leads to it", async () => {
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
      ...begin(),
      ...Object.entries(fields).map(([name, value], i) => set(3 + i, `cmi.interactions.0.${name}`, value)),
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
    t: 8000,
    part: "Part one",
  });
  expect((await as(learner)(reports.answers, { params: { id: enrolment?.id as string } })).body.total).toBe(1);
  const timeline = await as(admin)(reports.session, { params: { id: session.sessionId } });
  expect(timeline.body.events).toHaveLength(8);
});

test("suspending a learner ends the open course at once, and what was stored stays", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: [...begin(), set(3, "cmi.core.lesson_location", "here")] });
  await as(admin)(learners.suspend, { body: { ids: [learner.user.id] } });
  expect((await send(session, { events: [set(4, "cmi.core.lesson_location", "there")] })).body).toMatchObject({
    session: "ended",
    ackSeq: 3,
  });
  expect((await as(learner)(courses.mine)).status).toBe(401);
});

test("reasons instead of blank frames: draft, archived, withdrawn, not assigned", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const launch = () =>
    as(learner)(player.launch, {
      params: { companyId: company.id, courseId: course.id },
      body: { clientId: randomUUID() },
    });
  const detail = async () => (await as(admin)(courses.get, { params: { id: course.id } })).body;
  await as(admin)(courses.withdraw, { params: { id: course.id }, body: { userIds: [learner.user.id] } });
  expect(await launch()).toMatchObject({ status: 409, code: "player.withdrawn" });
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [learner.user.id] } });
  expect((await launch()).status).toBe(200);
  await as(admin)(courses.setStatus, {
    params: { id: course.id },
    body: { status: "archived", version: (await detail()).version },
  });
  expect(await launch()).toMatchObject({ status: 409, code: "player.courseArchived" });
  const other = await make.course(admin);
  expect(
    await as(learner)(player.launch, {
      params: { companyId: company.id, courseId: other.id },
      body: { clientId: randomUUID() },
    }),
  ).toMatchObject({ status: 404, code: "player.notAssigned" });
});

test("an admin previews without an enrolment, and no report counts it", async () => {
  const { admin, company, course } = await make.classroom();
  const session = await make.launch(admin, company.id, course.id);
  expect(session.preview).toBe(true);
  await send(session, { events: [...begin(), set(3, "cmi.core.lesson_status", "passed")] });
  const row = (await as(admin)(courses.list)).body.items.find(({ id }) => id === course.id);
  expect(row).toMatchObject({ completed: 0, inProgress: 0, learners: 1 });
});

test("several parts roll up: all must be done, and the mastery score judges a part", async () => {
  const items = ["a", "b"]
    .map(
      (id) =>
        `<item identifier="${id}" identifierref="r-${id}"><title>Part ${id}</title>${id === "b" ? "<adlcp:masteryscore>80</adlcp:masteryscore>" : ""}</item>`,
    )
    .join("");
  const resources = ["a", "b"]
    .map(
      (id) =>
        `<resource identifier="r-${id}" type="webcontent" adlcp:scormtype="sco" href="${id}.html"><file href="${id}.html"/></resource>`,
    )
    .join("");
  const { learner, company, course } = await make.classroom({
    "imsmanifest.xml": manifest12(items, resources),
    "a.html": "<p>a LMSInitialize",
    "b.html": "<p>b",
  });
  const session = await make.launch(learner, company.id, course.id);
  expect(session.values.b).toMatchObject({ "cmi.student_data.mastery_score": "80" });
  const one = await send(session, { events: [...begin(1, "a"), set(3, "cmi.core.lesson_status", "completed", "a")] });
  expect(one.body.attempt).toMatchObject({
    completion: "incomplete",
    progress: 50,
    parts: [{ state: "done" }, { state: "todo" }],
  });
  const two = await send(session, {
    events: [
      ...begin(4, "b"),
      set(6, "cmi.core.lesson_status", "completed", "b"),
      set(7, "cmi.core.score.raw", "50", "b"),
    ],
  });
  expect(two.body.attempt).toMatchObject({
    completion: "incomplete",
    success: "failed",
    parts: [{ state: "done" }, { state: "failed" }],
  });
  const three = await send(session, { events: [set(8, "cmi.core.score.raw", "85", "b")] });
  expect(three.body.attempt).toMatchObject({ completion: "complete", success: "passed" });
});

test("files need the grant of the attempt; workers, other folders and forged grants are refused", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const files = new URL(session.shell).pathname.replace("/play/", "/files/");
  const page = await content.inject({ url: `${files}INDEX.html` });
  expect(page).toMatchObject({
    statusCode: 200,
    headers: { "content-type": "text/html", "x-content-type-options": "nosniff" },
  });
  expect(page.headers["content-security-policy"]).toBe("frame-ancestors 'self' http://localhost:1");
  const part = await content.inject({ url: `${files}index.html`, headers: { range: "bytes=0-9" } });
  expect(part).toMatchObject({ statusCode: 206, body: "<!doctype " });
  expect(
    (await content.inject({ url: `${files}index.html`, headers: { "if-none-match": String(page.headers.etag) } }))
      .statusCode,
  ).toBe(304);
  expect(
    (await content.inject({ url: `${files}index.html`, headers: { "service-worker": "script" } })).statusCode,
  ).toBe(403);
  for (const path of [
    "../../secret",
    "..%2f..%2fsecret",
    "%2e%2e/%2e%2e/secret",
    "imsmanifest.xml%00.html",
    "..\\..\\secret",
  ]) {
    expect([path, (await content.inject({ url: files + path })).statusCode]).toEqual([path, 404]);
  }
  expect((await content.inject({ url: `${files.slice(0, -3)}xx/index.html` })).statusCode).toBe(404);
  expect((await content.inject({ url: "/api/me" })).statusCode).toBe(404);
});

test("the last commit of a closing tab arrives through the content origin, gzipped or not", async () => {
  const { gzipSync } = await import("node:zlib");
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const post = (body: Buffer | string, token = session.token) =>
    content.inject({
      method: "POST",
      url: `/commit/${session.sessionId}?token=${token}`,
      headers: { "content-type": "text/plain" },
      payload: body,
    });
  expect((await post(JSON.stringify({ events: begin() }))).json()).toMatchObject({ ackSeq: 2 });
  expect(
    (
      await post(
        gzipSync(JSON.stringify({ events: [set(3, "cmi.suspend_data", "x".repeat(60_000))], end: "tab_closed" })),
      )
    ).json(),
  ).toMatchObject({ ackSeq: 3 });
  expect((await post("nonsense")).statusCode).toBe(422);
  expect((await post(JSON.stringify({ events: [] }), "wrong")).statusCode).toBe(401);
});
