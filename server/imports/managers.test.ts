import { afterAll, expect, test } from "vitest";
import { createImporter } from "#test/importClient.ts";
import { start } from "#test/start.ts";
import { bodyOf } from "#test/probes.ts";
import { imports } from "#shared/imports/imports.ts";
import { learners } from "#shared/learners/learners.ts";

// The column "Manager" of a file: resolved after all rows are there, and undone with the rest

const server = await start();
const { as, make, services } = server;
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
const admin = await make.admin();
const importer = createImporter(server, admin);

const csv = (...rows: string[]) => ["Personnel number;Email;Name;Manager", ...rows].join("\n");
const ledBy = async (companyId: string) => {
  const { items } = bodyOf(await as(admin)(learners.list, { query: { companyId, size: 200 } }));
  return Object.fromEntries(items.map(({ name, manager }) => [name, manager]));
};
const rowsOf = async () =>
  (await services.pool.query("select t::text as row from managers t order by 1")).rows.map(({ row }) => String(row));

test("managers are found by email and number, also in later rows", async () => {
  const company = await make.company(admin);
  const rows = ["1;ana@a.example;Ana;", "2;ben@a.example;Ben;3", "3;cleo@a.example;Cleo;ANA@a.example"];
  const file = await importer.upload(company.id, csv(...rows));
  expect(file).toMatchObject({ mapping: ["externalId", "email", "name", "manager"], counts: { create: 3 } });
  await importer.apply(file.id);
  expect(await ledBy(company.id)).toEqual({ Ana: null, Ben: "Cleo", Cleo: "Ana" });
  expect((await importer.upload(company.id, csv(...rows))).counts).toMatchObject({ same: 3, update: 0 });
  const before = await rowsOf();
  // The tree is turned round: half of it would be a cycle. An empty cell changes nothing.
  const turned = ["1;ana@a.example;Ana;2", "2;ben@a.example;Ben;", "3;cleo@a.example;Cleo;1", "4;dan@a.example;Dan;1"];
  const second = await importer.upload(company.id, csv(...turned));
  expect(second.counts).toMatchObject({ create: 1, same: 2, rejected: 1 });
  const whole = ["1;ana@a.example;Ana;3", "2;ben@a.example;Ben;1", "3;cleo@a.example;Cleo;4", "4;dan@a.example;Dan;"];
  const third = await importer.upload(company.id, csv(...whole));
  expect(third.counts).toMatchObject({ create: 1, update: 3 });
  await importer.apply(third.id);
  expect(await ledBy(company.id)).toEqual({ Ana: "Cleo", Ben: "Ana", Cleo: "Dan", Dan: null });
  expect(await importer.undo(third.id)).toMatchObject({ state: "undone", stayed: 0 });
  expect(await ledBy(company.id)).toEqual({ Ana: null, Ben: "Cleo", Cleo: "Ana" });
  expect(await rowsOf()).toEqual(before);
});

test("an unknown manager, oneself and a cycle are named, and corrected at once", async () => {
  const company = await make.company(admin);
  const elsewhere = await make.learner((await make.company(admin)).accessCode);
  const file = await importer.upload(
    company.id,
    csv(
      "1;a@b.example;A;2",
      "2;b@b.example;B;3",
      "3;c@b.example;C;1",
      "4;d@b.example;D;4",
      "5;e@b.example;E;nobody@b.example",
      `6;f@b.example;F;${elsewhere.user.email}`,
      "7;g@b.example;G;1",
      "8;h@b.example;H;=1+1",
    ),
  );
  const reasons = async () =>
    (await importer.listRows(file.id)).map(({ reasons }) => reasons.map(({ code, row }) => [code, row]));
  expect(await reasons()).toEqual([
    [["managerCycle", 3]],
    [["managerCycle", 4]],
    [["managerCycle", 2]],
    [["ownManager", undefined]],
    [["unknownManager", undefined]],
    [["unknownManager", undefined]],
    [],
    [["formula", undefined]],
  ]);
  const correct = (number: number, manager: string) =>
    as(admin)(imports.correct, { params: { id: file.id, number: number as never }, body: { cells: { 3: manager } } });
  await correct(4, "");
  await correct(5, "5");
  await correct(6, "7");
  expect((await reasons()).slice(0, 5).flat()).toEqual([]);
  // Who is left out takes their people with them.
  await as(admin)(imports.correct, { params: { id: file.id, number: 2 as never }, body: { leftOut: true } });
  expect((await reasons())[6]).toEqual([["unknownManager", undefined]]);
});

test("a manager who was set by hand since stays, and so does the person", async () => {
  const company = await make.company(admin);
  await importer.apply(
    (await importer.upload(company.id, csv("1;x@c.example;X;", "2;y@c.example;Y;", "3;z@c.example;Z;"))).id,
  );
  const file = await importer.upload(company.id, csv("1;x@c.example;X;", "2;y@c.example;Y;1", "3;z@c.example;Z;1"));
  await importer.apply(file.id);
  const { items } = bodyOf(await as(admin)(learners.list, { query: { companyId: company.id } }));
  const idOf = (one: string) => items.find(({ name }) => name === one)?.id as string;
  bodyOf(await as(admin)(learners.setManager, { body: { ids: [idOf("Z")], managerId: idOf("Y") } }));
  expect(await importer.undo(file.id)).toMatchObject({ stayed: 1 });
  expect(await ledBy(company.id)).toEqual({ X: null, Y: null, Z: "Y" });
});
