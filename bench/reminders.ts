import os from "node:os";
import pg from "pg";
import { auth } from "#shared/auth/auth.ts";
import { learners } from "#shared/learners/learners.ts";
import { outlooks } from "#shared/outlook/outlook.ts";
import { reminders, type ReminderTerms } from "#shared/reminders/reminders.ts";
import { createClient } from "#test/client.ts";
import { openClass } from "#test/openClass.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { cpuSeconds, median, processTreeOf, round } from "./_load.ts";

/**
 * Reminders at growing numbers of people (`SIZES`), seven open courses each, one manager for a hundred people: previews
 * and the log by HTTP, as a ratio to the first page of the list of learners in the same round; then the CPU of the job
 * that plans and writes the emails of a day, of server and database. Also the outlook of one person, with 200 rules.
 */
const SIZES = (process.env.SIZES ?? "5000,50000").split(",").map(Number);
const ROUNDS = Number(process.env.ROUNDS ?? 7);
const COURSES = 7;
const RULES = 200;
const MANY_COURSES = 180;
const PEOPLE_OF_MANAGER = 100;
const POLL_MS = 200;

const terms: ReminderTerms = {
  isOn: false,
  hour: 0,
  skipsWeekends: false,
  steps: [
    { kind: "not_started", days: 7, toLearner: true, toManager: false },
    { kind: "due_soon", days: 7, toLearner: true, toManager: false },
    { kind: "due_soon", days: 1, toLearner: true, toManager: false },
    { kind: "overdue", days: 1, toLearner: true, toManager: false },
    { kind: "overdue", days: 7, toLearner: true, toManager: true },
  ],
};

const server = await createProcess({ LOG_LEVEL: "error" });
await server.start();
const postmaster = server.postgresPid();
const cpuOf = () => cpuSeconds([server.pid()]) + cpuSeconds(processTreeOf(postmaster));
const say = (what: object) => console.log(JSON.stringify(what));
const pool = new pg.Pool({ ...server.connection(), max: 2 });

const [learner] = await openClass(server.url, 1);
const { companyId, courseId } = learner!.params;
const admin = createClient(server.url);
admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
const params = { id: companyId };

await pool.query(
  `insert into courses
  select copy.*
  from courses original, generate_series(2, $2) n,
    jsonb_populate_record(original, jsonb_build_object('id', gen_random_uuid(), 'code', 'COPY-' || n)) copy
  where original.id = $1`,
  [courseId, COURSES],
);
await pool.query("update companies set managers_see_people = true where id = $1", [companyId]);

await addRules();
for (const size of SIZES) await measure(size);
await measureBusyPerson(SIZES.at(-1) ?? 0);
await pool.end();
await server.remove();

/** Adds people until there are `size`, with due dates within two months around today. */
async function fill(size: number) {
  await pool.query("delete from reminders");
  await pool.query("delete from mails");
  await pool.query(
    `with added as (
      insert into users (email, name, role, status, company_id)
      select 'person-' || n || '@example.com', 'Person ' || n, 'learner', 'active', $1
      from generate_series((select count(*) from users) + 1, $2) n
      returning id
    )
    insert into enrolments (user_id, company_id, course_id, source, status, assigned_at, due_date)
    select added.id, $1, courses.id, 'manual', 'assigned', now() - interval '90 days' + random() * interval '89 days',
      current_date + floor(random() * 60)::int - 30
    from added
    cross join courses`,
    [companyId, size],
  );
  await pool.query(
    `insert into managers (user_id, manager_id, company_id, since)
    select id, leader, $1, current_date
    from (
      select id, (array_agg(id) over (order by id rows between unbounded preceding and unbounded following))[
        1 + ((row_number() over (order by id) - 1) / $2)::int * $2
      ] as leader
      from users
      where company_id = $1
        and role = 'learner'
    ) people
    where id <> leader
    on conflict do nothing`,
    [companyId, PEOPLE_OF_MANAGER],
  );
  await pool.query("vacuum analyze");
}

async function measure(size: number) {
  await fill(size);
  const { today } = await admin.call(reminders.plan, { params });
  const inDays = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
  const preview = (day: string | null) => admin.call(reminders.preview, { params, body: { terms, day } });
  await timed(size, "preview of the first day", () => preview(null));
  await timed(size, "preview of a later day", () => preview(inDays(5)));
  const { version } = await admin.call(reminders.plan, { params });
  await admin.call(reminders.save, { params, body: { terms: { ...terms, isOn: true }, version } });
  await pool.query("update reminder_plans set starts_on = current_date - 30, planned_on = current_date");
  await measureOutlook(size);
  const before = cpuOf();
  await pool.query("update reminder_plans set planned_on = null");
  await pool.query("select graphile_worker.add_job('reminders:send', '{}', job_key := 'reminders:send')");
  await waitUntilSent();
  const { rows } = await pool.query("select status, count(*)::int from reminders group by status order by status");
  say({ size, name: "emails of a day, CPU seconds", seconds: round(cpuOf() - before, 1), steps: rows });
  await timed(size, "first page of the log", () => admin.call(reminders.list, { params, query: {} }));
  await timed(size, "log by name", () => admin.call(reminders.list, { params, query: { q: "Person 49" } }));
  const on = await admin.call(reminders.plan, { params });
  await admin.call(reminders.save, { params, body: { terms, version: on.version } });
}

/** What will reach one person, and which conditions of the first page of `RULES` rules they meet. */
async function measureOutlook(size: number) {
  const { items } = await admin.call(learners.list, { query: { companyId, sort: "name" } });
  const person = { id: items[7]?.id ?? "" };
  for (const days of [30, 90])
    await timed(size, `outlook of ${days} days`, () => admin.call(outlooks.get, { params: person, query: { days } }));
  await timed(size, "reasons of courses", () => admin.call(outlooks.courses, { params: person, query: {} }));
  await timed(size, "first page of rules", () => admin.call(outlooks.rules, { params: person, query: {} }));
}

/** The outlook of a person with many courses, all due within a month before or after today. */
async function measureBusyPerson(size: number) {
  const { rows } = await pool.query<{ id: string }>(
    `with added as (
      insert into courses
      select copy.*
      from courses original, generate_series(1, $2) n,
        jsonb_populate_record(original, jsonb_build_object('id', gen_random_uuid(), 'code', 'MANY-' || n)) copy
      where original.id = $1
      returning id
    ),
    person as (
      insert into users (email, name, role, status, company_id)
      values ('busy@example.com', 'Busy', 'learner', 'active', $3)
      returning id
    )
    insert into enrolments (user_id, company_id, course_id, source, status, assigned_at, due_date)
    select person.id, $3, added.id, 'manual', 'assigned', now() - interval '40 days',
      current_date + floor(random() * 60)::int - 30
    from person
    cross join added
    returning user_id as id`,
    [courseId, MANY_COURSES, companyId],
  );
  const { version } = await admin.call(reminders.plan, { params });
  await admin.call(reminders.save, { params, body: { terms: { ...terms, isOn: true }, version } });
  await pool.query("update reminder_plans set starts_on = current_date - 30, planned_on = current_date");
  const person = { id: rows[0]?.id ?? "" };
  const read = () => admin.call(outlooks.get, { params: person, query: { days: 90 } });
  await timed(size, `outlook of 90 days, ${MANY_COURSES} courses`, read);
}

async function addRules() {
  const test = (is: string) => ({ kind: "course", course: courseId, is });
  const condition = { match: "any", tests: ["completed", "hasNot", "notCompleted"].map(test) };
  await pool.query(
    `with added as (
      insert into enrolment_rules (company_id, name, condition, due, people, leaving, state)
      select $1, 'Rule ' || n, $2, '{"kind": "none"}', 'future', 'keep', 'active'
      from generate_series(1, $3) n
      returning id
    )
    insert into enrolment_rule_courses (rule_id, course_id)
    select added.id, courses.id
    from added
    cross join courses`,
    [companyId, condition, RULES],
  );
}

async function timed(size: number, name: string, read: () => Promise<unknown>) {
  const page = () => admin.call(learners.list, { query: { companyId } });
  const times: number[] = [];
  const ratios: number[] = [];
  for (let n = -1; n < ROUNDS; n++) {
    const [bare, own] = [await timeOf(page), await timeOf(read)];
    if (n < 0) continue;
    times.push(own);
    ratios.push(own / bare);
  }
  const sorted = ratios.toSorted((a, b) => a - b);
  const spread = [round(sorted[0] ?? 0), round(sorted.at(-1) ?? 0)];
  const load = round(os.loadavg()[0] ?? 0, 1);
  say({ size, name, ratio: round(median(ratios)), spread, ms: round(median(times), 0), load });
}

async function timeOf(work: () => Promise<unknown>) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function waitUntilSent() {
  for (;;) {
    const { rows } = await pool.query(
      `select from reminder_plans
      where planned_on is null
        or exists (select from reminders where status = 'planned')`,
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
