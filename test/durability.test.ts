import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import type { SessionEvent } from "#shared/player/player.ts";
import { openClass } from "#test/openClass.ts";
import { scaled } from "#test/long.ts";
import { createProcess } from "#test/process.ts";

// Server and database are killed while learners commit: once in `npm test`, repeatedly in `npm run test:long`.

const LEARNERS = scaled(20, 50);
const ROUNDS = scaled(1, 20);
const server = await createProcess();
afterAll(() => server.remove());

/** Resolves as soon as the server has restarted its database. */
async function databaseIsBack() {
  for (let tries = 0; tries < 200; tries++) {
    await sleep(100);
    if ((await fetch(`${server.url}/api/health`)).ok) return;
  }
  throw new Error("The database was not restarted within 20 s");
}

async function readStored(sessionIds: string[]) {
  const rows = await server.query<{ session_id: string; events: SessionEvent[] }>(
    "select session_id, events from session_events where session_id = any($1) order by session_id, first_seq",
    [sessionIds],
  );
  const bySession = new Map<string, SessionEvent[]>();
  for (const row of rows) bySession.set(row.session_id, [...(bySession.get(row.session_id) ?? []), ...row.events]);
  return bySession;
}

test(
  "kills of server and database neither lose nor duplicate acknowledged events",
  async () => {
    await server.start();
    const people = await openClass(server.url, LEARNERS);
    let writing = true;
    /** The highest acknowledged number of each session. */
    const acknowledged = new Map<string, number>();
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
        acknowledged.set(session.sessionId, writer.acked());
        await sleep(10 + Math.random() * 40);
      }
    });
    const acknowledgedAtKill: Map<string, number>[] = [];
    const noteAcknowledged = () => acknowledgedAtKill.push(new Map(acknowledged));
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(1000);
      await server.kill();
      noteAcknowledged();
      await server.start();
      await sleep(1000);
      process.kill(server.postgresPid(), "SIGKILL");
      noteAcknowledged();
      await databaseIsBack();
      await sleep(500);
      process.kill(server.postgresPid(), "SIGKILL");
      await server.kill();
      noteAcknowledged();
      await server.start();
    }
    await sleep(1000);
    writing = false;
    await Promise.all(work);
    for (const { writer } of people)
      for (let tries = 0; tries < 60 && !(await writer.flush()); tries++) await sleep(250);

    const stored = await readStored(people.map(({ session }) => session.sessionId));
    for (const { session, writer } of people) {
      const events = stored.get(session.sessionId) ?? [];
      expect(writer.held()).toBe(0);
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: writer.last() }, (_, n) => n + 1));
      for (const atKill of acknowledgedAtKill)
        expect(events.length).toBeGreaterThanOrEqual(atKill.get(session.sessionId) ?? 0);
    }
    const total = [...stored.values()].reduce((sum, events) => sum + events.length, 0);
    expect(total).toBeGreaterThan(LEARNERS * 20);
  },
  scaled(180_000, 900_000),
);
