import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import type { Launch, SessionEvent } from "#shared/player/player.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { replays, type ReplayValue } from "#shared/reports/replays.ts";
import { reports } from "#shared/reports/reports.ts";
import { MASKED_VALUE, variables } from "#shared/variables/variables.ts";
import { type Person, start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const server = await start();
const { app, as, content, db, make } = server;
const { createGroup, define, send, setEvent } = createValueMaker(server);

const access = { access: "both" } as const;
/** A session of a course with an ordinary and a sensitive variable, of which one is mapped to an element. */
async function createSession() {
  const { admin, company, course, learners, sessions } = await createGroup(1);
  const session = sessions[0] as Launch;
  const courses = [{ courseId: course.id, ...access }];
  const rating = await define(admin, { key: "rating", label: "I speak up", courses });
  const mobile = await define(admin, { key: "mobile", type: "text", privacy: "sensitive", courses });
  const worry = await define(admin, {
    key: "worry",
    type: "text",
    privacy: "sensitive",
    courses: [{ courseId: course.id, access: "write", path: "cmi.comments" }],
  });
  return { admin, company, course, learner: learners[0] as Person, session, rating, mobile, worry };
}
const at = (id: string) => ({ params: { id } });
const set = (seq: number, t: number, key: string, value: string): SessionEvent => ({
  ...setEvent(seq, key, value, t),
  type: "scorm.set",
  value,
});

test("lists events, commits and values of a session in order, page by page", async () => {
  const { admin, session, rating } = await createSession();
  await send(session, { events: [{ seq: 1, t: 0, type: "nav", sco: "i1" }, setEvent(2, "rating", 4, 20)] });
  await send(session, { events: [setEvent(3, "rating", 7, 40), set(4, 50, "cmi.suspend_data", "abcdef")] });
  const read = async (after: number) =>
    (await as(admin)(replays.replayEvents, { ...at(session.sessionId), query: { after } })).body;
  const all = await read(0);
  expect(all.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(all.events.at(-1)?.value).toBe("6");
  expect(all.commits.map(({ firstSeq, lastSeq }) => [firstSeq, lastSeq])).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(all.next).toBeNull();
  expect((await read(1)).events.map(({ seq }) => seq)).toEqual([3, 4]);
  const { values } = (await as(admin)(replays.replayValues, at(session.sessionId))).body;
  expect(values.map(({ seq, value }) => [seq, value])).toEqual([
    [2, 4],
    [3, 7],
  ]);
  expect(values[0]?.variableId).toBe(rating.id);
});

test("cuts a long session into pages without losing an event", async () => {
  const { admin, session } = await createSession();
  const long = "x".repeat(60_000);
  for (let from = 1; from <= 121; from += 6)
    await send(session, {
      events: Array.from({ length: 6 }, (_, i) =>
        set(from + i, from + i, `cmi.comments_from_learner.${i}.comment`, long),
      ),
    });
  const numbers: number[] = [];
  let after = 0;
  for (let pages = 0; pages < 50; pages++) {
    const { body } = await as(admin)(replays.replayEvents, { ...at(session.sessionId), query: { after } });
    numbers.push(...body.events.map(({ seq }) => seq));
    if (body.next === null) break;
    after = body.next;
    expect(body.events.length).toBeLessThan(60);
  }
  expect(numbers).toEqual(Array.from({ length: 126 }, (_, i) => i + 1));
});

test("masks sensitive values of content and of mapped elements until a reason is given", async () => {
  const { admin, learner, session, mobile, worry } = await createSession();
  const events = [
    setEvent(1, "mobile", "0171 99", 10),
    set(2, 20, "cmi.comments", "He gets angry"),
    setEvent(3, "rating", 5, 30),
  ];
  await send(session, { events });
  // Packages send a value repeatedly: it is recorded once, and masked each time.
  await send(session, { events: [set(4, 40, "cmi.comments", "He gets angry")] });
  const one = at(session.sessionId);
  const list = await as(admin)(replays.replayEvents, one);
  const values = await as(admin)(replays.replayValues, one);
  const head = await as(admin)(replays.replay, one);
  expect(list.body.events.map(({ value }) => value)).toEqual([MASKED_VALUE, MASKED_VALUE, "5", MASKED_VALUE]);
  const raw = JSON.stringify([list.body, values.body, head.body, (await as(admin)(reports.session, one)).body]);
  expect(raw).not.toMatch(/0171 99|angry/);

  const shown = await as(admin)(replays.revealValues, { ...one, body: { variableId: mobile.id, reason: "support" } });
  expect(shown.body.values.map(({ value }: Pick<ReplayValue, "value">) => value)).toEqual(["0171 99"]);
  await as(admin)(replays.revealValues, { ...one, body: { variableId: worry.id, reason: "safety" } });
  const mine = (await as(learner)(audit.mine, { query: { kind: "administration" } })).body.items;
  expect(mine.filter(({ action }) => action === "reports.reveal").map(({ details }) => details)).toEqual([
    { variable: "worry", reason: "safety" },
    { variable: "mobile", reason: "support" },
  ]);
  const without = await as(admin)(replays.revealValues, { ...one, body: { variableId: mobile.id } as never });
  expect(without.status).toBe(422);
});

test("states the values that a learner had when the session began", async () => {
  const { admin, company, course, learner, session, rating } = await createSession();
  await send(session, { events: [setEvent(1, "rating", 3, 0), setEvent(2, "mobile", "0171", 0)], end: "exit" });
  const next = await make.launch(learner, company.id, course.id, { takeOver: true });
  await send(next, { events: [setEvent(1, "rating", 9, 10)] });
  const { variables } = (await as(admin)(replays.replay, at(next.sessionId))).body;
  expect(variables.find(({ id }) => id === rating.id)?.start).toBe(3);
  expect(variables.find(({ key }) => key === "mobile")?.start).toBeNull();
});

test("opens the parts as they were after an event, without the learner's access", async () => {
  const { admin, company, learner, course } = await make.classroom();
  const first = await make.launch(learner, company.id, course.id);
  const opening = [{ seq: 1, t: 0, type: "scorm.init", sco: "i1" } as const];
  await send(first, { events: [...opening, set(2, 5, "cmi.core.lesson_location", "page 2")], end: "exit" });
  const second = await make.launch(learner, company.id, course.id, { takeOver: true });
  await send(second, { events: [...opening, set(2, 5, "cmi.core.lesson_location", "page 7")] });
  const stage = (await as(admin)(replays.replayStage, at(second.sessionId))).body;
  expect(stage.values.i1).toMatchObject({ "cmi.core.lesson_location": "page 2", "cmi.core.entry": "resume" });
  const later = await as(admin)(replays.replayStage, { ...at(second.sessionId), query: { seq: 2 } });
  expect(later.body.values.i1).toMatchObject({ "cmi.core.lesson_location": "page 7" });
  await db.updateTable("users").set({ status: "suspended" }).where("id", "=", learner.user.id).execute();
  const path = new URL(stage.shell as string).pathname;
  expect((await content.inject(path)).statusCode).toBe(200);
  const file = await content.inject(`${path.replace("/play/", "/files/")}index.html`);
  expect(file.statusCode).toBe(200);
  expect(file.headers["content-security-policy"]).toContain("connect-src 'self'");
  expect((await content.inject(new URL(second.shell).pathname)).statusCode).toBe(403);
});

test("opens no part of a course that may show what is masked", async () => {
  const { admin, session } = await createSession();
  const { body } = await as(admin)(replays.replayStage, at(session.sessionId));
  expect(body).toMatchObject({ shell: null, closed: "masked", values: {} });
});

test("opens no part of an attempt whose values were deleted, or are masked by now", async () => {
  const { admin, sessions, course } = await createGroup(1);
  const session = sessions[0] as Launch;
  const rating = await define(admin, { key: "rating", courses: [{ courseId: course.id, ...access }] });
  await send(session, { events: [setEvent(1, "rating", 4, 20)] });
  const stage = async () => (await as(admin)(replays.replayStage, at(session.sessionId))).body;
  expect(await stage()).toMatchObject({ shell: expect.any(String), closed: null });
  const [value] = (await as(admin)(rawData.list, { query: { variableId: rating.id } })).body.items;
  const params = { valueId: String(value?.id) as never };
  const { id } = (await as(admin)(rawData.removeValue, { params })).body;
  expect(await stage()).toMatchObject({ shell: null, closed: "deleted", values: {} });
  await as(admin)(rawData.restore, { params: { id } });
  const change = { version: rating.version, privacy: "sensitive" as const, courses: [] };
  await as(admin)(variables.update, { params: { id: rating.id }, body: change });
  expect(await stage()).toMatchObject({ shell: null, closed: "masked" });
});

test("measures how far the clock of the browser starts behind the server", async () => {
  const { admin, session } = await createSession();
  await send(session, { events: [{ seq: 1, t: 0, type: "nav", sco: "i1" }] });
  const started = new Date(Date.parse(session.startedAt) + 1500).toISOString();
  await db
    .updateTable("sessionEvents")
    .set({ receivedAt: started })
    .where("sessionId", "=", session.sessionId)
    .execute();
  expect((await as(admin)(replays.replay, at(session.sessionId))).body.offsetMs).toBe(1500);
  const late = new Date(Date.parse(session.startedAt) + 600_000).toISOString();
  await db.updateTable("sessionEvents").set({ receivedAt: late }).where("sessionId", "=", session.sessionId).execute();
  expect((await as(admin)(replays.replay, at(session.sessionId))).body.offsetMs).toBeNull();
});

test("lists the messages of the conversations of a session", async () => {
  const { admin, company, learner, session } = await createSession();
  const bot = await db
    .insertInto("chatbots")
    .values({ name: "Mira", settings: "{}" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const conversation = await db
    .insertInto("conversations")
    .values({ chatbotId: bot.id, userId: learner.user.id, companyId: company.id, sessionId: session.sessionId })
    .returning("id")
    .executeTakeFirstOrThrow();
  const turn = { conversationId: conversation.id, state: "done" } as const;
  const took = {
    model: "large",
    costMicros: 120,
    firstAt: "2026-01-05T10:00:03Z",
    finishedAt: "2026-01-05T10:00:06Z",
    why: JSON.stringify({ query: "", instructions: "", retrievalMs: 40, passages: [{}, {}] }),
  };
  await db
    .insertInto("turns")
    .values([
      {
        ...turn,
        id: randomUUID(),
        number: 1,
        role: "user",
        text: "May I begin?",
        spoken: true,
        createdAt: "2026-01-05T10:00:00Z",
      },
      {
        ...turn,
        id: randomUUID(),
        number: 2,
        role: "assistant",
        text: "Go on.",
        createdAt: "2026-01-05T10:00:02Z",
        ...took,
      },
    ])
    .execute();
  const list = (await as(admin)(replays.replayTurns, at(session.sessionId))).body;
  expect(list.total).toBe(2);
  expect(list.items.map(({ chatbot, role, text, spoken }) => [chatbot, role, text, spoken])).toEqual([
    ["Mira", "user", "May I begin?", true],
    ["Mira", "assistant", "Go on.", false],
  ]);
  expect(list.items[0]).toMatchObject({ model: null, passages: null, costMicros: null, button: null });
  expect(list.items[1]).toMatchObject({ model: "large", passages: 2, retrievalMs: 40, costMicros: 120 });
});

test("a replay is recorded for the learner, and closed to learners and previews", async () => {
  const { admin, company, course, learner, session } = await createSession();
  await as(admin)(replays.replay, at(session.sessionId));
  await as(admin)(replays.replay, at(session.sessionId));
  const { items } = (await as(learner)(audit.mine, { query: { kind: "administration" } })).body;
  expect(items.map(({ action }) => action)).toEqual(["reports.session"]);
  expect((await as(learner)(replays.replay, at(session.sessionId))).status).toBe(403);
  const preview = await make.launch(admin, company.id, course.id);
  expect((await as(admin)(replays.replay, at(preview.sessionId))).status).toBe(404);
  expect((await app.inject(`/api/reports/sessions/${session.sessionId}/replay`)).statusCode).toBe(401);
});
