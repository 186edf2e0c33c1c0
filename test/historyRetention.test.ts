import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { inTransaction } from "#server/core/database/db.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { reports } from "#shared/reports/reports.ts";
import { enrolmentRows, membershipRows } from "#test/historyRows.ts";
import { type Person, start } from "#test/start.ts";

// What happens to history rows later: refusals, erasure, export; and what the migration fills in
// (docs/decisions/0020-history.md)

const { as, make, db } = await start();
const send = committer(as);

async function complete(learner: Person, companyId: string, courseId: string) {
  const session = await make.launch(learner, companyId, courseId);
  const results = [setValue(3, "cmi.core.score.raw", "80"), setValue(4, "cmi.core.lesson_status", "passed")];
  const reply = await send(session, { events: [...openPart(), ...results], activeMs: 3000, end: "exit" });
  expect(reply.status).toBe(200);
}

test("rows cannot be changed or deleted, not even where rewriting is allowed", async () => {
  await make.classroom();
  for (const table of ["enrolment_history", "membership_history", "company_history", "course_history"]) {
    const name = sql.table(table);
    const refused = (statement: ReturnType<typeof sql>, allowed: boolean) =>
      expect(
        inTransaction(db, async (tx) => {
          if (allowed) await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
          await statement.execute(tx);
        }),
      ).rejects.toThrow("append-only");
    for (const allowed of [false, true]) {
      await refused(sql`update ${name} set change = 'removed'`, allowed);
      await refused(sql`delete from ${name}`, allowed);
      await refused(sql`truncate ${name}`, allowed);
    }
    await refused(sql`update ${name} set recorded_at = now()`, false);
  }
});

test("an erasure replaces learner and admin by numbers that lead nowhere", async () => {
  const { admin, company, learner, course } = await make.classroom();
  const second = await make.admin();
  await as(second)(courses.setDue, {
    params: { id: course.id },
    body: { userIds: [learner.user.id], dueDate: "2031-01-01" },
  });
  await complete(learner, company.id, course.id);
  const before = await enrolmentRows(db, learner.user.id);
  const preview = (await as(learner)(privacy.preview)).body.holdings.filter(({ key }) => key.startsWith("history."));
  expect(preview.map(({ key, rows, fate }) => [key, rows, fate])).toEqual([
    ["history.enrolments", 4, "anonymise"],
    ["history.parts", 1, "anonymise"],
    ["history.completions", 1, "anonymise"],
    ["history.membership", 1, "anonymise"],
  ]);
  for (const person of [learner, second]) expect((await as(person)(privacy.erase, { body: {} })).status).toBe(200);
  const { rows } = await sql<{
    personId: string;
    actorId: string | null;
    change: string;
    happenedAt: string;
    recordedAt: string;
  }>`
    select * from enrolment_history where course_id = ${course.id} order by id`.execute(db);
  expect(rows.slice(0, before.length).map(({ change }) => change)).toEqual(before.map(({ change }) => change));
  const [number, ...others] = [...new Set(rows.map(({ personId }) => personId))];
  expect(others).toEqual([]);
  const members = await membershipRows(db, number as string);
  expect(members.map(({ change }) => change)).toEqual(["created", "removed"]);
  const gone = [learner.user.id, second.user.id];
  expect(gone).not.toContain(number);
  const actors = rows.flatMap(({ actorId }) => actorId ?? []);
  expect(actors.filter((id) => gone.includes(id))).toEqual([]);
  expect(rows.find(({ change }) => change === "completed")?.actorId).toBe(number);
  expect(rows[0]?.actorId).toBe(admin.user.id);
  expect(
    rows.every(({ recordedAt, happenedAt }) => /:(00|15|30|45):00\.000Z$/.test(recordedAt) && recordedAt >= happenedAt),
  ).toBe(true);
});

test("the export has the person's history, without the ids of others", async () => {
  const { admin, company, learner, course } = await make.classroom();
  await complete(learner, company.id, course.id);
  const { body } = await as(learner)(privacy.export);
  const { sections } = body as unknown as { sections: Record<string, { items: Record<string, unknown>[] }> };
  expect(sections.enrolmentHistory?.items.map(({ change, bySelf, course: title }) => [change, bySelf, title])).toEqual([
    ["assigned", false, course.title],
    ["attempt", true, course.title],
    ["completed", true, course.title],
  ]);
  expect(sections.membershipHistory?.items).toMatchObject([{ change: "created", companyId: company.id }]);
  expect(JSON.stringify(body)).not.toContain(admin.user.id);
});

test("the migration fills in what is stored, flagged, and ends with the present state", async () => {
  const { company, learner, course, admin } = await make.classroom();
  await complete(learner, company.id, course.id);
  const idle = await make.learner(company.accessCode);
  await as(admin)(courses.withdraw, { params: { id: course.id }, body: { userIds: [idle.user.id] } });
  await as(admin)(learners.suspend, { body: { ids: [idle.user.id] } });
  await inTransaction(db, async (tx) => {
    const tables = ["enrolment_history", "membership_history", "company_history", "course_history"];
    for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx);
    await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx);
    // As it was before the dates of an enrolment were part of a row, and how a later migration fills them in.
    await sql`alter table enrolment_history alter column assigned_at drop not null`.execute(tx);
    const readMigration = (name: string) => readFileSync(join(import.meta.dirname, "../migrations", name), "utf8");
    await sql.raw(readMigration("0015_history_backfill.sql")).execute(tx);
    const dates = /update enrolment_history h set assigned_at[^;]+;/.exec(readMigration("0023_reports.sql"));
    await sql.raw(dates?.[0] as string).execute(tx);
    await sql`alter table enrolment_history alter column assigned_at set not null`.execute(tx);
    for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx);
  });
  const rows = await enrolmentRows(db, learner.user.id);
  expect(rows.map(({ change, status, scorePercent }) => [change, status, scorePercent])).toEqual([
    ["assigned", "assigned", null],
    ["started", "in_progress", null],
    ["completed", "completed", 80],
  ]);
  const { enrolments } = (await as(admin)(reports.learner, { params: { id: learner.user.id } })).body;
  const [{ assignedAt, startedAt, completedAt }] = enrolments as [(typeof enrolments)[number]];
  expect(rows.at(-1)).toMatchObject({ assignedAt, firstStartedAt: startedAt, completedAt });
  expect(rows[0]).toMatchObject({ assignedAt, firstStartedAt: null, completedAt: null });
  expect(rows.map(({ happenedAt }) => happenedAt)).toEqual(rows.map(({ happenedAt }) => happenedAt).toSorted());
  expect((await enrolmentRows(db, idle.user.id)).map(({ change }) => change)).toEqual(["assigned", "withdrawn"]);
  expect((await membershipRows(db, idle.user.id)).map(({ change, status }) => [change, status])).toEqual([
    ["created", "active"],
    ["suspended", "suspended"],
  ]);
  const { rows: different } = await sql`
    select e.id from enrolments e join lateral (select * from enrolment_history where enrolment_id = e.id order by id desc limit 1) h on true
    where not h.backfilled or (h.status, h.success, h.score_percent, h.due_date) is distinct from (e.status, e.success, e.score_percent, e.due_date)
    union all select u.id from users u left join lateral (select * from membership_history where person_id = u.id order by id desc limit 1) h on true
    where (h.status, h.role, h.company_id) is distinct from (u.status, u.role, u.company_id)`.execute(db);
  expect(different).toEqual([]);
});
