import type { Mount } from "#server/core/http.ts";
import { readDashboard } from "#server/reports/dashboard.ts";
import { readReport } from "#server/reports/figures/report.ts";
import { exportReport, listPeople, listRows } from "#server/reports/figures/rows.ts";
import { checkIssued, issueReport, listIssued } from "#server/reports/issued/issue.ts";
import { sendPdf } from "#server/reports/issued/pdf.ts";
import { readReplay } from "#server/reports/replay/session.ts";
import { readReplayStage, revealValues } from "#server/reports/replay/stage.ts";
import { listReplayEvents, listReplayTurns, listReplayValues } from "#server/reports/replay/timeline.ts";
import { listAnswers, readLearnerReport, readSession } from "#server/reports/service.ts";
import { canIssueReports, canReadFigures, canReadReports, canSeeDashboard, reports } from "#shared/reports.ts";
import { canReplay, replays } from "#shared/replays.ts";

export function reportRoutes(on: Mount) {
  on(reports.learner, canReadReports, (call) => readLearnerReport(call, call.params.id));
  on(reports.answers, canReadReports, (call) => listAnswers(call, call.params.id, call.query));
  on(reports.session, canReadReports, (call) => readSession(call, call.params.id));
  on(replays.replay, canReplay, (call) => readReplay(call, call.params.id));
  on(replays.replayEvents, canReplay, (call) => listReplayEvents(call, call.params.id, call.query));
  on(replays.replayValues, canReplay, (call) => listReplayValues(call, call.params.id, call.query));
  on(replays.replayTurns, canReplay, (call) => listReplayTurns(call, call.params.id, call.query));
  on(replays.replayStage, canReplay, (call) => readReplayStage(call, call.params.id, call.query));
  on(replays.revealValues, canReplay, (call) => revealValues(call, call.params.id, call.body));
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
