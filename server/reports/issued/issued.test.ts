import { sql } from "kysely";
import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { reports } from "#shared/reports/reports.ts";
import { ageOneDay } from "#test/historyRows.ts";
import { readPdfFile } from "#test/pdf.ts";
import { start } from "#test/start.ts";

// Issued reports: stored figures, their check, and the PDF

const { app, as, db, make } = await start();
const send = committer(as);

/** A company whose learner has passed its course a day ago. */
async function createPassed() {
  const room = await make.classroom();
  const session = await make.launch(room.learner, room.company.id, room.course.id);
  const results = [setValue(3, "cmi.core.score.raw", "80"), setValue(4, "cmi.core.lesson_status", "passed")];
  await send(session, { events: [...openPart(), ...results], activeMs: 65_000, end: "exit" });
  await ageOneDay(db);
  return { ...room, boss: as(room.admin) };
}
const readPdf = async (token: string, id: string) => {
  const url = reports.pdf.path.replace(":id", id);
  const reply = await app.inject({ method: "GET", url, headers: { authorization: `Bearer ${token}` } });
  expect(reply.headers["content-type"]).toBe("application/pdf");
  return reply.rawPayload;
};

test("an issued report keeps number, filters and figures, and no names", async () => {
  const { boss, company, learner } = await createPassed();
  const first = (await boss(reports.issue, { params: { id: company.id }, body: {} })).body;
  const second = (await boss(reports.issue, { params: { id: company.id }, body: {} })).body;
  expect(first).toMatchObject({ kind: "company", title: company.name, rows: 1, issuedBy: "Ada Admin" });
  expect(first.number).toMatch(/^R-\d{4}-\d{5}$/);
  expect(first.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(second.number).not.toBe(first.number);
  const stored = await sql<{ row: string }>`select issued_reports::text as row from issued_reports`.execute(db);
  expect(stored.rows.map(({ row }) => row).join()).not.toMatch(new RegExp(`${learner.user.id}|${learner.user.name}`));
  const list = (await boss(reports.issued, { query: { q: first.number } })).body;
  expect(list.items.map(({ id }) => id)).toEqual([first.id]);
});

test("no one issues a report of a company that they may not read", async () => {
  const [{ learner, company }, other] = [await createPassed(), await make.classroom()];
  const issue = (companyId: string) =>
    as(learner)(reports.issue, { params: { id: learner.user.id }, body: { companyId } });
  expect((await issue(other.company.id)).status).toBe(422);
  expect((await issue(company.id)).status).toBe(200);
});

test("a check finds every figure equal after changes, a move and an erasure", async () => {
  const { boss, company, course, learner } = await createPassed();
  const colleague = await make.learner(company.accessCode);
  await ageOneDay(db);
  const other = await make.company(await make.admin());
  for (const id of [company.id, course.id]) {
    const issued = (await boss(reports.issue, { params: { id }, body: {} })).body;
    await boss(courses.setDue, {
      params: { id: course.id },
      body: { userIds: [colleague.user.id], dueDate: "2020-01-01" },
    });
    await boss(learners.move, { body: { ids: [colleague.user.id], companyId: other.id } });
    await boss(courses.withdraw, { params: { id: course.id }, body: { userIds: [colleague.user.id] } });
    await boss(companies.update, {
      params: { id: company.id },
      body: {
        timezone: "Asia/Tokyo",
        version: (await boss(companies.get, { params: { id: company.id } })).body.version,
      },
    });
    if (id === course.id) await boss(privacy.erase, { body: { userId: learner.user.id } });
    const check = (await boss(reports.check, { params: { id: issued.id } })).body;
    expect(check).toMatchObject({ isDigestRight: true, different: 0 });
    expect(check.figures).toContainEqual({ path: "totals.completed", issued: 1, counted: 1 });
  }
});

test("a check names the figure that somebody has changed", async () => {
  const { boss, company } = await createPassed();
  const issued = (await boss(reports.issue, { params: { id: company.id }, body: {} })).body;
  await sql`
    update issued_reports
    set figures = jsonb_set(figures, '{totals,completed}', '7')
    where id = ${issued.id}`.execute(db);
  const check = (await boss(reports.check, { params: { id: issued.id } })).body;
  expect(check).toMatchObject({ isDigestRight: false, different: 1 });
  expect(check.figures.filter((one) => one.issued !== one.counted)).toEqual([
    { path: "totals.completed", issued: 7, counted: 1 },
  ]);
});

test("the PDF has tags, page numbers, the digest on each page and all people", async () => {
  const { admin, boss, company } = await createPassed();
  for (const name of ["Ada Ωmega", "Łukasz Żółć", "=HYPERLINK(1)"]) await make.learner(company.accessCode, name);
  for (let n = 0; n < 45; n++)
    await db
      .insertInto("users")
      .values({ email: `p${n}-${company.id}@example.com`, name: `Person ${n}`, companyId: company.id })
      .execute();
  const { id } = (await boss(courses.list)).body.items.find((one) => one.companies > 0) ?? {};
  if (id) await boss(courses.assign, { params: { id }, body: { companyIds: [company.id] } });
  await ageOneDay(db);
  const issued = (await boss(reports.issue, { params: { id: company.id }, body: {} })).body;
  const { pages, roles, isTagged } = await readPdfFile(await readPdf(admin.token, issued.id));
  expect(isTagged).toBe(true);
  expect(pages.length).toBeGreaterThan(2);
  for (const [at, text] of pages.entries()) {
    expect(text).toContain(`Page ${at + 1} of ${pages.length}`);
    expect(text).toContain(issued.number);
    expect(text.replaceAll(" ", "")).toContain(issued.digest.slice(0, 16));
  }
  expect(new Set(roles)).toEqual(
    new Set(["Root", "Document", "H1", "H2", "P", "L", "LI", "LBody", "Table", "TR", "TH", "TD", "Figure"]),
  );
  expect(roles.filter((role) => role === "TR").length).toBeGreaterThan(issued.rows);
  for (const name of ["Ada Ωmega", "Łukasz Żółć", "=HYPERLINK(1)", "Person 44"]) expect(pages.join("")).toContain(name);
});
