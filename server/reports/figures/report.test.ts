import { expect, test } from "vitest";
import { readReport } from "#server/reports/figures/report.ts";
import { courses } from "#shared/courses/courses.ts";
import type { User } from "#shared/core/users.ts";
import { start } from "#test/start.ts";

const { as, db, make, services } = await start();
const read = (user: User, id: string) => readReport({ ...services, user }, id, {});
const assignedIn = async (report: ReturnType<typeof read>) => (await report).figures.totals.assigned;

test("requests at the same time get the figures of their own scope, as they are", async () => {
  const { admin, company, course } = await make.classroom();
  const other = await make.company(admin);
  await make.learner(other.accessCode);
  await as(admin)(courses.assign, { params: { id: course.id }, body: { companyIds: [other.id] } });
  const colleague = await make.admin();
  const boss = { ...colleague.user, companyId: company.id };
  const readers = [admin.user, colleague.user, boss];
  expect(await Promise.all(readers.map((user) => assignedIn(read(user, course.id))))).toEqual([2, 2, 1]);
  await make.learner(other.accessCode);
  expect(await Promise.all(readers.map((user) => assignedIn(read(user, course.id))))).toEqual([3, 3, 1]);
});

test("the report of a course in one company has the days of that company", async () => {
  const { admin, course } = await make.classroom();
  const far = await make.company(admin);
  await db.updateTable("companies").set({ timezone: "Pacific/Auckland" }).where("id", "=", far.id).execute();
  await as(admin)(courses.assign, { params: { id: course.id }, body: { companyIds: [far.id] } });
  const zoneOf = async (query: object) =>
    (await readReport({ ...services, user: admin.user }, course.id, query)).filters.zone;
  expect(await zoneOf({ companyId: far.id })).toBe("Pacific/Auckland");
  expect(await zoneOf({})).not.toBe("Pacific/Auckland");
  expect(await zoneOf({ companyId: far.id, zone: "Asia/Tokyo" })).toBe("Asia/Tokyo");
});

test("each reader of a shared report about a person is in the audit log", async () => {
  const { admin, learner } = await make.classroom();
  const colleague = await make.admin();
  await Promise.all([admin, colleague, learner].map(({ user }) => read(user, learner.user.id)));
  const entries = await db.selectFrom("auditEntries").where("action", "=", "reports.open").select("actorId").execute();
  expect(new Set(entries.map(({ actorId }) => actorId))).toEqual(new Set([admin.user.id, colleague.user.id]));
});
