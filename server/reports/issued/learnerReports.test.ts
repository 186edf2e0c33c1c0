import { sql } from "kysely";
import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { MAX_OWN_A_DAY } from "#server/reports/issued/issue.ts";
import { sendViewMails } from "#server/reports/views/mails.ts";
import { MIN_GROUP } from "#shared/core/smallGroups.ts";
import { audit } from "#shared/audit/audit.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { mails } from "#shared/mails/mails.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { reports } from "#shared/reports/reports.ts";
import { views } from "#shared/reports/views.ts";
import { readPdfFile } from "#test/pdf.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { ageOneDay } from "#test/historyRows.ts";
import { addDays, dayIn } from "#test/reportOracle.ts";
import { type Person, start } from "#test/start.ts";

// The report on one learner: of an earlier day, issued, read by the learner, sent by email, and after an erasure

const { app, as, db, make, services } = await start();
const send = committer(as);
/** A zone in which it is about noon, so that no day ends while the test runs. */
const hoursToNoon = 12 - new Date().getUTCHours();
const zone = `Etc/GMT${hoursToNoon > 0 ? "-" : "+"}${Math.abs(hoursToNoon)}`;
const day = (daysAgo: number) => addDays(dayIn(zone, Date.now()), -daysAgo);

/** A learner with two courses, who has passed one of them a day ago, and a colleague with the same. */
async function createRecord() {
  const room = await make.classroom();
  const { admin, company, course, learner } = room;
  const boss = as(admin);
  await sql`update users set name = 'Jonas Hagen' where id = ${learner.user.id}`.execute(db);
  const other = await make.course(admin);
  const colleague = await make.learner(company.accessCode, "Carl Colleague");
  await boss(courses.assign, { params: { id: other.id }, body: { userIds: [learner.user.id, colleague.user.id] } });
  const pass = async (person: Person, courseId: string, score: string) => {
    const session = await make.launch(person, company.id, courseId);
    const results = [setValue(3, "cmi.core.score.raw", score), setValue(4, "cmi.core.lesson_status", "passed")];
    await send(session, { events: [...openPart(), ...results], activeMs: 3000, end: "exit" });
  };
  await pass(learner, course.id, "80");
  await pass(colleague, course.id, "20");
  await ageOneDay(db);
  const params = { id: learner.user.id };
  const read = async (query: object = {}, person = admin) =>
    (await as(person)(reports.figures, { params, query: { zone, ...query } })).body;
  return { ...room, boss, other, colleague, pass, params, read };
}
const readPdf = async (person: Person, id: string) => {
  const headers = { authorization: `Bearer ${person.token}` };
  const reply = await app.inject({ url: reports.pdf.path.replace(":id", id), headers });
  return readPdfFile(reply.rawPayload);
};

test("counts the assignments of a learner today, on an earlier day, and in one course", async () => {
  const { read, boss, course, other, learner, company, pass, params } = await createRecord();
  await pass(learner, other.id, "60");
  const now = await read();
  expect(now).toMatchObject({ kind: "learner", title: "Jonas Hagen", isLive: true });
  expect(now.figures.totals).toMatchObject({ people: 1, assigned: 2, completed: 2, meanScore: 70 });
  expect(now.figures.record).toMatchObject({ activeSeconds: 6 });
  expect(now.names).toEqual({ [course.id]: course.title, [other.id]: other.title });
  const before = await read({ asOf: day(1) });
  expect(before.figures.totals).toMatchObject({ assigned: 2, completed: 1, meanScore: 80 });
  expect(before.figures.record?.assignments.map(({ status }) => status).toSorted()).toEqual(["assigned", "completed"]);
  expect((await read({ courseId: other.id })).figures.totals).toMatchObject({ assigned: 1, meanScore: 60 });
  const rows = await boss(reports.rows, { params, query: { zone, group: "completed" } });
  expect(rows.body.items).toMatchObject([{ progress: 100, attempts: 1 }, { progress: 100 }]);
  expect((await boss(reports.rows, { params, query: { q: other.title } })).body.total).toBe(
    other.title === course.title ? 2 : 1,
  );
  const changes = (await boss(reports.changes, { params, query: { zone, since: day(1) } })).body;
  expect(changes.items).toMatchObject([{ courseId: other.id, kinds: ["started", "completed", "score"] }]);
  // After a move, an admin of the new company sees what the learner does there, and nothing of the old company.
  const { admin: manager } = await make.classroom();
  const next = await make.company(manager);
  await boss(learners.move, { body: { ids: [learner.user.id], companyId: next.id } });
  await limitToCompany(db, manager, next.id);
  expect((await read({}, manager)).figures.totals.assigned).toBe(0);
  await limitToCompany(db, manager, company.id);
  expect((await as(manager)(reports.figures, { params })).status).toBe(404);
});

test("a learner reads and issues only the own report, a bounded number of times", async () => {
  const { learner, colleague, params, read, boss } = await createRecord();
  await make.signIn(learner.user.email);
  expect((await read({ asOf: day(1) }, learner)).figures).toEqual((await read({ asOf: day(1) })).figures);
  expect((await read({}, learner)).figures).toMatchObject({ totals: { assigned: 2, completed: 1 } });
  const mine = as(learner);
  const ownReport = (await mine(reports.issue, { params, body: {} })).body;
  const { pages } = await readPdf(learner, ownReport.id);
  expect(pages.join(" ")).toContain("Jonas Hagen");
  expect((await boss(reports.check, { params: { id: ownReport.id } })).body).toMatchObject({ different: 0 });
  const headers = { authorization: `Bearer ${colleague.token}` };
  const url = reports.pdf.path.replace(":id", ownReport.id);
  expect((await app.inject({ url, headers })).statusCode).toBe(404);
  for (let n = 1; n < MAX_OWN_A_DAY; n++)
    expect((await mine(reports.issue, { params, body: { days: n } })).status).toBe(200);
  expect(await mine(reports.issue, { params, body: {} })).toMatchObject({ status: 409, code: "reports.tooManyIssued" });
  expect((await boss(reports.issue, { params, body: {} })).status).toBe(200);
});

test("a learner sees the mean of the company only among enough people", async () => {
  const { learner, company, course, params, boss, pass } = await createRecord();
  const meanFor = async (person: Person) =>
    (await as(person)(reports.learner, { params, query: {} })).body.summary.companyMeanScore;
  expect(await meanFor(learner)).toBeNull();
  const admin = await make.admin();
  expect(await meanFor(admin)).toBe(50);
  // Two scores of the colleague are still of one person.
  const another = await make.course(admin);
  const people = [];
  for (let n = 0; n < MIN_GROUP - 2; n++) people.push(await make.learner(company.accessCode, `Colleague ${n}`));
  const userIds = people.map(({ user }) => user.id);
  await boss(courses.assign, { params: { id: course.id }, body: { userIds } });
  await boss(courses.assign, { params: { id: another.id }, body: { userIds: [learner.user.id] } });
  await pass(learner, another.id, "80");
  for (const person of people.slice(1)) await pass(person, course.id, "50");
  expect(await meanFor(learner)).toBeNull();
  await pass(people[0] as Person, course.id, "50");
  expect(await meanFor(learner)).not.toBeNull();
});

test("the next due date is one whose day is not over where the company is", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const [params, boss] = [{ id: learner.user.id }, as(admin)];
  const isAhead = new Date().getUTCHours() >= 12;
  const timezone = isAhead ? "Pacific/Kiritimati" : "Etc/GMT+12";
  await db.updateTable("companies").set({ timezone }).where("id", "=", company.id).execute();
  const dueDate = addDays(dayIn("UTC", Date.now()), isAhead ? 0 : -1);
  await db.updateTable("enrolments").set({ dueDate }).where("courseId", "=", course.id).execute();
  const { summary } = (await boss(reports.learner, { params, query: {} })).body;
  expect([summary.overdue, summary.nextDue]).toEqual(isAhead ? [1, null] : [0, dueDate]);
  expect((await as(learner)(reports.learner, { params, query: {} })).body.summary).toEqual(summary);
});

test("a failed course is still due", async () => {
  const { admin, learner, course } = await make.classroom();
  const dueDate = addDays(dayIn("UTC", Date.now()), 9);
  await db.updateTable("enrolments").set({ dueDate, status: "failed" }).where("courseId", "=", course.id).execute();
  const { summary } = (await as(admin)(reports.learner, { params: { id: learner.user.id }, query: {} })).body;
  expect([summary.overdue, summary.nextDue]).toEqual([0, dueDate]);
});

test("a period that begins too early is refused, also if it has no end", async () => {
  const { boss, params, company } = await createRecord();
  const refused = { status: 422, body: { issues: [{ path: "from", code: "reports.period" }] } };
  for (const id of [params.id, company.id]) {
    const sent = { params: { id }, query: { from: "1970-01-01" } };
    expect(await boss(reports.figures, sent)).toMatchObject(refused);
    expect(await boss(reports.rows, sent)).toMatchObject(refused);
    expect(await boss(reports.changes, sent)).toMatchObject(refused);
    expect(await boss(reports.issue, { params: { id }, body: sent.query })).toMatchObject(refused);
  }
  const { filters } = (await boss(reports.figures, { params, query: { days: 1096 } })).body;
  expect((await boss(reports.figures, { params, query: { from: filters.from } })).status).toBe(200);
});

test("an issued report on an erased learner stays right, and names nobody", async () => {
  const { admin, boss, learner, params } = await createRecord();
  const path = `/learners/report/${learner.user.id}`;
  await boss(views.create, { body: { name: "Jonas", path, query: "" } });
  const issued = (await boss(reports.issue, { params, body: { zone } })).body;
  expect(issued).toMatchObject({ kind: "learner", title: "Jonas Hagen", rows: 2 });
  expect((await boss(privacy.erase, { body: { userId: learner.user.id } })).status).toBe(200);
  const { rows } = await sql<{ row: string }>`select issued_reports::text as row from issued_reports
    union all select saved_views::text from saved_views`.execute(db);
  expect(rows.map(({ row }) => row).join()).not.toMatch(new RegExp(`${learner.user.id}|${learner.user.email}|Jonas`));
  const check = (await boss(reports.check, { params: { id: issued.id } })).body;
  expect(check).toMatchObject({ isDigestRight: true, different: 0 });
  expect(check.report.title).toMatch(/^Erased learner [0-9A-F]{4}$/);
  const { items } = (await boss(reports.issued, { query: { q: issued.number } })).body;
  expect(items).toMatchObject([{ title: check.report.title, digest: issued.digest }]);
  const { pages } = await readPdf(admin, issued.id);
  expect(pages.join(" ")).toContain(check.report.title);
  expect(pages.join(" ")).not.toMatch(new RegExp(`Jonas|${learner.user.email}`));
  // Later entries of the log have no number that leads to the one in the report.
  const entries = await sql<{ n: number }>`select count(*)::int as n from audit_entries
    where person_id = (select person_id from issued_reports where id = ${issued.id})`.execute(db);
  expect(entries.rows).toEqual([{ n: 0 }]);
});

test("the PDF has tags, all courses with results, definitions, pages and the digest", async () => {
  const { admin, boss, course, other, params } = await createRecord();
  await sql`update courses set title = ${"Lockout and tagout at height ".repeat(6)} where id = ${other.id}`.execute(db);
  for (let n = 0; n < 30; n++) {
    const { id } = await make.course(admin);
    await boss(courses.assign, { params: { id }, body: { userIds: [params.id], dueDate: "2020-02-01" } });
  }
  const issued = (await boss(reports.issue, { params, body: { zone } })).body;
  expect(issued.rows).toBeGreaterThan(1);
  await ageOneDay(db);
  const later = (await boss(reports.issue, { params, body: { zone } })).body;
  expect(later.rows).toBe(32);
  const { pages, roles } = await readPdf(admin, later.id);
  expect(pages.length).toBeGreaterThan(1);
  for (const [n, text] of pages.entries()) {
    expect(text).toContain(`Page ${n + 1} of ${pages.length}`);
    expect(text).toContain(later.number);
    expect(text.replaceAll(" ", "")).toContain(later.digest.slice(0, 16));
  }
  const all = pages.join(" ");
  for (const text of ["Training record", "Jonas Hagen", course.title, "80 %", "Overdue", "1 Feb 2020", "Passed"])
    expect(all).toContain(text);
  expect(all).not.toContain("Carl Colleague");
  expect(new Set(roles)).toEqual(
    new Set(["Root", "Document", "H1", "H2", "P", "L", "LI", "LBody", "Table", "TR", "TH", "TD", "Figure"]),
  );
  expect(roles.filter((role) => role === "TR").length).toBeGreaterThan(later.rows);
});

test("the learner sees who read, issued and exported the report, or gets it by email", async () => {
  const { admin, boss, learner, params } = await createRecord();
  const listActions = async () => {
    const { items } = (await as(learner)(audit.mine, { query: { kind: "administration" } })).body;
    return items.map(({ action }) => action).filter((action) => action.startsWith("reports."));
  };
  expect(await listActions()).toEqual([]);
  await boss(reports.figures, { params });
  await boss(reports.rows, { params });
  await boss(reports.changes, { params });
  expect(await listActions()).toEqual(["reports.open"]);
  const issued = (await boss(reports.issue, { params, body: {} })).body;
  await readPdf(admin, issued.id);
  expect(await listActions()).toEqual(["reports.export", "reports.issue", "reports.open"]);
  await as(learner)(reports.figures, { params });
  expect((await listActions()).length).toBe(3);

  const path = `/learners/report/${params.id}`;
  const eve = await make.admin();
  const { body: view } = await as(eve)(views.create, { body: { name: "Record", path, query: "days=30" } });
  const mail = { params: { id: view.id }, body: { rhythm: "weekly" as const, zone } };
  expect((await as(eve)(views.mail, mail)).status).toBe(200);
  const due = () =>
    db.updateTable("viewMails").set({ nextAt: sql`now()` }).where("viewId", "=", view.id).execute(); // prettier-ignore
  await due();
  await sendViewMails.work(services, {});
  const sent = async () => (await as(eve)(mails.list, { query: { q: eve.user.email } })).body.items;
  expect(await sent()).toMatchObject([{ subject: "Record: 1 of 2 completed, 0 overdue" }]);
  expect((await sent())[0]?.body).not.toContain("Jonas");
  expect((await sent())[0]?.body).toContain(`${path}?days=30`);
  expect((await listActions())[0]).toBe("reports.open");
  expect((await as(learner)(views.create, { body: { name: "x", path, query: "" } })).status).toBe(403);
});
