import type { Mount } from "#server/core/http.ts";
import { readDashboard } from "#server/reports/dashboard.ts";
import { listAnswers, readLearnerReport, readSession } from "#server/reports/service.ts";
import { canReadReports, canSeeDashboard, reports } from "#shared/reports.ts";

export function reportRoutes(on: Mount) {
  on(reports.learner, canReadReports, (call) => readLearnerReport(call, call.params.id));
  on(reports.answers, canReadReports, (call) => listAnswers(call, call.params.id, call.query));
  on(reports.session, canReadReports, (call) => readSession(call, call.params.id));
  on(reports.dashboard, canSeeDashboard, (call) => readDashboard(call, call.query.days));
}
