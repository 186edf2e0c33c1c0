import { sql } from "kysely";
import { expect, test } from "vitest";
import { createRandom } from "#server/demo/random.ts";
import { companies, type Company } from "#shared/companies/companies.ts";
import { statusText } from "#shared/courses/assignmentStatus.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import type { Totals } from "#shared/reports/reportFigures.ts";
import { reports } from "#shared/reports/reports.ts";
import { type Person, start } from "#test/start.ts";

// For a random history, lists, pages, reports, the dashboard and exported files must show the same numbers

const { app, as, make, db } = await start();
const SEED = Number(process.env.SEED ?? 11);
const PEOPLE = 24;
const DAYS = 30;
const random = createRandom(SEED);
const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

const admin = await make.admin();
const boss = as(admin);
const rooms: Company[] = [];
for (const erasurePolicy of ["anonymise", "retain"] as const) {
  const { id, version } = await make.company(admin, { learnerLimit: 40 });
  rooms.push((await boss(companies.update, { params: { id }, body: { erasurePolicy, version } })).body);
}
const lessons = [await make.course(admin), await make.course(admin)];

/** People who study, are invited, suspended, moved and erased, with assignments in every state. */
async function createHistory() {
  const people: Person[] = [];
  for (const { id } of lessons)
    await boss(courses.assign, { params: { id }, body: { companyIds: rooms.map((room) => room.id) } });
  for (let n = 0; n < PEOPLE; n++) people.push(await make.learner(pick(rooms).accessCode, `Learner ${n}`));
  await boss(learners.invite, {
    body: { companyId: rooms[0]?.id as string, people: [{ email: "new@example.com", name: "New" }] },
  });
  const { rows } = await sql<{ id: string }>`select id from enrolments order by user_id, course_id`.execute(db);
  for (const { id } of rows) {
    const status = pick(["assigned", "in_progress", "failed", "completed", "completed", "withdrawn"]);
    const ago = (from: number, to: number) =>
      sql`now() - make_interval(hours => ${Math.round((from + random() * (to - from)) * 24)})`;
    const success = { failed: "failed", completed: pick(["passed", "passed", "unknown"]) }[status] ?? "unknown";
    await sql`
      update enrolments
      set
        status = ${status},
        success = ${success},
        score_percent = ${success === "unknown" ? null : pick([100, 100, 99.6, 62, 0.2])}::real,
        active_seconds = ${status === "assigned" ? 0 : Math.floor(random() * 5000)},
        due_date = current_date + ${pick([null, -20, -3, 40])}::int,
        assigned_at = ${ago(60, 70)},
        last_activity_at = ${status === "assigned" ? sql`null` : ago(1, 2)},
        first_started_at = ${status === "assigned" ? sql`null` : ago(30, 50)},
        completed_at = ${status === "completed" ? ago(2, 28) : sql`null`}
      where id = ${id}`.execute(db);
  }
  const [first, second, third, fourth] = people as [Person, Person, Person, Person];
  const target = rooms.find(({ id }) => id !== first.user.companyId) as Company;
  await boss(learners.move, { body: { ids: [first.user.id], companyId: target.id } });
  await boss(learners.suspend, { body: { ids: [second.user.id, third.user.id] } });
  expect((await boss(privacy.erase, { body: { userId: fourth.user.id } })).status).toBe(200);
  expect((await boss(privacy.erase, { body: { userId: (people[4] as Person).user.id } })).status).toBe(200);
}
await createHistory();

const figuresOf = async (id: string) =>
  (await boss(reports.figures, { params: { id }, query: { days: DAYS } })).body.figures;
const rowsOf = async (id: string) => (await boss(reports.rows, { params: { id }, query: { size: 200 } })).body.items;
const allLearners = async (query: object = {}) => (await boss(learners.list, { query: { size: 200, ...query } })).body;
/** The rows of a CSV file, by the heads of its columns. */
async function readFile(url: string) {
  const { body } = await app.inject({ method: "GET", url, headers: { authorization: `Bearer ${admin.token}` } });
  const [head = "", ...lines] = body.replace("\u{feff}", "").trim().split("\r\n");
  const cellsOf = (line: string) =>
    line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replace(/^"|"$/g, ""));
  const heads = cellsOf(head);
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, n) => [heads[n] as string, cell])));
}
const reportFile = (id: string) => readFile(`${reports.export.path.replace(":id", id)}?days=${DAYS}`);
const counts = ({ assigned, completed, overdue }: Pick<Totals, "assigned" | "completed" | "overdue">) => ({
  assigned,
  completed,
  overdue,
});

test("a company has the same numbers in its list, its page, its report and its files", async () => {
  const { items } = (await boss(companies.list, { query: {} })).body;
  for (const row of items) {
    const { totals, members, split } = await figuresOf(row.id);
    const page = (await boss(companies.get, { params: { id: row.id } })).body;
    expect(page).toMatchObject({ ...counts(row), learners: row.learners, seats: row.seats, invited: row.invited });
    expect(counts(totals)).toEqual(counts(row));
    const { active, invited, suspended } = members as NonNullable<typeof members>;
    expect([active + invited + suspended, active + invited, invited]).toEqual([row.learners, row.seats, row.invited]);
    const ofCompany = await allLearners({ companyId: row.id });
    expect(ofCompany.total).toBe(row.learners);
    expect(await readFile(`${learners.export.path}?companyId=${row.id}`)).toHaveLength(row.learners);
    const ofCourses = (await boss(companies.courses, { params: { id: row.id } })).body.items;
    expect(ofCourses.map((course) => ({ id: course.id, ...counts(course) }))).toEqual(
      expect.arrayContaining(split.map((course) => ({ id: course.id, ...counts(course) }))),
    );
    expect(sum(ofCourses.map(({ assigned }) => assigned))).toBe(row.assigned);
    const lines = await reportFile(row.id);
    expect(lines.length).toBe(row.assigned);
    expect(lines.filter(({ Status }) => Status?.endsWith(", overdue"))).toHaveLength(row.overdue);
    expect(lines.filter(({ Status }) => /^(Passed|Completed)/.test(Status ?? ""))).toHaveLength(row.completed);
  }
});

test("a course has the same numbers in its list, its page and its report", async () => {
  const { items } = (await boss(courses.list, { query: {} })).body;
  for (const row of items) {
    const { totals, split } = await figuresOf(row.id);
    const page = (await boss(courses.get, { params: { id: row.id } })).body;
    expect([row.learners, row.completed, row.completed + row.inProgress, page.overdue]).toEqual([
      totals.assigned,
      totals.completed,
      totals.started,
      totals.overdue,
    ]);
    expect(row.companies).toBe(split.length);
    expect((await reportFile(row.id)).length).toBe(row.learners);
  }
});

test("a learner has the same numbers and statuses in every list, report and file", async () => {
  const { items } = await allLearners();
  const file = new Map((await readFile(learners.export.path)).map((line) => [line.Email, line]));
  const reported = new Map<string, string>();
  for (const { id } of lessons) for (const row of await rowsOf(id)) reported.set(row.id, statusText(row));
  let compared = 0;
  for (const row of items) {
    const params = { id: row.id };
    const { summary, enrolments } = (await boss(reports.learner, { params, query: {} })).body;
    const { totals, record } = await figuresOf(row.id);
    expect(counts(summary)).toEqual(counts(row));
    expect(counts(totals)).toEqual(counts(row));
    expect([totals.meanScore, summary.meanScore]).toEqual([row.meanScore, row.meanScore]);
    expect([record?.activeSeconds, summary.activeSeconds]).toEqual([row.activeSeconds, row.activeSeconds]);
    const line = file.get(row.email ?? "") as Record<string, string>;
    expect([line.Assigned, line.Completed, line.Overdue, line["Average score"]]).toEqual(
      [row.assigned, row.completed, row.overdue, row.meanScore ?? ""].map(String),
    );
    const companyMean = (await figuresOf(row.companyId as string)).totals.meanScore;
    expect(summary.companyMeanScore).toBe(companyMean);
    for (const enrolment of enrolments.filter(({ status }) => status !== "withdrawn")) {
      expect(statusText(enrolment)).toBe(reported.get(enrolment.id));
      compared++;
    }
    const lines = await reportFile(row.id);
    expect(lines.map(({ Status }) => Status).toSorted()).toEqual(
      enrolments
        .filter(({ status }) => status !== "withdrawn")
        .map(statusText)
        .toSorted(),
    );
  }
  expect(compared).toBeGreaterThan(PEOPLE);
});

test("the dashboard counts what the lists and the reports of all companies count", async () => {
  const { summary } = (await boss(reports.dashboard, { query: { days: DAYS } })).body;
  const { items } = (await boss(companies.list, { query: {} })).body;
  const all = await Promise.all(items.map(({ id }) => figuresOf(id)));
  expect([summary.learners, sum(items.map((row) => row.learners))]).toEqual(Array(2).fill((await allLearners()).total));
  expect([summary.overdue, sum(items.map(({ overdue }) => overdue))]).toEqual(
    Array(2).fill(sum(all.map(({ totals }) => totals.overdue))),
  );
  expect([summary.completed, summary.fellDue, summary.onTime]).toEqual([
    sum(all.map(({ period }) => period.completedIn)),
    sum(all.map(({ period }) => period.dueIn)),
    sum(all.map(({ period }) => period.onTimeIn)),
  ]);
  expect(summary.overdue).toBeGreaterThan(0);
});
