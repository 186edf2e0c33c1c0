import { sql } from "kysely";
import { expect, test } from "vitest";
import { courses } from "#shared/courses/courses.ts";
import { reports } from "#shared/reports/reports.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { type Person, start } from "#test/start.ts";

// The figures of the dashboard equal the numbers of rows of the lists behind them

const { as, db, make } = await start();

/**
 * Learners with a due date three days ago, who were on time, late, or are still overdue; one who was due long ago; and
 * sessions.
 */
async function createDue() {
  const room = await make.classroom();
  const { admin, company, course } = room;
  const names = ["On Time", "Too Late", "Over Due", "Long Ago", "Withdrawn"];
  const people: Person[] = [];
  for (const name of names) people.push(await make.learner(company.accessCode, name));
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: people.map(({ user }) => user.id) } });
  const set = (n: number, values: ReturnType<typeof sql>) =>
    sql`update enrolments set ${values} where user_id = ${(people[n] as Person).user.id}`.execute(db);
  const dueAgo = (days: number) => sql`due_date = current_date - ${days}::int`;
  await set(0, sql`status = 'completed', completed_at = now() - interval '5 days', ${dueAgo(3)}`);
  await set(1, sql`status = 'completed', completed_at = now() - interval '1 hour', ${dueAgo(3)}`);
  await set(2, sql`status = 'in_progress', ${dueAgo(3)}`);
  await set(3, sql`status = 'in_progress', ${dueAgo(50)}`);
  await set(4, sql`status = 'withdrawn', ${dueAgo(3)}`);
  const [first, second] = people as [Person, Person];
  for (const [person, seconds] of [
    [first, 90],
    [second, 30],
  ] as const) {
    const { sessionId } = await make.launch(person, company.id, course.id, { newAttempt: true });
    await sql`update sessions set active_ms = ${seconds * 1000} where id = ${sessionId}`.execute(db);
  }
  await limitToCompany(db, admin, company.id);
  return { ...room, boss: as(admin), first };
}

test("lists what fell due, by whether it was on time", async () => {
  const { boss } = await createDue();
  const read = async (query: object = {}) => (await boss(reports.fellDue, { query: { days: 30, ...query } })).body;
  const { summary } = (await boss(reports.dashboard, { query: { days: 30 } })).body;
  const all = await read();
  expect(all.items.map(({ name, onTime, overdue }) => [name, onTime, overdue])).toEqual([
    ["On Time", true, false],
    ["Over Due", false, true],
    ["Too Late", false, false],
  ]);
  expect([all.total, (await read({ result: "onTime" })).total]).toEqual([summary.fellDue, summary.onTime]);
  expect((await read({ result: "late" })).items.map(({ name }) => name)).toEqual(["Over Due", "Too Late"]);
  expect((await read({ days: 90 })).items.at(-1)?.name).toBe("Long Ago");
  expect((await read({ q: "too late" })).total).toBe(1);
  expect(await read({ page: 2, size: 2 })).toMatchObject({ total: 3, items: [{ name: "Too Late" }] });
  // A page after the last one is empty, but has the total.
  expect(await read({ page: 9 })).toEqual({ total: 3, items: [] });
});

test("lists what was completed, the latest first", async () => {
  const { boss, first } = await createDue();
  const read = async (query: object = {}) => (await boss(reports.completed, { query: { days: 30, ...query } })).body;
  const { summary } = (await boss(reports.dashboard, { query: { days: 30 } })).body;
  const { items, total } = await read();
  expect(items.map(({ name, status }) => [name, status])).toEqual([
    ["Too Late", "completed"],
    ["On Time", "completed"],
  ]);
  expect([total, total]).toEqual([summary.completed, 2]);
  expect((await read({ q: first.user.email })).total).toBe(1);
  expect(await read({ page: 2, size: 1 })).toMatchObject({ total: 2, items: [{ name: "On Time" }] });
  expect(await read({ page: 9, size: 1 })).toMatchObject({ total: 2, items: [] });
  expect(await read({ page: 9 })).toEqual({ total: 2, items: [] });
  await sql`update enrolments set completed_at = now() - interval '8 days' where user_id = ${first.user.id}`.execute(
    db,
  );
  expect((await read({ days: 7 })).items.map(({ name }) => name)).toEqual(["Too Late"]);
});

test("lists who was active, with the time that the figure adds up", async () => {
  const { boss, admin, company, course, first } = await createDue();
  await make.launch(admin, company.id, course.id);
  expect((await boss(reports.active, { query: { page: 9 } })).body).toEqual({ total: 2, items: [] });
  const people = await boss(reports.people, { params: { id: company.id }, query: { page: 9 } });
  expect(people.body).toMatchObject({ total: expect.toSatisfy((total: number) => total > 4), items: [] });
  const { summary } = (await boss(reports.dashboard, { query: { days: 30 } })).body;
  const read = async (query: object = {}) => (await boss(reports.active, { query: { days: 30, ...query } })).body;
  const { items, total } = await read();
  expect(items.map(({ name, activeSeconds, sessions }) => [name, activeSeconds, sessions])).toEqual([
    ["On Time", 90, 1],
    ["Too Late", 30, 1],
  ]);
  expect([total, items.reduce((sum, { activeSeconds }) => sum + (activeSeconds ?? 0), 0)]).toEqual([
    summary.activeLearners,
    summary.activeSeconds,
  ]);
  expect((await read({ q: first.user.email })).total).toBe(1);
  await sql`update sessions set started_at = now() - interval '8 days' where user_id = ${first.user.id}`.execute(db);
  expect((await read({ days: 7 })).items.map(({ name }) => name)).toEqual(["Too Late"]);
});

test("lists nothing of another company, and nothing to learners", async () => {
  await createDue();
  const { admin, learner, company } = await make.classroom();
  await limitToCompany(db, admin, company.id);
  for (const contract of [reports.fellDue, reports.completed, reports.active]) {
    expect((await as(admin)(contract)).body).toEqual({ items: [], total: 0 });
    expect((await as(learner)(contract)).status).toBe(403);
  }
});
