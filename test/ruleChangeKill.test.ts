import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { completionRules, isWorking, type RuleChange } from "#shared/completionRules/ruleChanges.ts";
import { courses } from "#shared/courses/courses.ts";
import { sampleDesign } from "#test/certificates.ts";
import { createClient } from "#test/client.ts";
import { openClass } from "#test/openClass.ts";
import { scaled } from "#test/long.ts";
import { ADMIN, createProcess } from "#test/process.ts";

// A server that is killed while a completion rule is applied or undone: every learner once, every certificate once

const LEARNERS = scaled(600, 5000);
const KILLS = scaled(1, 10);
const server = await createProcess();
afterAll(() => server.remove());
const count = async (what: string) => (await server.query<{ n: number }>(`select count(*)::int as n ${what}`))[0]?.n;

/** Copies the one learner with all events of their attempt. */
const copyLearner = `
  create temporary table copies as
    select n, gen_random_uuid() as u, gen_random_uuid() as e, gen_random_uuid() as a, gen_random_uuid() as s
    from generate_series(2, ${LEARNERS}) n;
  insert into users
    select copy.*
    from copies, users original,
      jsonb_populate_record(original, jsonb_build_object('id', u, 'email', 'copy' || n || '@example.com')) copy
    where original.role = 'learner';
  insert into enrolments
    select copy.*
    from copies, enrolments original,
      jsonb_populate_record(original, jsonb_build_object('id', e, 'user_id', u)) copy
    where original.id not in (select e from copies) and original.user_id not in (select u from copies);
  insert into attempts
    select copy.*
    from copies, attempts original,
      jsonb_populate_record(original, jsonb_build_object('id', a, 'enrolment_id', e, 'user_id', u)) copy
    where original.user_id not in (select u from copies);
  insert into sessions (id, attempt_id, user_id, company_id, token_hash, client_id, started_at, last_seen_at, active_ms,
      last_seq)
    select s, a, u, company_id, token_hash || n, client_id, started_at, last_seen_at, active_ms, last_seq
    from copies, sessions original
    where original.user_id not in (select u from copies);
  insert into session_events
    select s, first_seq, last_seq, received_at, events
    from copies, session_events;
  insert into part_states
    select copy.*
    from copies, part_states original,
      jsonb_populate_record(original, jsonb_build_object('attempt_id', a)) copy`;

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
  await server.query(copyLearner);
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
