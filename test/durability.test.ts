import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth.ts";
import { companies } from "#shared/companies.ts";
import { courses } from "#shared/courses.ts";
import { player, type SessionEvent } from "#shared/player.ts";
import { createClient, createWriter } from "#test/client.ts";
import { packageOf } from "#test/make.ts";
import { ADMIN, createProcess } from "#test/process.ts";

const LEARNERS = 50;
const server = await createProcess();
afterAll(() => server.remove());

/** Learners of one company, each with an open session. */
async function openClass() {
  const admin = createClient(server.url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const company = await admin.call(companies.create, { body: { name: "Norrvik Energi" } });
  const { body: course } = await admin.upload("course.zip", packageOf());
  const published = await admin.call(courses.setStatus, {
    params: { id: course.id },
    body: { status: "published", version: course.version },
  });
  await admin.call(courses.assign, { params: { id: published.id }, body: { companyIds: [company.id] } });
  const one = async (i: number) => {
    const me = createClient(server.url);
    const email = `learner-${i}@example.com`;
    await me.call(auth.register, {
      body: { name: `Learner ${i}`, email, password: "correct horse battery", accessCode: company.accessCode },
    });
    me.useToken((await me.call(auth.signIn, { body: { email, password: "correct horse battery" } })).token);
    const session = await me.call(player.launch, {
      params: { companyId: company.id, courseId: published.id },
      body: { clientId: `window-${i}` },
    });
    return { session, writer: createWriter(server.url, session) };
  };
  const people = [];
  for (let i = 0; i < LEARNERS; i += 10)
    people.push(...(await Promise.all(Array.from({ length: 10 }, (_, n) => one(i + n)))));
  return people;
}

async function readStored(sessionIds: string[]) {
  const [, , , port = "", host = ""] = readFileSync(join(server.dataDir, "postgres/postmaster.pid"), "utf8").split(
    "\n",
  );
  const password = readFileSync(join(server.dataDir, "postgres.password"), "utf8").trim();
  const client = new pg.Client({ host, port: Number(port), user: "lyceum", password, database: "postgres" });
  await client.connect();
  const { rows } = await client.query<{ session_id: string; events: SessionEvent[] }>(
    "select session_id, events from session_events where session_id = any($1) order by session_id, first_seq",
    [sessionIds],
  );
  await client.end();
  const bySession = new Map<string, SessionEvent[]>();
  for (const row of rows) bySession.set(row.session_id, [...(bySession.get(row.session_id) ?? []), ...row.events]);
  return bySession;
}

test("server and database are killed under fifty committing learners: nothing acknowledged is lost, nothing held is lost, nothing is doubled", async () => {
  await server.start();
  const people = await openClass();
  let writing = true;
  const promised = new Map<string, number>();
  const work = people.map(async ({ session, writer }, i) => {
    writer.add([
      { type: "nav", sco: "i1" },
      { type: "scorm.init", sco: "i1" },
    ]);
    for (let n = 0; writing; n++) {
      writer.add([
        { type: "scorm.set", sco: "i1", key: "cmi.core.lesson_location", value: `${i}-${n}` },
        { type: "scorm.set", sco: "i1", key: "cmi.suspend_data", value: `${n}`.padStart(800, ".") },
      ]);
      await writer.flush();
      promised.set(session.sessionId, writer.acked());
      await sleep(10 + Math.random() * 40);
    }
  });
  const promises: Map<string, number>[] = [];
  const remember = () => promises.push(new Map(promised));

  await sleep(1500);
  await server.kill();
  remember();
  await server.start();
  await sleep(1000);
  process.kill(server.postgresPid(), "SIGKILL");
  remember();
  await sleep(2500);
  process.kill(server.postgresPid(), "SIGKILL");
  await server.kill();
  remember();
  await server.start();
  await sleep(1000);
  writing = false;
  await Promise.all(work);
  for (const { writer } of people) for (let tries = 0; tries < 60 && !(await writer.flush()); tries++) await sleep(250);

  const stored = await readStored(people.map(({ session }) => session.sessionId));
  for (const { session, writer } of people) {
    const events = stored.get(session.sessionId) ?? [];
    expect(writer.held()).toBe(0);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: writer.last() }, (_, n) => n + 1));
    for (const promise of promises) expect(events.length).toBeGreaterThanOrEqual(promise.get(session.sessionId) ?? 0);
  }
  const total = [...stored.values()].reduce((sum, events) => sum + events.length, 0);
  expect(total).toBeGreaterThan(LEARNERS * 20);
}, 180_000);
