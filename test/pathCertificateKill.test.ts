import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { paths } from "#shared/paths/paths.ts";
import { sampleDesign } from "#test/certificates.ts";
import { createClient } from "#test/client.ts";
import { scaled } from "#test/long.ts";
import { openClass } from "#test/openClass.ts";
import { stepOf } from "#test/paths.ts";
import { ADMIN, createProcess } from "#test/process.ts";

// A server that is killed while a job completes paths: no completion without its certificate, and none has two

const LEARNERS = scaled(24, 120);
/** Learners who complete between two kills. */
const AT_ONCE = 6;
/** The longest time between a completion and the kill, in ms: about what the job takes. */
const KILL_MS = 400;
const server = await createProcess();
afterAll(() => server.remove());

test("kills while paths are completed lose and double no certificate", { timeout: 900_000 }, async () => {
  await server.start();
  const people = await openClass(server.url, LEARNERS);
  const admin = createClient(server.url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const [course] = (await admin.call(courses.list)).items;
  const [company] = (await admin.call(companies.list)).items;
  const steps = [stepOf(course?.id as string)];
  const { id, version } = await admin.call(paths.create, { body: { title: "Ready for the tower", steps } });
  await admin.call(paths.publish, { params: { id }, body: { people: "keep", version } });
  await admin.call(certificates.savePathDesign, {
    params: { pathId: id },
    body: { enabled: true, content: sampleDesign, version: null },
  });
  await admin.call(paths.assign, { params: { id }, body: { companyIds: [company?.id as string] } });
  for (let at = 0; at < people.length; at += AT_ONCE) {
    const writers = people.slice(at, at + AT_ONCE).map(({ writer }) => writer);
    for (const writer of writers)
      writer.add([
        { type: "nav", sco: "i1" },
        { type: "scorm.init", sco: "i1" },
        { type: "scorm.set", sco: "i1", key: "cmi.core.lesson_status", value: "completed" },
      ]);
    await Promise.allSettled(writers.map((writer) => writer.flush()));
    await sleep((at / people.length) * KILL_MS);
    await server.kill();
    await server.start();
    for (const writer of writers) for (let tries = 0; tries < 60 && !(await writer.flush()); tries++) await sleep(100);
  }
  const count = async (what: string) => (await server.query<{ n: number }>(`select count(*)::int as n ${what}`))[0]?.n;
  await expect
    .poll(() => count("from certificates where position is not null"), { timeout: 180_000, interval: 500 })
    .toBe(LEARNERS);
  expect(await count("from path_enrolments where completed_at is not null")).toBe(LEARNERS);
  expect(
    await count(`from path_enrolments
      join certificates
        on certificates.path_enrolment_id = path_enrolments.id
        and certificates.path_completed_at = path_enrolments.completed_at`),
  ).toBe(LEARNERS);
});
