import { unzipSync } from "fflate";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { learners } from "#shared/learners/learners.ts";
import { start } from "#test/start.ts";

const { app, make, db, services } = await start();
const { admin, company, learner } = await make.classroom();
const other = await make.company(admin);
await sql`
  insert into users (email, name, status, company_id)
  select 'many-' || number || '@example.com', 'Many ' || number, 'active', ${other.id}::uuid
  from generate_series(1, 2500) number`.execute(db);
await sql`update users set name = '=HYPERLINK(1)' where email = 'many-7@example.com'`.execute(db);

const get = (query: string) =>
  app.inject({
    url: `${learners.export.path}?${query}`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
const linesOf = (body: string) => body.trim().split("\r\n");

test("exports all learners, however many, and says how many there are", async () => {
  const reply = await get("");
  expect([reply.statusCode, reply.headers["content-type"], reply.headers["x-rows"]]).toEqual([
    200,
    "text/csv; charset=utf-8",
    "2501",
  ]);
  expect(reply.headers["content-disposition"]).toBe('attachment; filename="learners.csv"');
  const lines = linesOf(reply.body);
  expect(lines.length).toBe(2502);
  expect(reply.body).toMatch(/^\ufeffName,Email,Company,Status,/);
  expect(new Set(lines).size).toBe(2502);
});

test("an export has the rows and the order of the filtered list", async () => {
  const one = linesOf((await get(`companyId=${company.id}`)).body);
  expect(one.length).toBe(2);
  expect(one[1]).toMatch(new RegExp(`^${learner.user.name},${learner.user.email},${company.name},Active,,1,0,0,`));
  const rows = linesOf((await get("q=many-24&sort=-email")).body).slice(1);
  expect(rows.length).toBe(111);
  expect(rows[0]).toContain("many-2499@example.com");
});

test("no cell of an export is a formula", async () => {
  expect((await get("q=many-7")).body).toContain("\r\n'=HYPERLINK(1),");
  const files = unzipSync((await get("format=xlsx&q=many-7")).rawPayload);
  const sheet = Buffer.from(files["xl/worksheets/sheet1.xml"] as Uint8Array).toString();
  expect(sheet).toContain("=HYPERLINK(1)");
  expect(sheet).not.toContain("<f>");
});

test("an export that is not read to its end gives its connection back", async () => {
  const { readRows } = await import("#server/core/export/exportRows.ts");
  for (let count = 0; count < 20; count++)
    for await (const [row] of readRows(services, db.selectFrom("users").select("id"))) {
      expect(row?.id).toBeTruthy();
      break;
    }
  expect((await get("")).statusCode).toBe(200);
});
