import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { completionRules, isWorking, type RuleChange } from "#shared/completionRules/ruleChanges.ts";
import { courses } from "#shared/courses/courses.ts";
import { sampleDesign } from "#test/certificates.ts";
import { createClient } from "#test/client.ts";
import { copyLearner } from "#test/copiedLearners.ts";
import { openClass } from "#test/openClass.ts";
import { scaled } from "#test/long.ts";
import { ADMIN, createProcess } from "#test/process.ts";

// A server that is killed while a completion rule is applied or undone: every learner once, every certificate once

const LEARNERS = scaled(300, 5000);
const KILLS = scaled(1, 10);
const server = await createProcess();
afterAll(() => server.remove());
const count = async (what: string) => (await server.query<{ n: number }>(`select count(*)::int as n ${what}`))[0]?.n;

test("kills while a rule is applied and undone lose and double nothing", { timeout: 900_000 }, async () => {
  await server.start();
  const [person] = await openClass(server.url, 1);
  if (!person) throw new Error("no learner");
  person.writer.add([
    { type: "nav", sco: "i1" },
    { type: "scorm.init", sco: "i1" },
    { type: "scorm.set", sco: "i1", key: "cmi.core.score.raw", value: "90" },
  ]);
  expect(await person.writer.flush()).toBe(true);
  await server.query(copyLearner(LEARNERS));
  const admin = createClient(server.url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const courseId = (await admin.call(courses.list)).items[0]?.id as string;
  const design = { enabled: true, content: sampleDesign, version: null };
  await admin.call(certificates.saveDesign, { params: { courseId }, body: design });

  const rule = { kind: "score" as const, percent: 70 };
  const { id } = await admin.call(completionRules.create, { params: { id: courseId }, body: { rule } });
  const get = () => admin.call(completionRules.get, { params: { id } });
  const ended = async () => {
    let change: RuleChange | undefined;
    await expect
      .poll(async () => isWorking((change = await get()).state), { timeout: 300_000, interval: 250 })
      .toBe(false);
    return change as RuleChange;
  };
  /** Kills the server several times while it works. */
  const killWhileWorking = async () => {
    for (let kills = 0; kills < KILLS; kills++) {
      const { counted, state } = await get();
      if (!isWorking(state)) return;
      while (isWorking(state) && (await get()).counted === counted) await sleep(10);
      await server.kill();
      await server.start();
    }
  };
  await killWhileWorking();
  expect(await ended()).toMatchObject({ state: "counted", total: LEARNERS, becomes: LEARNERS, ends: 0, uncounted: 0 });
  expect(await count("from completion_history")).toBe(0);

  const { version } = await admin.call(courses.get, { params: { id: courseId } });
  await admin.call(completionRules.apply, { params: { id }, body: { keeps: true, version } });
  await killWhileWorking();
  expect(await ended()).toMatchObject({ state: "applied", becomes: LEARNERS, completeBefore: 0, counted: LEARNERS });
  expect(await count("from enrolments where status = 'completed'")).toBe(LEARNERS);
  expect(await count("from completion_history")).toBe(LEARNERS);
  expect(await count("from certificates where revoked_at is null")).toBe(LEARNERS);

  await admin.call(completionRules.undo, { params: { id } });
  await killWhileWorking();
  expect((await ended()).state).toBe("undone");
  expect(await count("from enrolments where status = 'completed'")).toBe(0);
  expect(await count("from completion_withdrawals")).toBe(LEARNERS);
  expect(await count("from certificates where revoked_at is null")).toBe(0);
});
