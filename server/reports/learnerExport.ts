import { record } from "#server/audit/service.ts";
import { exportRows } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http.ts";
import { listEnrolments } from "#server/courses/enrolments.ts";
import { getLearner } from "#server/learners/service.ts";
import courseTexts from "#shared/locales/en/courses.json" with { type: "json" };
import texts from "#shared/locales/en/reports.json" with { type: "json" };
import type { Enrolment } from "#shared/courses.ts";
import type { reports } from "#shared/reports.ts";
import type { QueryOf } from "#shared/route.ts";
import type { User } from "#shared/users.ts";

/** The courses in the report of a learner, those that were withdrawn too; what the report and its file have in common. */
export const listReportCourses = (ctx: Ctx<User>, userId: string) =>
  listEnrolments(ctx, { page: 1, size: 1000, userId, sort: "-lastActivityAt", withdrawn: true });

const { columns: heads } = texts.report;
const { enrolment: states } = courseTexts;
const minutes = (seconds: number) => Math.round(seconds / 60);

/** The courses in the report of a learner as CSV or XLSX; times in UTC. Learners get only their own. */
export async function exportLearnerReport(
  ctx: Ctx<User>,
  id: string,
  { format }: QueryOf<typeof reports.learnerExport>,
) {
  const learner = await getLearner(ctx, id);
  const { items } = await listReportCourses(ctx, id);
  await record(ctx.db, ctx, {
    action: "reports.export",
    people: [id],
    companyId: learner.companyId,
    details: { rows: items.length, format },
  });
  async function* rows() {
    yield* items;
  }
  return exportRows<Enrolment>(
    "learner-report",
    format,
    rows(),
    [
      [heads.learner, (row) => row.name],
      [heads.email, (row) => row.email],
      [heads.course, (row) => row.course],
      [heads.status, (row) => (row.overdue ? texts.report.statuses.overdue : states[row.status])],
      [heads.progress, (row) => row.progress],
      [heads.score, (row) => row.scorePercent],
      [heads.attempts, (row) => row.attempts],
      [heads.minutes, (row) => minutes(row.activeSeconds)],
      [heads.reported, (row) => minutes(row.reportedSeconds)],
      [heads.due, (row) => row.dueDate],
      [heads.assigned, (row) => row.assignedAt],
      [heads.started, (row) => row.startedAt],
      [heads.completed, (row) => row.completedAt],
      [heads.last, (row) => row.lastActivityAt],
    ],
    items.length,
  );
}
