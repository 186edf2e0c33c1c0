import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { courses } from "#shared/courses/courses.ts";
import { sampleDesign } from "#test/certificates.ts";
import { createClient } from "#test/client.ts";
import { openClass } from "#test/openClass.ts";
import { scaled } from "#test/long.ts";
import { ADMIN, createProcess } from "#test/process.ts";

// A server that is killed while learners complete: no completion without its certificate, none twice, every one sealed

const LEARNERS = scaled(40, 200);
/** Learners who complete between two kills. */
const AT_ONCE = 10;
const server = await createProcess();
afterAll(() => server.remove());

test("kills while learners complete lose and double no certificate", { timeout: 900_000 }, async () => {
  await server.start();
  const people = await openClass(server.url, LEARNERS);
  const admin = createClient(server.url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const { items } = await admin.call(courses.list);
  await admin.call(certificates.saveDesign, {
    params: { courseId: items[0]?.id as string },
    body: { enabled: true, content: sampleDesign, version: null },
  });
  for (let at = 0; at < people.length; at += AT_ONCE) {
    const writers = people.slice(at, at + AT_ONCE).map(({ writer }) => writer);
    for (const writer of writers)
      writer.add([
        { type: "nav", sco: "i1" },
        { type: "scorm.init", sco: "i1" },
        { type: "scorm.set", sco: "i1", key: "cmi.core.lesson_status", value: "completed" },
      ]);
    const sending = writers.map((writer) => writer.flush());
    await sleep((at / AT_ONCE) * 8);
    await server.kill();
    await Promise.allSettled(sending);
    await server.start();
    for (const writer of writers) for (let tries = 0; tries < 60 && !(await writer.flush()); tries++) await sleep(100);
  }
  const count = async (what: string) => (await server.query<{ n: number }>(`select count(*)::int as n ${what}`))[0]?.n;
  await expect
    .poll(() => count("from certificates where position is not null"), { timeout: 120_000, interval: 500 })
    .toBe(LEARNERS);
  expect(await count("from completion_history")).toBe(LEARNERS);
  expect(await count("from certificates")).toBe(LEARNERS);
  expect(await count("from certificate_nodes where level = 0")).toBe(LEARNERS);
  expect(
    await count(`from completion_history
      where not exists (
        select from certificates
        where certificates.completion_id = completion_history.id
      )`),
  ).toBe(0);
});
