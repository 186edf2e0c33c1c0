import type { Mount } from "#server/core/http.ts";
import { readDashboard } from "#server/reports/dashboard.ts";
import { readReport } from "#server/reports/figures/report.ts";
import { exportReport, listPeople, listRows } from "#server/reports/figures/rows.ts";
import { checkIssued, issueReport, listIssued } from "#server/reports/issued/issue.ts";
import { sendPdf } from "#server/reports/issued/pdf.ts";
import { listAnswers, readLearnerReport, readSession } from "#server/reports/service.ts";
import { canIssueReports, canReadFigures, canReadReports, canSeeDashboard, reports } from "#shared/reports.ts";

export function reportRoutes(on: Mount) {
  on(reports.learner, canReadReports, (call) => readLearnerReport(call, call.params.id));
  on(reports.answers, canReadReports, (call) => listAnswers(call, call.params.id, call.query));
  on(reports.session, canReadReports, (call) => readSession(call, call.params.id));
  on(reports.figures, canReadFigures, (call) => readReport(call, call.params.id, call.query));
  on(reports.rows, canReadFigures, (call) => listRows(call, call.params.id, call.query));
  on(reports.people, canReadFigures, (call) => listPeople(call, call.params.id, call.query));
  on(reports.export, canReadFigures, (call) => exportReport(call, call.params.id, call.query));
  on(reports.issue, canIssueReports, (call) => issueReport(call, call.params.id, call.body));
  on(reports.issued, canIssueReports, (call) => listIssued(call, call.query));
  on(reports.check, canIssueReports, (call) => checkIssued(call, call.params.id));
  on(reports.pdf, canIssueReports, (call) => sendPdf(call, call.params.id));
  on(reports.dashboard, canSeeDashboard, (call) => readDashboard(call, call.query.days));
}
