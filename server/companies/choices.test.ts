import { expect, test } from "vitest";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { start } from "#test/start.ts";

// What filters and fields offer: all companies and courses by name, however many there are, in the scope of the reader

const { as, db, make } = await start();

test("offers every company and course that is not archived, by name", async () => {
  const { admin, company, course } = await make.classroom();
  const many = Array.from({ length: 205 }, (_, i) => `Branch ${String(i).padStart(3, "0")}`);
  for (const name of many) await make.company(admin, { name });
  const closed = await make.company(admin, { name: "Closed" });
  await as(admin)(companies.setStatus, { params: { id: closed.id }, body: { status: "archived", version: 1 } });
  const { body } = await as(admin)(companies.choices);
  expect(body.total).toBe(206);
  expect(body.items.filter(({ name }) => name.startsWith("Branch")).map(({ name }) => name)).toEqual(many);
  expect(body.items).toContainEqual({ id: company.id, name: company.name, status: "active" });
  const { title, code } = course;
  expect((await as(admin)(courses.choices)).body.items).toEqual([{ id: course.id, title, code, status: "published" }]);

  const branch = body.items[0]?.id as string;
  expect((await as(admin)(courses.choices, { query: { companyId: branch } })).body.items).toEqual([]);
  const ofCompany = await as(admin)(courses.choices, { query: { companyId: company.id } });
  expect(ofCompany.body.items).toHaveLength(1);
});

test("offers an admin of one company no other company, and learners nothing", async () => {
  const { admin, learner, company } = await make.classroom();
  await limitToCompany(db, admin, company.id);
  const { body } = await as(admin)(companies.choices);
  expect(body.items.map(({ id }) => id)).toEqual([company.id]);
  for (const contract of [companies.choices, courses.choices]) {
    expect((await as(learner)(contract)).status).toBe(403);
    expect((await as(null)(contract)).status).toBe(401);
  }
});
