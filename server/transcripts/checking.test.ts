import { sql } from "kysely";
import { expect, test } from "vitest";
import { certificates } from "#shared/certificates/certificates.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { MAX_ENTRIES } from "#shared/transcripts/transcripts.ts";
import { createCertifier } from "#test/certificates.ts";
import { createDecider } from "#test/completions.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";
import { createTranscriptTester } from "#test/transcripts.ts";

// Entries of transcripts compared with the records of today

const server = await start();
const { as, db, make } = server;
const { school, complete } = createCertifier(server);
const { withDecisions } = createDecider(server);
const { issue, read, share, tokenIn, open, graduate } = createTranscriptTester(server);

test("the check names what was taken back, what has changed, and what was altered", async () => {
  const room = await withDecisions(await make.classroom());
  const { admin, learner, company, decide, undo } = room;
  bodyOf(await decide("set"));
  const { course } = await school({}, {}, admin);
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [learner.user.id] } });
  await complete({ company, course }, learner);
  const { id } = await issue(learner);
  const { facts } = await read(learner, id);
  expect(facts.entries.map(({ setByAdmin }) => setByAdmin)).toEqual([false, true]);
  const token = tokenIn((await share(learner, id)).link?.url);
  bodyOf(await undo());
  await sql`
    update enrolments
    set score_percent = 60
    where course_id = ${course.id}`.execute(db);
  expect(await open(token)).toMatchObject({ facts, isUnchanged: true, states: ["changed", "gone"] });
  await sql`
    update transcripts
    set facts = jsonb_set(facts, '{entries,0,scorePercent}', '100')
    where id = ${id}`.execute(db);
  expect((await open(token))?.isUnchanged).toBe(false);
});

test("a better result agrees with the record, a lesser one does not", async () => {
  const { person, course } = await graduate();
  const { id } = await issue(person);
  const score = async (percent: number) => {
    await sql`
      update enrolments
      set score_percent = ${percent}
      where user_id = ${person.user.id}
        and course_id = ${course.id}`.execute(db);
    return (await read(person, id)).states;
  };
  expect([await score(95), await score(89)]).toEqual([["same"], ["changed"]]);
});

test("a revoked or replaced certificate is named", async () => {
  const { person, certificate, admin } = await graduate("Mia Maiden");
  const { id } = await issue(person);
  const params = { id: certificate.id };
  const { version } = bodyOf(await as(admin)(learners.get, { params: { id: person.user.id } }));
  await as(admin)(learners.update, { params: { id: person.user.id }, body: { name: "Mia Married", version } });
  const { id: newId, number } = bodyOf(await as(admin)(certificates.reissue, { params }));
  expect((await read(person, id)).states).toEqual(["certificate"]);
  const { id: laterId } = await issue(person);
  const later = await read(person, laterId);
  expect([later.facts.entries[0]?.certificate, later.states]).toEqual([number, ["same"]]);
  bodyOf(await as(admin)(certificates.revoke, { params: { id: newId }, body: { reason: "A mistake" } }));
  expect((await read(person, laterId)).states).toEqual(["certificate"]);
});

test("later completions push no entry out of the check", async () => {
  const { person, course } = await graduate();
  const addEarlier = (from: number, to: number, when: string) =>
    sql`
      insert into enrolment_cycles (
        enrolment_id, cycle, first_attempt, assigned_at, completed_at, success, parts_done, closed_at
      )
      select id, 1000 + n, 1000 + n, now(), ${when}::timestamptz + make_interval(mins => n), 'passed', 1,
        ${when}::timestamptz + make_interval(mins => n + 1)
      from enrolments
      cross join generate_series(${from}::integer, ${to}::integer) n
      where user_id = ${person.user.id}
        and course_id = ${course.id}`.execute(db);
  await addEarlier(1, MAX_ENTRIES + 5, "2020-01-01");
  const { id, entries } = await issue(person);
  expect([entries, (await read(person, id)).facts.total]).toEqual([MAX_ENTRIES, MAX_ENTRIES + 6]);
  await addEarlier(MAX_ENTRIES + 6, MAX_ENTRIES + 30, "2026-01-01");
  expect(new Set((await read(person, id)).states)).toEqual(new Set(["same"]));
});
