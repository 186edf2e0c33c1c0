import { to as copyTo } from "pg-copy-streams";
import { audit } from "#shared/audit/audit.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { reports } from "#shared/reports/reports.ts";
import { isChosen, measureEach, measureExport, startGenerated } from "./_generated.ts";

/**
 * Lists with the generator's data (see _generated.ts): latency, and as the main figure its ratio to the bare page,
 * which is 25 rows of `users` by primary key. `ONLY=dashboard` runs the lists whose names contain that.
 */
const generated = await startGenerated();
const { pool, idOf } = generated;
const [companyId, courseId, userId] = await Promise.all([
  idOf("select id from companies where slug = 'generated-0'"),
  idOf("select id from courses where code = 'GEN-0'"),
  idOf("select user_id as id from enrolments group by 1 order by count(*) desc, 1 limit 1"),
]);
const { rows: sample } = await pool.query<{ id: string }>("select id from users order by id limit 25");
const ids = sample.map(({ id }) => id);
const barePage = () =>
  pool.query({ name: "page", text: "select id, email, name from users where id = any($1)", values: [ids] });

const last = async (table: string) =>
  Math.max(1, Math.floor(Number((await pool.query(`select count(*) as n from ${table}`)).rows[0].n) / 25) - 2);
const lists: Record<string, string> = {
  dashboard: `${reports.dashboard.path}?days=30`,
  learners: learners.list.path,
  "learners, by -name": `${learners.list.path}?sort=-name`,
  "learners, by email": `${learners.list.path}?sort=email`,
  "learners, by company": `${learners.list.path}?sort=company`,
  "learners, by -lastActive": `${learners.list.path}?sort=-lastActive`,
  "learners, by -overdue": `${learners.list.path}?sort=-overdue`,
  "learners, by -completed": `${learners.list.path}?sort=-completed`,
  "learners, last page": `${learners.list.path}?page=${await last("users")}`,
  "learners, search": `${learners.list.path}?q=lindholm`,
  "learners, two words": `${learners.list.path}?q=anna+berg`,
  "learners of a company": `${learners.list.path}?companyId=${companyId}`,
  "learners of a course": `${learners.list.path}?courseId=${courseId}`,
  "learners, overdue": `${learners.list.path}?progress=overdue`,
  "learners, not started": `${learners.list.path}?progress=notStarted`,
  "learners, completed": `${learners.list.path}?progress=completed`,
  enrolments: courses.enrolments.path,
  "enrolments of a course": `${courses.enrolments.path}?courseId=${courseId}`,
  "enrolments of a course, by -lastActivityAt": `${courses.enrolments.path}?courseId=${courseId}&sort=-lastActivityAt`,
  "enrolments, by dueDate": `${courses.enrolments.path}?sort=dueDate`,
  "enrolments, by -progress": `${courses.enrolments.path}?sort=-progress`,
  "enrolments, overdue": `${courses.enrolments.path}?overdue=true`,
  "enrolments, search": `${courses.enrolments.path}?q=lindholm`,
  companies: companies.list.path,
  "companies, 200 rows": `${companies.list.path}?size=200`,
  "companies, by -overdue": `${companies.list.path}?sort=-overdue`,
  "companies, by -lastActivity": `${companies.list.path}?sort=-lastActivity`,
  "companies, search": `${companies.list.path}?q=energy`,
  courses: courses.list.path,
  "courses, by -learners": `${courses.list.path}?sort=-learners`,
  "courses, search": `${courses.list.path}?q=fire`,
  audit: audit.list.path,
  "audit, logins": `${audit.list.path}?kind=accounts`,
  "audit, search": `${audit.list.path}?q=lindholm`,
  "audit, search of a course": `${audit.list.path}?q=fire`,
  "privacy preview": `${privacy.preview.path}?userId=${userId}`,
  "learner report": reports.learner.path.replace(":id", userId),
};

await measureEach(
  generated,
  Object.fromEntries(Object.entries(lists).map(([name, path]) => [name, { path, bare: barePage }])),
);

/** The columns of the learners' CSV that `users` has. */
const copyLearners = async () => {
  const client = await pool.connect();
  const columns = "name, email, status, last_active, invited_at, created_at";
  const copied = client.query(copyTo(`copy (select ${columns} from users order by name) to stdout csv`));
  for await (const _ of copied);
  client.release();
};
if (isChosen("export"))
  console.log(
    JSON.stringify({
      export: "learners, CSV",
      ...(await measureExport(generated, learners.export.path, copyLearners)),
    }),
  );
await generated.stop();
