import { afterAll, expect, test } from "vitest";
import { imports } from "#shared/imports/imports.ts";
import { learners } from "#shared/learners/learners.ts";
import { createImporter } from "#test/importClient.ts";
import { addNumbered, allowPins } from "#test/numbered.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, db, make } = server;
const admin = await make.admin();
const importer = createImporter(server, admin);
const jobs = await server.runJobs();
afterAll(() => jobs.stop());

const outcomes = async (id: string) =>
  (await importer.listRows(id)).map(({ outcome, reasons }) =>
    [outcome, ...reasons.map(({ field, code }) => `${field} ${code}`)].join(": "),
  );
const people = async (companyId: string) =>
  (await as(admin)(learners.list, { query: { companyId } })).body.items.map(({ name, email, personnelNumber }) => [
    name,
    email,
    personnelNumber,
  ]);

test("a row with a number and no address is a person, where the company allows it", async () => {
  const company = await make.company(admin);
  const rows = "Email,Name,Personnel number\n,Nora Nomail,1\n,Nils Nothing,\nmia@x.example,Mia Mail,3";
  const refused = await importer.upload(company.id, rows);
  expect(await outcomes(refused.id)).toEqual(["rejected: email missing", "rejected: email missing", "create"]);
  await allowPins(server, admin, company);
  const file = await importer.upload(company.id, rows);
  expect(await outcomes(file.id)).toEqual(["create", "rejected: externalId missing", "create"]);
  await importer.apply(file.id, { invites: true });
  expect(await people(company.id)).toEqual([
    ["Mia Mail", "mia@x.example", "3"],
    ["Nora Nomail", null, "1"],
  ]);
  const mails = await db.selectFrom("mails").where("companyId", "=", company.id).select("recipient").execute();
  expect(mails).toEqual([{ recipient: "mia@x.example" }]);
  const again = await importer.upload(company.id, rows);
  expect(await outcomes(again.id)).toEqual(["same", "rejected: externalId missing", "same"]);
});

test("a file needs no column of addresses, and an empty cell takes no address away", async () => {
  const company = await make.company(admin);
  const closed = await importer.upload(company.id, "Name,Personnel number\nNora,1");
  expect(closed.unmapped).toEqual(["email"]);
  const open = await allowPins(server, admin, company);
  await addNumbered(server, admin, open, "1", "Nora");
  const learner = await make.learner(company.accessCode, "Lea");
  await db
    .insertInto("personnelNumbers")
    .values({ userId: learner.user.id, companyId: company.id, number: "2" })
    .execute();
  const file = await importer.upload(company.id, "Name,Personnel number\nNora New,1\nLea New,2\nNils,3");
  expect(file.unmapped).toEqual([]);
  expect(await outcomes(file.id)).toEqual(["update", "update", "create"]);
  await importer.apply(file.id);
  const after = [
    ["Lea New", learner.user.email, "2"],
    ["Nils", null, "3"],
    ["Nora New", null, "1"],
  ];
  expect(await people(company.id)).toEqual(after);
  const undone = await importer.undo(file.id);
  expect([undone.state, undone.stayed]).toEqual(["undone", 0]);
  expect((await people(company.id)).map(([name]) => name)).toEqual(["Lea", "Nora"]);
  expect((await as(admin)(imports.list)).status).toBe(200);
});

test("a person who gets an address is invited to it", async () => {
  const company = await allowPins(server, admin, await make.company(admin));
  const { id } = await addNumbered(server, admin, company, "1", "Nora");
  const file = await importer.upload(company.id, "Email,Name,Personnel number\nnora@x.example,Nora,1");
  expect(await outcomes(file.id)).toEqual(["update"]);
  await importer.apply(file.id, { invites: true });
  expect((await as(admin)(learners.get, { params: { id } })).body.email).toBe("nora@x.example");
  const mails = await db.selectFrom("mails").where("userId", "=", id).select(["recipient", "reason"]).execute();
  expect(mails).toEqual([{ recipient: "nora@x.example", reason: "learners.invitation" }]);
});
