import { afterAll, expect, test } from "vitest";
import { type FieldKind, fields } from "#shared/fields/fields.ts";
import { imports } from "#shared/imports/imports.ts";
import { learners } from "#shared/learners/learners.ts";
import { createImporter } from "#test/importClient.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";

// Columns of a file that are fields of the company's own

const server = await start();
const { as, app, make } = server;
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
const admin = await make.admin();
const importer = createImporter(server, admin);

const HEAD = "Email;Name;Department;Entry date;Hours;Site\r\n";

async function companyWithFields() {
  const company = await make.company(admin);
  const add = async (key: string, name: string, kind: FieldKind, choices: { name: string }[] = []) =>
    bodyOf(await as(admin)(fields.create, { body: { companyId: company.id, key, name, kind, choices } }));
  return {
    company,
    department: await add("department", "Department", "choice", [{ name: "Operations" }, { name: "Sales" }]),
    entry: await add("entry_date", "Entry", "date"),
    hours: await add("hours", "Hours", "number"),
    site: await add("site", "Site", "text"),
  };
}
const peopleOf = async (companyId: string) => {
  const { items } = bodyOf(await as(admin)(learners.list, { query: { companyId, size: 100 } }));
  return Object.fromEntries(items.map(({ email, fields: values }) => [email, values]));
};

test("recognises own fields by name or key, and reads their values", async () => {
  const { company, department, entry, hours, site } = await companyWithFields();
  const file = await importer.upload(
    company.id,
    `${HEAD}ada@own.example;Ada;operations;29.3.2026;38,5;Hamburg\r\nbo@own.example;Bo;;;;\r\n`,
  );
  const own = [department, entry, hours, site].map(({ id }) => `own:${id}`);
  expect(file.mapping).toEqual(["email", "name", ...own]);
  await importer.apply(file.id);
  expect(await peopleOf(company.id)).toEqual({
    "ada@own.example": {
      [department.id]: department.choices[0]?.id,
      [entry.id]: "2026-03-29",
      [hours.id]: 38.5,
      [site.id]: "Hamburg",
    },
    "bo@own.example": {},
  });
});

test("rejects cells that are no value, with the field and a reason", async () => {
  const { company, department, entry, hours, site } = await companyWithFields();
  const wrong = [
    "a@own2.example;A;Marketing;;;",
    "b@own2.example;B;;03/04/2026;;",
    "c@own2.example;C;;soon;;",
    "d@own2.example;D;;;1.234;",
    "e@own2.example;E;;;many;",
    `f@own2.example;F;;;;${"x".repeat(1001)}`,
  ];
  const file = await importer.upload(company.id, HEAD + wrong.join("\r\n"));
  const rows = await importer.listRows(file.id, "rejected");
  expect(rows.map(({ reasons }) => reasons)).toEqual([
    [{ field: `own:${department.id}`, code: "unknownChoice" }],
    [{ field: `own:${entry.id}`, code: "unclearDate" }],
    [{ field: `own:${entry.id}`, code: "notADate" }],
    [{ field: `own:${hours.id}`, code: "unclearNumber" }],
    [{ field: `own:${hours.id}`, code: "notANumber" }],
    [{ field: `own:${site.id}`, code: "tooLong" }],
  ]);
  const url = imports.rejected.path.replace(":id", file.id);
  const { body } = await app.inject({ url, headers: { authorization: `Bearer ${admin.token}` } });
  expect(body).toContain("Department: Not one of the choices of this field.");
});

test("updates only what differs, and undoing gives values back", async () => {
  const { company, department, site } = await companyWithFields();
  const first = await importer.upload(
    company.id,
    `${HEAD}ada@own3.example;Ada;Sales;;;Oslo\r\nbo@own3.example;Bo;Sales;;;Oslo\r\ncy@own3.example;Cy;;;;\r\n`,
  );
  await importer.apply(first.id);
  const before = await peopleOf(company.id);
  const second = await importer.upload(
    company.id,
    `${HEAD}ada@own3.example;Ada;Sales;;;Oslo\r\nbo@own3.example;Bo;Operations;;;\r\n` +
      "cy@own3.example;Cy;Sales;;;Rome\r\n",
  );
  expect(second.counts).toMatchObject({ same: 1, update: 2, rejected: 0 });
  await importer.apply(second.id);
  const [operations, sales] = department.choices.map(({ id }) => id);
  expect(await peopleOf(company.id)).toEqual({
    "ada@own3.example": { [department.id]: sales, [site.id]: "Oslo" },
    "bo@own3.example": { [department.id]: operations, [site.id]: "Oslo" },
    "cy@own3.example": { [department.id]: sales, [site.id]: "Rome" },
  });
  await importer.undo(second.id);
  expect(await peopleOf(company.id)).toEqual(before);
});

test("the chosen order of day and month holds for own dates, too", async () => {
  const { company, entry } = await companyWithFields();
  const file = await importer.upload(company.id, `${HEAD}ada@own5.example;Ada;;03/04/2026;;\r\n`);
  expect((await importer.listRows(file.id))[0]?.reasons).toEqual([{ field: `own:${entry.id}`, code: "unclearDate" }]);
  const { mapping } = file;
  bodyOf(await as(admin)(imports.map, { params: { id: file.id }, body: { mapping, dates: "dayFirst" } }));
  await importer.waitFor(file.id);
  await importer.apply(file.id);
  expect(await peopleOf(company.id)).toEqual({ "ada@own5.example": { [entry.id]: "2026-04-03" } });
});

test("undoing leaves people whose fields were changed since", async () => {
  const { company, site } = await companyWithFields();
  await importer.apply((await importer.upload(company.id, `${HEAD}ada@own4.example;Ada;;;;Oslo\r\n`)).id);
  const file = await importer.upload(company.id, `${HEAD}ada@own4.example;Ada;;;;Rome\r\n`);
  await importer.apply(file.id);
  const { items } = bodyOf(await as(admin)(learners.list, { query: { companyId: company.id } }));
  const { id, version } = items[0] as (typeof items)[number];
  bodyOf(await as(admin)(learners.update, { params: { id }, body: { fields: { [site.id]: "Bergen" }, version } }));
  expect(await importer.undo(file.id)).toMatchObject({ stayed: 1 });
  expect(await peopleOf(company.id)).toEqual({ "ada@own4.example": { [site.id]: "Bergen" } });
});
