import { expect, test } from "vitest";
import { groups } from "#shared/groups/groups.ts";
import { reports } from "#shared/reports/reports.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";

// Reports about a group: of those who were in it on the day

const { as, make, db } = await start();

test("a report counts the group as it was on the day, and checks when it is gone", async () => {
  const { admin, company, course, learner } = await make.classroom();
  const call = as(admin);
  const other = await make.learner(company.accessCode, "Otto Other");
  const group = bodyOf(await call(groups.create, { body: { companyId: company.id, name: "Group" } }));
  const params = { id: group.id };
  bodyOf(await call(groups.place, { params, body: { ids: [learner.user.id], place: "in" } }));
  const assigned = async (id: string, query: object = {}) =>
    bodyOf(await call(reports.figures, { params: { id }, query: { groupId: group.id, ...query } })).figures.totals
      .assigned;
  expect(await assigned(company.id)).toBe(1);
  expect(await assigned(course.id)).toBe(1);
  expect(await assigned(course.id, { companyId: company.id })).toBe(1);
  const rows = bodyOf(await call(reports.rows, { params: { id: company.id }, query: { groupId: group.id } }));
  expect(rows.items.map(({ userId }) => userId)).toEqual([learner.user.id]);

  // Three days ago the other one was in it.
  const shift = "set_config('lyceum.rewrite', 'allowed', false)";
  await db.connection().execute(async (connection) => {
    const { sql } = await import("kysely");
    await sql`select ${sql.raw(shift)}`.execute(connection);
    for (const table of ["enrolment_history", "company_history"])
      await sql`update ${sql.table(table)} set recorded_at = recorded_at - interval '9 days'
        where company_id = ${company.id}`.execute(connection);
    await sql`select set_config('lyceum.rewrite', '', false)`.execute(connection);
    const days = sql`now() - interval '8 days', now() - interval '1 day'`;
    await sql`insert into group_members (group_id, company_id, person_id, why, since, until)
      values (${group.id}, ${company.id}, ${other.user.id}, 'hand', ${days})`.execute(connection);
  });
  const asOf = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const before = bodyOf(await call(reports.rows, { params: { id: company.id }, query: { groupId: group.id, asOf } }));
  expect(before.items.map(({ userId }) => userId)).toEqual([other.user.id]);

  const issued = bodyOf(await call(reports.issue, { params: { id: company.id }, body: { groupId: group.id, asOf } }));
  expect(issued.filters.groupId).toBe(group.id);
  await call(groups.remove, { params });
  const check = bodyOf(await call(reports.check, { params: { id: issued.id } }));
  expect(check).toMatchObject({ different: 0, isDigestRight: true });
});

test("refuses a group of another company", async () => {
  const { admin, company } = await make.classroom();
  const elsewhere = await make.company(admin);
  const foreign = bodyOf(await as(admin)(groups.create, { body: { companyId: elsewhere.id, name: "Foreign" } }));
  const reply = await as(admin)(reports.figures, { params: { id: company.id }, query: { groupId: foreign.id } });
  expect(reply).toMatchObject({ status: 422, body: { issues: [{ path: "groupId", code: "groups.notOfCompany" }] } });
});
