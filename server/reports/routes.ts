import type { Mount } from "#server/core/http.ts";
import { readDashboard } from "#server/reports/dashboard.ts";
import { readReport } from "#server/reports/figures/report.ts";
import { exportReport, listPeople, listRows } from "#server/reports/figures/rows.ts";
import { listAnswers, readLearnerReport, readSession } from "#server/reports/service.ts";
import { canReadFigures, canReadReports, canSeeDashboard, reports } from "#shared/reports.ts";

export function reportRoutes(on: Mount) {
  on(reports.learner, canReadReports, (call) => readLearnerReport(call, call.params.id));
  on(reports.answers, canReadReports, (call) => listAnswers(call, call.params.id, call.query));
  on(reports.session, canReadReports, (call) => readSession(call, call.params.id));
  on(reports.figures, canReadFigures, (call) => readReport(call, call.params, call.query));
  on(reports.rows, canReadFigures, (call) => listRows(call, call.params, call.query));
  on(reports.people, canReadFigures, (call) => listPeople(call, call.params, call.query));
  on(reports.export, canReadFigures, (call) => exportReport(call, call.params, call.query));
  on(reports.dashboard, canSeeDashboard, (call) => readDashboard(call, call.query.days));
}
