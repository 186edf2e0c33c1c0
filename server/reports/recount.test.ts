import { sql } from "kysely";
import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { recountLearning } from "#server/reports/recount.ts";
import { reports } from "#shared/reports/reports.ts";
import { start } from "#test/start.ts";

const { as, db, make } = await start();
const send = committer(as);

test("the recount repairs times and outcomes that differ from sessions and enrolments", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const ageSession = sql`
    update sessions
    set started_at = started_at - interval '5 minutes'
    where id = ${session.sessionId}`;
  await ageSession.execute(db);
  await send(session, { events: openPart(), activeMs: 1900 });
  await send(session, { events: [setValue(3, "cmi.core.lesson_status", "passed")], activeMs: 61_500 });
  expect(await recountLearning(db)).toEqual([]);

  await sql`update attempts set active_seconds = 7`.execute(db);
  await sql`update enrolments set active_seconds = 9`.execute(db);
  await sql`alter table enrolments disable trigger user`.execute(db);
  await sql`update enrolments set status = 'failed', success = 'failed'`.execute(db);
  await sql`alter table enrolments enable trigger user`.execute(db);
  await sql`alter table part_states disable trigger user`.execute(db);
  await sql`update part_states set completion = 'incomplete', success = 'failed'`.execute(db);
  await sql`alter table part_states enable trigger user`.execute(db);
  expect(await recountLearning(db)).toMatchObject([
    { what: "active seconds of attempt", stored: "7", recounted: "61" },
    { what: "active seconds of enrolment", stored: "9", recounted: "61" },
    { what: "last outcome in the history of enrolment", stored: "completed, passed", recounted: "failed, failed" },
    { what: "last state of a part in the history of enrolment", stored: "1/1: done", recounted: "1/1: failed" },
  ]);
  expect(await recountLearning(db)).toEqual([]);
  const { figures } = (await as(admin)(reports.figures, { params: { id: course.id } })).body;
  expect(figures.totals).toMatchObject({ completed: 0, failed: 1 });
  await send(session, { events: [setValue(4, "cmi.core.lesson_location", "2")], activeMs: 62_000 });
  expect(await recountLearning(db)).toEqual([]);
});
