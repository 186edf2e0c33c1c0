import { unzipSync } from "fflate";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { courses } from "#shared/courses/courses.ts";
import { reports } from "#shared/reports/reports.ts";
import { type Person, start } from "#test/start.ts";

// Exports of reports, and what learners see of who read them

const { app, as, db, make } = await start();
const FORMULA = '=HYPERLINK("http://x")';

/** A learner whose name is a formula, with two courses; one was withdrawn and is not counted. */
async function createFormula() {
  const room = await make.classroom();
  const { admin, company, learner } = room;
  const other = await make.course(admin);
  const body = { userIds: [learner.user.id] };
  await as(admin)(courses.assign, { params: { id: other.id }, body });
  await as(admin)(courses.withdraw, { params: { id: other.id }, body });
  await sql`update users set name = ${FORMULA} where id = ${learner.user.id}`.execute(db);
  const get = (path: string, id: string, format: string, person: Person = admin) =>
    app.inject({
      url: `${path.replace(":id", id)}?format=${format}`,
      headers: { authorization: `Bearer ${person.token}` },
    });
  return { ...room, company, get };
}
const sheetOf = (bytes: Buffer) => Buffer.from(unzipSync(bytes)["xl/worksheets/sheet1.xml"] as Uint8Array).toString();

test("every report is exported with the rows of its page, and no name is a formula", async () => {
  const { admin, company, course, learner, get } = await createFormula();
  const boss = as(admin);
  const page = (await boss(reports.learner, { params: { id: learner.user.id } })).body.enrolments;
  expect(page.map(({ status }) => status).toSorted()).toEqual(["assigned", "withdrawn"]);
  for (const id of [learner.user.id, company.id, course.id]) {
    const rows = (await boss(reports.rows, { params: { id } })).body.total;
    expect(rows).toBe(1);
    const { path } = reports.export;
    const csv = await get(path, id, "csv");
    expect([csv.headers["x-rows"], csv.body.trim().split("\r\n").length - 1]).toEqual([String(rows), rows]);
    expect(csv.body).toContain(`"'=HYPERLINK(""http://x"")"`);
    const xlsx = await get(path, id, "xlsx");
    const sheet = sheetOf(xlsx.rawPayload);
    expect([xlsx.headers["x-rows"], sheet.match(/<row/g)?.length]).toEqual([String(rows), rows + 1]);
    expect(sheet).toContain("=HYPERLINK(");
    expect(sheet).not.toContain("<f>");
  }
});

test("a learner exports only the own report, and sees who exported it or read answers", async () => {
  const { admin, learner, company, course, get } = await createFormula();
  const { path } = reports.export;
  expect((await get(path, learner.user.id, "csv", learner)).headers["x-rows"]).toBe("1");
  const colleague = await make.learner(company.accessCode);
  expect((await get(path, learner.user.id, "csv", colleague)).statusCode).toBe(404);
  const listEntries = async () =>
    (await as(learner)(audit.mine, { query: { kind: "administration" } })).body.items.filter(
      ({ action }) => action === "reports.open" || action === "reports.export",
    );
  const [enrolment] = (await as(admin)(courses.enrolments, { query: { courseId: course.id } })).body.items;
  const before = (await listEntries()).length;
  await get(path, learner.user.id, "xlsx");
  await as(admin)(reports.answers, { params: { id: enrolment?.id as string } });
  const entries = (await listEntries()).slice(0, (await listEntries()).length - before);
  expect(entries.map(({ action }) => action)).toEqual(["reports.open", "reports.export"]);
});
