import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { inTransaction } from "#server/core/database/db.ts";
import { followChanges, followDays } from "#server/groups/follow.ts";
import type { PersonCondition, PersonTest } from "#shared/conditions/conditions.ts";
import { groups } from "#shared/groups/groups.ts";
import { learners } from "#shared/learners/learners.ts";
import { variables } from "#shared/variables/variables.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";

// How groups follow what their rules refer to: completions, values, days

const { as, make, db, runJobs, services } = await start();
const admin = await make.admin();
const call = as(admin);
const send = committer(as);

const addGroup = async (companyId: string, ...tests: PersonTest[]) => {
  const rule: PersonCondition | null = tests.length > 0 ? { match: "all", tests } : null;
  return bodyOf(await call(groups.create, { body: { companyId, name: `Group ${randomUUID().slice(0, 8)}`, rule } })).id;
};
const memberIds = async (id: string) =>
  bodyOf(await call(groups.members, { params: { id }, query: { size: 100 } })).items.map((row) => row.id);
const waitForMembers = (id: string, expected: string[]) =>
  vi.waitFor(async () => expect((await memberIds(id)).toSorted()).toEqual(expected.toSorted()), {
    timeout: 10_000,
    interval: 50,
  });

test("people follow what they complete, and the values that content sets", { timeout: 60_000 }, async () => {
  const jobs = await runJobs();
  const { company, course, learner } = await make.classroom();
  bodyOf(
    await call(variables.create, {
      body: {
        key: "shoe_size",
        label: "Shoe size",
        type: "number",
        courses: [{ courseId: course.id, access: "both" }],
      },
    }),
  );
  const { id } = learner.user;
  const done = await addGroup(company.id, { kind: "course", course: course.id, is: "completed" });
  const open = await addGroup(company.id, { kind: "course", course: course.id, is: "notCompleted" });
  const large = await addGroup(company.id, { kind: "variable", key: "shoe_size", is: "atLeast", value: 44 });
  expect([await memberIds(done), await memberIds(open), await memberIds(large)]).toEqual([[], [id], []]);
  const session = await make.launch(learner, company.id, course.id);
  const value = { seq: 3, t: 3, type: "variable.set" as const, sco: "i1", key: "shoe_size", value: "45" };
  await send(session, { events: [...openPart(), value] });
  await waitForMembers(large, [id]);
  await send(session, { events: [setValue(4, "cmi.core.lesson_status", "completed")] });
  await waitForMembers(done, [id]);
  await waitForMembers(open, []);
  await send(session, { events: [{ ...value, seq: 5, value: "40" }] });
  await waitForMembers(large, []);
  await jobs.stop();
});

/** The rule of a group cannot be read. */
const breakRule = (id: string) => sql`update groups set rule = '{"match": "all"}' where id = ${id}`.execute(db);
/** A day passes for a person who has joined, and for a group that was checked, without anything else happening. */
const passDays = (userId: string, groupId: string, days: number) =>
  inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update users set joined_at = joined_at - make_interval(days => ${days}) where id = ${userId}`.execute(tx);
    await sql`update groups set checked_on = checked_on - ${days}::int where id = ${groupId}`.execute(tx);
    await sql`update group_overrides set until = until - ${days}::int where group_id = ${groupId}`.execute(tx);
  });

test("a day that passes ends what holds for some days, and what was decided until then", async () => {
  const company = await make.company(admin);
  const [ada, bo] = [await make.learner(company.accessCode, "Ada"), await make.learner(company.accessCode, "Bo")];
  const recent = await addGroup(company.id, { kind: "joined", is: "within", days: 7 });
  await followDays.run(services, {});
  expect(await memberIds(recent)).toHaveLength(2);
  await passDays(ada.user.id, recent, 7);
  await followDays.run(services, {});
  expect(await memberIds(recent)).toEqual([bo.user.id]);
  const wardens = await addGroup(company.id);
  const until = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const body = { ids: [ada.user.id], place: "in" as const, until };
  bodyOf(await call(groups.place, { params: { id: wardens }, body }));
  await followDays.run(services, {});
  expect(await memberIds(wardens)).toEqual([ada.user.id]);
  await passDays(bo.user.id, wardens, 4);
  await followDays.run(services, {});
  expect(await memberIds(wardens)).toEqual([]);
});

test("a person who is erased counts no more", async () => {
  const company = await make.company(admin);
  const [ada, bo] = [await make.learner(company.accessCode, "Ada"), await make.learner(company.accessCode, "Bo")];
  const wardens = await addGroup(company.id);
  const ids = [ada.user.id, bo.user.id];
  bodyOf(await call(groups.place, { params: { id: wardens }, body: { ids, place: "in" } }));
  await db.deleteFrom("users").where("id", "=", ada.user.id).execute();
  await followChanges.run(services, {});
  expect(bodyOf(await call(groups.get, { params: { id: wardens } })).people).toBe(1);
  const left = await db.selectFrom("groupChanges").where("companyId", "=", company.id).select("kind").execute();
  expect(left).toEqual([]);
});

test("jobs that wait for a company keep one worker at most", { timeout: 30_000 }, async () => {
  const company = await make.company(admin);
  const people: string[] = [];
  for (const name of ["Ada", "Bo", "Cy"]) people.push((await make.learner(company.accessCode, name)).user.id);
  await addGroup(company.id, { kind: "status", is: "is", status: "active" });
  await followChanges.run(services, {});
  const count = async (condition: "running" | "all") => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count
      from graphile_worker.jobs
      where task_identifier = 'groups:follow'
        and ${condition === "running" ? sql`locked_at is not null` : sql`true`}`.execute(db);
    return rows[0]?.count;
  };
  const other = await services.pool.connect();
  await other.query("select pg_advisory_lock(hashtextextended($1, 0))", [`groups ${company.id}`]);
  const jobs = await runJobs();
  for (const id of people) bodyOf(await call(learners.suspend, { body: { ids: [id] } }));
  await expect.poll(() => count("all"), { timeout: 5000 }).toBeGreaterThanOrEqual(3);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await count("running")).toBe(1);
  await other.query("select pg_advisory_unlock(hashtextextended($1, 0))", [`groups ${company.id}`]);
  other.release();
  await expect.poll(() => count("all"), { timeout: 20_000 }).toBe(0);
  await jobs.stop();
});

test("a company whose groups cannot be followed stops no other", async () => {
  const broken = await make.company(admin);
  const other = await make.company(admin);
  const stuck = await make.learner(broken.accessCode, "Ada");
  const bo = await make.learner(other.accessCode, "Bo");
  const isActive: PersonTest = { kind: "status", is: "is", status: "active" };
  const within: PersonTest = { kind: "joined", is: "within", days: 7 };
  const brokenGroup = await addGroup(broken.id, isActive, within);
  const group = await addGroup(other.id, isActive, within);
  await breakRule(brokenGroup);
  bodyOf(await call(learners.suspend, { body: { ids: [stuck.user.id] } }));
  bodyOf(await call(learners.suspend, { body: { ids: [bo.user.id] } }));
  await expect(followChanges.run(services, {})).rejects.toThrow("some companies");
  expect(await memberIds(group)).toEqual([]);
  await passDays(stuck.user.id, brokenGroup, 1);
  bodyOf(await call(learners.reactivate, { body: { ids: [bo.user.id] } }));
  await sql`delete from group_changes where company_id = ${other.id}`.execute(db);
  await passDays(bo.user.id, group, 1);
  await expect(followDays.run(services, {})).rejects.toThrow("some companies");
  expect(await memberIds(group)).toEqual([bo.user.id]);
});
