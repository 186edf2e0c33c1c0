import { reports } from "#shared/reports/reports.ts";
import { measureEach, startGenerated } from "./_generated.ts";
import { talkCases } from "./_talkReports.ts";

/**
 * Reports with the generator's data (see _generated.ts): latency, and its ratio to the bare statement, which groups the
 * same enrolments by status; for conversations see _talkReports.ts. `ONLY=course` runs the reports whose names contain
 * that.
 */
const generated = await startGenerated(["session_events", "variable_values"]);
const { client, pool, readRow } = generated;
/** The company, the course and the learner with most enrolments. */
const largest = (column: "company_id" | "course_id" | "user_id") =>
  readRow<{ id: string; n: number }>(
    `select ${column} as id, count(*)::int as n from enrolments where user_id is not null group by 1 order by 2 desc, 1 limit 1`,
  );
const [company, course, learner] = await Promise.all([largest("company_id"), largest("course_id"), largest("user_id")]);
const bareOf = (column: string, id: string) => () =>
  pool.query({
    name: column,
    text: `select status, count(*), avg(score_percent), sum(active_seconds) from enrolments where ${column} = $1 group by 1`,
    values: [id],
  });
const bareCourse = bareOf("course_id", course.id);
const bareCompany = bareOf("company_id", company.id);
const bareLearner = bareOf("user_id", learner.id);
const issued = await client.call(reports.issue, { params: { id: course.id }, body: {} });
const at = (contract: { path: string }, id: string, query = "") => contract.path.replace(":id", id) + query;
const cases: Record<string, [path: string, bare: () => Promise<unknown>]> = {
  "course report": [at(reports.figures, course.id), bareCourse],
  "course report of yesterday": [
    at(reports.figures, course.id, `?asOf=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}`),
    bareCourse,
  ],
  "course, people": [at(reports.rows, course.id), bareCourse],
  "course, overdue people": [at(reports.rows, course.id, "?group=overdue"), bareCourse],
  "course, search": [at(reports.rows, course.id, "?q=lindholm"), bareCourse],
  "course, CSV of all": [at(reports.export, course.id), bareCourse],
  "company report": [at(reports.figures, company.id), bareCompany],
  "company, people": [at(reports.rows, company.id), bareCompany],
  "company, learners and courses": [at(reports.people, company.id), bareCompany],
  "learner report": [at(reports.figures, learner.id), bareLearner],
  "learner, courses": [at(reports.rows, learner.id), bareLearner],
  "learner, attempts and sessions": [at(reports.learner, learner.id), bareLearner],
  "check of an issued report": [at(reports.check, issued.id), bareCourse],
  "PDF of an issued report": [at(reports.pdf, issued.id), bareCourse],
  dashboard: [`${reports.dashboard.path}?days=30`, bareCourse],
  "dashboard, fell due": [`${reports.fellDue.path}?days=90`, bareCourse],
  "dashboard, completed": [`${reports.completed.path}?days=90`, bareCourse],
  "dashboard, active": [`${reports.active.path}?days=90`, bareCourse],
};
console.log(JSON.stringify({ courseEnrolments: course.n, companyEnrolments: company.n }));
await measureEach(generated, {
  ...Object.fromEntries(Object.entries(cases).map(([name, [path, bare]]) => [name, { path, bare }])),
  ...(await talkCases(generated)),
});
await generated.stop();
