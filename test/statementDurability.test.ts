import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { RECORD_STORE_PATH, statements } from "#shared/statements/statements.ts";
import type { Statement } from "#shared/statements/xapi.ts";
import { au, BASE, cmi5Package } from "#test/activityPackages.ts";
import { createClient } from "#test/client.ts";
import { openUnit } from "#test/fakeUnit.ts";
import { scaled } from "#test/long.ts";
import { openClass } from "#test/openClass.ts";
import { buildZip } from "#test/packages.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { statementOf } from "#test/statementOf.ts";

// Server and database are killed while keys and courses store statements

const KEYS = 4;
const LEARNERS = scaled(4, 10);
const ROUNDS = scaled(1, 34);
const BATCH = 10;
const server = await createProcess();
afterAll(() => server.remove());

/** What `openUnit` needs of a server, over the network. */
const overNetwork = {
  as: (_person: null, headers: Record<string, string>) => async (contract: { path: string }, sent: Sent) => {
    const path = contract.path.replace(/:(\w+)/g, (_, name: string) => sent.params[name] ?? "");
    const reply = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(sent.body),
    });
    return { status: reply.status, body: await reply.json() };
  },
  content: {
    async inject({ method, url, headers, payload }: Injected) {
      const reply = await fetch(`${server.contentUrl}${url}`, {
        method,
        headers,
        signal: AbortSignal.timeout(20_000),
        ...(payload !== undefined && { body: JSON.stringify(payload) }),
      });
      return { statusCode: reply.status, body: await reply.text(), headers: Object.fromEntries(reply.headers) };
    },
  },
} as unknown as Parameters<typeof openUnit>[0];
type Sent = { params: Record<string, string>; body: unknown };
type Injected = { method: string; url: string; headers: Record<string, string>; payload?: unknown };

/** Sends the same request until it is answered with one of these statuses. */
async function untilAnswered(send: () => Promise<number>, expected: number[]) {
  for (let tries = 0; tries < 240; tries++) {
    const status = await send().catch(() => 0);
    if (expected.includes(status)) return;
    if (status !== 0 && status < 500) throw new Error(`answered with ${status}`);
    await sleep(100);
  }
  throw new Error("not answered");
}

/** Sends single statements and batches until `isRunning` is false; returns the ids of each acknowledged request. */
async function sendByKey(authorization: string, isRunning: () => boolean) {
  const acknowledged: string[][] = [];
  for (let n = 0; isRunning(); n++) {
    const body = Array.from({ length: n % 2 === 0 ? 1 : BATCH }, () => statementOf({ id: randomUUID() }));
    const send = async () => {
      const reply = await fetch(`${server.url}${RECORD_STORE_PATH}/statements`, {
        method: "POST",
        headers: { authorization, "x-experience-api-version": "1.0.3", "content-type": "application/json" },
        signal: AbortSignal.timeout(20_000),
        body: JSON.stringify(body),
      });
      await reply.text();
      return reply.status;
    };
    await untilAnswered(send, [200]);
    acknowledged.push(body.map(({ id }) => id as string));
    await sleep(20 * Math.random());
  }
  return acknowledged;
}

const LOOKED = "https://example.com/verbs/looked";
/** A statement of the unit's own choice ("cmi5 allowed"): it is of no category. */
const looked = ({ context, ...statement }: Statement): Statement => ({
  ...statement,
  context: { ...context, contextActivities: { ...context?.contextActivities, category: [] } },
});

/** A unit of a course that reports until `isRunning` is false, and passes then; returns the acknowledged ids. */
async function reportInCourse({ session, writer }: Learner, isRunning: () => boolean) {
  const unit = await openUnit(overNetwork, session, `${BASE}/au/one`);
  const acknowledged: string[] = [];
  const say = async (statement: Statement) => {
    await untilAnswered(async () => (await unit.send(statement)).status, [204]);
    acknowledged.push(statement.id as string);
  };
  await say(unit.statement("initialized"));
  for (let n = 0; isRunning(); n++) {
    await say(looked(unit.statement(LOOKED, { response: `${n}` })));
    // The page around the unit says that the session is alive.
    if (n % 20 === 0) await writer.flush();
    await sleep(40 * Math.random());
  }
  await say(unit.statement("completed", { completion: true, duration: "PT1M" }));
  await say(unit.statement("passed", { success: true, duration: "PT1M", score: { scaled: 0.9 } }));
  await say(unit.statement("terminated", { duration: "PT1M" }));
  return acknowledged;
}
type Learner = Awaited<ReturnType<typeof openClass>>[number];

/** Kills the server, its database, and both. */
async function killInTurn() {
  await sleep(1000);
  await server.kill();
  await server.start();
  await sleep(1000);
  process.kill(server.postgresPid(), "SIGKILL");
  for (let tries = 0; tries < 200 && !(await fetch(`${server.url}/api/health`)).ok; tries++) await sleep(100);
  await sleep(500);
  process.kill(server.postgresPid(), "SIGKILL");
  await server.kill();
  await server.start();
}

test(
  "kills neither lose nor repeat acknowledged statements, nor store half a batch",
  async () => {
    await server.start();
    const learners = await openClass(server.url, LEARNERS, async (admin) => {
      const units = cmi5Package(au({ attributes: 'moveOn="CompletedAndPassed" masteryScore="0.8"' }));
      return (await admin.upload("units.zip", buildZip(units))).body.id;
    });
    const admin = createClient(server.url);
    admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
    const { items } = await admin.call(companies.list, { query: {} });
    const keys = await Promise.all(
      Array.from({ length: KEYS }, async (_, n) => {
        const body = { name: `Tool ${n}`, companyId: items[0]!.id, scopes: ["all" as const] };
        const { userName, secret } = await admin.call(statements.createClient, { body });
        return `Basic ${Buffer.from(`${userName}:${secret}`).toString("base64")}`;
      }),
    );
    let isEnding = false;
    const isRunning = () => !isEnding;
    const byKeys = keys.map((key) => sendByKey(key, isRunning));
    const byCourses = learners.map((learner) => reportInCourse(learner, isRunning));
    const all = Promise.all([Promise.all(byKeys), Promise.all(byCourses)]);
    const kills = (async () => {
      for (let round = 0; round < ROUNDS; round++) await killInTurn();
      await sleep(1000);
      isEnding = true;
    })();
    const [[batches, said]] = await Promise.all([all, kills]);

    const acknowledged = [...batches.flat(2), ...said.flat()];
    const stored = await server.query<{ id: string }>("select id from statements where id = any($1)", [acknowledged]);
    expect(stored.length).toBe(acknowledged.length);
    expect(acknowledged.length).toBeGreaterThan(KEYS * 40);
    const [partly] = await server.query<{ count: number }>(
      `select count(*)::int as count
      from (
        select count(*) as statements
        from statements
        where client_id is not null
        group by client_id, stored_at
      ) batches
      where statements not in (1, $1)`,
      [BATCH],
    );
    expect(partly?.count).toBe(0);
    for (const [n, { session, email }] of learners.entries()) {
      const [row] = await server.query<{ status: string; said: number; events: number; numbered: number }>(
        `select enrolments.status,
          (
            select count(*)::int
            from statements
            where session_id = $1 and verb = '${LOOKED}'
          ) as said,
          (
            select sum(json_array_length(events))::int
            from session_events
            where session_id = $1
          ) as events,
          (select max(last_seq) - min(first_seq) + 1 from session_events where session_id = $1) as numbered
        from enrolments
        join users on users.id = enrolments.user_id
        where users.email = $2`,
        [session.sessionId, email],
      );
      expect(row).toMatchObject({ status: "completed", said: said[n]!.length - 4 });
      expect(row?.events).toBe(row?.numbered);
    }
  },
  scaled(180_000, 1_800_000),
);
