import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { conversationReplays, replays } from "#shared/reports/replays.ts";
import { parseSeconds } from "#shared/player/runTimeData.ts";
import { reports } from "#shared/reports/reports.ts";
import { createClient } from "#test/client.ts";
import { createProcess } from "#test/process.ts";
import { PASSWORD } from "#test/password.ts";
import { isLong } from "#test/long.ts";

// The first `npm start`: a server that fills its empty database with the demo data

const server = await createProcess({ DEMO: "true", DEMO_PASSWORD: PASSWORD });
afterAll(() => server.remove());

test.skipIf(!isLong)("a first start that was killed in the middle is repeated", { timeout: 120_000 }, async () => {
  const interrupted = server.start().catch(() => {});
  while (!existsSync(join(server.dataDir, "demo.unfinished"))) await sleep(20);
  await sleep(300);
  await server.kill();
  await interrupted;
  expect(existsSync(join(server.dataDir, "demo"))).toBe(false);
});

test("a first start fills the demo, and its learner and admin can log in", { timeout: 120_000 }, async () => {
  await server.start();
  const emails = [...new Set(server.output().match(/[\w.+-]+@[\w.-]+\w/g) ?? [])];
  const people = [];
  for (const email of emails) {
    const client = createClient(server.url);
    const signedIn = await client.call(auth.signIn, { body: { email, password: PASSWORD } }).catch(() => null);
    if (!signedIn) continue;
    client.useToken(signedIn.token);
    people.push({ client, user: signedIn.user });
  }
  const admin = people.find(({ user }) => user.role === "admin");
  const learner = people.find(({ user }) => user.role === "learner");
  expect((await learner?.client.call(courses.mine, {}))?.items.length).toBeGreaterThan(0);
  const dashboard = await admin?.client.call(reports.dashboard, {});
  expect(dashboard?.summary.completed).toBeGreaterThan(0);
  expect(dashboard?.weeks.filter(({ started }) => started > 0).length).toBeGreaterThan(4);
});

test("the history of the demo reaches months back and ends with its enrolments", async () => {
  const rows = await server.query<{ ago: number; n: number }>(`
    select ago, (select count(*)::int from (select distinct on (enrolment_id) status from enrolment_history
      where recorded_at < now() - make_interval(days => ago) order by enrolment_id, id desc) as_of where status = 'completed') as n
    from unnest(array[200, 60, 30, 0]) as ago`);
  const counts = rows.map(({ n }) => n);
  const now = await server.query<{ n: number }>("select count(*)::int as n from enrolments where status = 'completed'");
  expect([counts[0], counts.at(-1)]).toEqual([0, now[0]?.n]);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts[1]).toBeGreaterThan(0);
  const different = await server.query(`select * from enrolment_history h join enrolments e on e.id = h.enrolment_id
    where change = 'completed' and h.happened_at <> e.completed_at`);
  expect(different).toEqual([]);
  const tooEarly = await server.query(`select * from attempts join course_versions as v on v.id = version_id
    where attempts.started_at < v.created_at`);
  expect(tooEarly).toEqual([]);
});

test("a completed course of the demo leads to the event that completed it", async () => {
  const boss = createClient(server.url);
  const [email = ""] = /admin@[\w.-]+\w/.exec(server.output()) ?? [];
  boss.useToken((await boss.call(auth.signIn, { body: { email, password: PASSWORD } })).token);
  const { items } = await boss.call(courses.list, {});
  for (const { id } of items) {
    const rows = (await boss.call(reports.rows, { params: { id }, query: { group: "completed" } })).items;
    for (const { sessionId, t } of rows.slice(0, 3)) {
      const { events } = await boss.call(replays.replayEvents, { params: { id: sessionId as string }, query: {} });
      const causes = events.filter((event) => event.t === t).map(({ type, value }) => `${type} ${value}`);
      expect(causes).toContainEqual(
        expect.stringMatching(/^scorm\.set (completed|passed)|^(block\.answer|quiz\.end) /),
      );
    }
  }
});

async function signInAdmin() {
  const boss = createClient(server.url);
  const [email = ""] = /admin@[\w.-]+\w/.exec(server.output()) ?? [];
  boss.useToken((await boss.call(auth.signIn, { body: { email, password: PASSWORD } })).token);
  return boss;
}

test.skipIf(!isLong)(
  "a replay of the demo shows each answer before the part is completed",
  { timeout: 120_000 },
  async () => {
    const boss = await signInAdmin();
    const sessions = await server.query<{ id: string }>("select id from sessions order by started_at");
    let answers = 0;
    for (const { id } of sessions) {
      const { events } = await boss.call(replays.replayEvents, { params: { id }, query: {} });
      expect(events.map(({ t }) => t)).toEqual(events.map(({ t }) => t).toSorted((a, b) => a - b));
      const { session, offsetMs } = await boss.call(replays.replay, { params: { id } });
      const { values: set } = await boss.call(replays.replayValues, { params: { id }, query: {} });
      for (const value of set.filter(({ source }) => source === "flow")) {
        const shownAt = Date.parse(value.happenedAt) - Date.parse(session.startedAt) - (offsetMs ?? 0);
        expect(shownAt).toBeGreaterThanOrEqual(events.find(({ key }) => key === "quiz_score")?.t ?? 0);
      }
      for (const event of events.filter(({ key }) => key?.endsWith(".result"))) {
        const { values } = await boss.call(replays.replayStage, { params: { id }, query: { seq: event.seq } });
        const state = values[event.sco ?? ""] ?? {};
        const status = state["cmi.core.lesson_status"] ?? state["cmi.completion_status"];
        expect(["incomplete", "failed"], `${id} at ${event.t}`).toContain(status);
        const name = (event.key ?? "").replace(".result", "");
        const question = events.findLast(({ key, seq }) => key === `${name}.id` && seq < event.seq)?.value;
        const shown = events.findLast(({ key, seq }) => key?.endsWith("location") && seq < event.seq);
        const saved = JSON.parse(state["cmi.suspend_data"] ?? "{}");
        if (state["cmi.core.lesson_location"]) {
          expect(state["cmi.core.lesson_location"]).toBe(question);
          expect(Object.keys(saved.q)).not.toContain(question);
          if (status === "incomplete") expect(saved.seen).not.toContain("result");
        }
        const latency = events.find(({ key, seq }) => key === `${name}.latency` && seq > event.seq)?.value ?? "";
        const waited = event.t - (shown?.t ?? 0);
        expect(Math.abs(Number(parseSeconds(latency)) * 1000 - waited), `${id} at ${event.t}`).toBeLessThan(1000);
        answers++;
      }
    }
    expect(answers).toBeGreaterThan(100);
  },
);

test("answers of the demo's chatbots start within one second and end within ten", async () => {
  const boss = await signInAdmin();
  const held = await server.query<{ id: string }>("select id from conversations");
  for (const { id } of held) {
    const { items } = await boss.call(conversationReplays.conversationTurns, { params: { id }, query: { size: 100 } });
    for (const [n, turn] of items.entries()) {
      const question = items[n - 1];
      if (turn.role !== "assistant" || question?.role !== "user") continue;
      const since = (at: string | null) => (at === null ? 0 : Date.parse(at) - Date.parse(question.createdAt));
      expect(since(turn.createdAt), `${id} turn ${turn.number}`).toBeLessThan(1000);
      expect(since(turn.finishedAt)).toBeLessThan(10_000);
    }
    expect(items.map(({ createdAt }) => createdAt)).toEqual(items.map(({ createdAt }) => createdAt).toSorted());
  }
});

test("nobody of the demo was last active before the end of their conversations", async () => {
  const rows = await server.query(
    `select users.name
      from users
      join conversations on conversations.user_id = users.id
      where users.last_active is null
        or users.last_active < conversations.last_at`,
  );
  expect(rows).toEqual([]);
});
