import os from "node:os";
import pg from "pg";
import { auth } from "#shared/auth/auth.ts";
import { learners } from "#shared/learners/learners.ts";
import { requirements, requirementTerms } from "#shared/requirements/requirements.ts";
import { createClient } from "#test/client.ts";
import { openClass } from "#test/openClass.ts";
import { recordedEarlier } from "#test/earlierRecords.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { cpuSeconds, median, processTreeOf, round } from "./_load.ts";

/**
 * Requirements at growing numbers of people (`SIZES`), seven required courses each: the pages of compliance by HTTP, of
 * today and as of yesterday, as a ratio to the first page of the list of learners in the same round; then the CPU of
 * the job that applies changed terms of one course to everyone, of server and database.
 */
const SIZES = (process.env.SIZES ?? "5000,50000").split(",").map(Number);
const ROUNDS = Number(process.env.ROUNDS ?? 15);
const COURSES = 7;
const POLL_MS = 100;

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
const { rows: required } = await pool.query<{ id: string }>("select id from courses order by code limit $1", [COURSES]);
// Drafts do not open again, which would be another load.
await pool.query("update courses set status = 'draft'");
const terms = requirementTerms.parse({ months: 12 });
for (const { id } of required) await admin.call(requirements.create, { params, body: { courseId: id, terms } });
await waitUntilApplied();

for (const size of SIZES) await measure(size);
await pool.end();
await server.remove();

/** Adds people until there are `size`; of five, four have completed each course within the last fifteen months. */
async function fill(size: number) {
  await pool.query(
    `with added as (
      insert into users (email, name, role, status, company_id)
      select 'person-' || n || '@example.com', 'Person ' || n, 'learner', 'active', $1
      from generate_series((select count(*) from users) + 1, $2) n
      returning id
    )
    insert into enrolments (user_id, company_id, course_id, source, status, completed_at, first_started_at, due_date)
    select added.id, $1, courses.id, 'manual', case when at is null then 'assigned' else 'completed' end, at, at,
      current_date + 14
    from added
    cross join courses
    cross join lateral (
      select case when random() < 0.8 then now() - random() * interval '15 months' end as at
      where added.id is not null and courses.id is not null
    ) times`,
    [companyId, size],
  );
  await pool.query(
    `insert into completion_history (
      enrolment_id, attempt_id, attempt_no, person_id, company_id, course_id, version_id, success,
      active_seconds, reported_seconds, first_started_at, happened_at, recorded_at
    )
    select id, gen_random_uuid(), 1, user_id, company_id, course_id, gen_random_uuid(), 'passed',
      60, 60, completed_at, completed_at, completed_at
    from enrolments
    where status = 'completed'
      and not exists (select from completion_history where enrolment_id = enrolments.id)`,
  );
  await pool.query(`begin;\n${recordedEarlier(3)};\ncommit`);
  await pool.query("vacuum analyze");
}

async function measure(size: number) {
  await fill(size);
  const body = { courseId, terms: { ...terms, months: 18 } };
  const asOf = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const reads: Record<string, () => Promise<unknown>> = {
    "figures and requirements": () => admin.call(requirements.list, { params, query: {} }),
    "first page of people": () => admin.call(requirements.people, { params, query: {} }),
    "people with something expired or overdue": () =>
      admin.call(requirements.people, { params, query: { state: "lapsed" } }),
    "figures and requirements, as of yesterday": () => admin.call(requirements.list, { params, query: { asOf } }),
    "first page of people, as of yesterday": () => admin.call(requirements.people, { params, query: { asOf } }),
    "people with something expired or overdue, as of yesterday": () =>
      admin.call(requirements.people, { params, query: { asOf, state: "lapsed" } }),
    "people by name": () => admin.call(requirements.people, { params, query: { q: "Person 49" } }),
    "preview of other terms": () => admin.call(requirements.preview, { params, body }),
  };
  const page = () => admin.call(learners.list, { query: { companyId } });
  for (const [name, read] of Object.entries(reads)) {
    const times: number[] = [];
    const ratios: number[] = [];
    for (let n = -1; n < ROUNDS; n++) {
      const [bare, own] = [await timeOf(page), await timeOf(read)];
      if (n < 0) continue;
      times.push(own);
      ratios.push(own / bare);
    }
    const sorted = ratios.toSorted((a, b) => a - b);
    say({
      size,
      name,
      ratio: round(median(ratios)),
      spread: [round(sorted[0] ?? 0), round(sorted.at(-1) ?? 0)],
      ms: round(median(times), 0),
      load: round(os.loadavg()[0] ?? 0, 1),
    });
  }
  const { items } = await admin.call(requirements.list, { params, query: {} });
  const changed = items.find((one) => one.courseId === courseId);
  if (!changed) throw new Error("no requirement");
  const before = cpuOf();
  const { id, version } = changed;
  await admin.call(requirements.update, { params: { id }, body: { terms: { ...terms, months: 120 }, version } });
  await waitUntilApplied();
  say({ size, name: "changed terms of one course, CPU seconds", seconds: round(cpuOf() - before, 1) });
  const [after] = (await admin.call(requirements.list, { params, query: {} })).items.filter((one) => one.id === id);
  await admin.call(requirements.update, { params: { id }, body: { terms, version: after?.version ?? 0 } });
  await waitUntilApplied();
}

async function timeOf(work: () => Promise<unknown>) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function waitUntilApplied() {
  for (;;) {
    const { rows } = await pool.query("select from course_requirements where applied_version < version");
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
