import { expect, test } from "vitest";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { start } from "#test/start.ts";

const { as, make, db } = await start();
const admin = await make.admin();

test("a company search lists the full match first, then names that begin with it", async () => {
  for (const name of ["Alpha Berg", "Berg Maritime", "Berg", "100% Berg_"]) await make.company(admin, { name });
  const search = async (q: string, sort?: "-name") =>
    (await as(admin)(companies.list, { query: { q, ...(sort && { sort }) } })).body.items.map(({ name }) => name);
  expect(await search("berg")).toEqual(["Berg", "Berg Maritime", "100% Berg_", "Alpha Berg"]);
  expect(await search("100% berg_")).toEqual(["100% Berg_"]);
  expect((await search("berg", "-name"))[0]).toBe("Berg Maritime");
});

test("a learner search lists the full match first", async () => {
  const { accessCode } = await make.company(admin, { name: "Nordlys" });
  for (const name of ["Anna Lindholm", "Lindholm Anna", "Lind"]) await make.learner(accessCode, name);
  const names = (await as(admin)(learners.list, { query: { q: "lind" } })).body.items.map(({ name }) => name);
  expect(names).toEqual(["Lind", "Lindholm Anna", "Anna Lindholm"]);
});

test("a course search lists the full match first, by title or code", async () => {
  const made = [];
  for (let count = 0; count < 3; count++) made.push(await make.course(admin, { publish: false }));
  const titles = ["A first look at fire safety", "Fire safety", "Fire safety for night shifts"];
  for (const [index, { id }] of made.entries())
    await db
      .updateTable("courses")
      .set({ title: titles[index] as string, code: `FS-${index}` })
      .where("id", "=", id)
      .execute();
  const search = async (q: string) =>
    (await as(admin)(courses.list, { query: { q } })).body.items.map(({ title }) => title);
  expect(await search("fire safety")).toEqual(["Fire safety", "Fire safety for night shifts", titles[0]]);
  expect((await search("fs-2"))[0]).toBe(titles[2]);
});
