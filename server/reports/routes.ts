import type { Mount } from "#server/core/http/http.ts";
import { countScenario } from "#server/reports/questions/scenarioFigures.ts";
import { countLessonBlocks, listBlockPeople } from "#server/reports/blocks/blocks.ts";
import { readDashboard } from "#server/reports/dashboard.ts";
import { listActive, listCompleted, listFellDue } from "#server/reports/dashboardRows.ts";
import { listChanges } from "#server/reports/figures/changes.ts";
import { readReport } from "#server/reports/figures/report.ts";
import { exportReport, listPeople, listRows } from "#server/reports/figures/rows.ts";
import { listQuestionPeople, listQuestions } from "#server/reports/questions/questions.ts";
import { checkIssued, issueReport, listIssued } from "#server/reports/issued/issue.ts";
import { sendPdf } from "#server/reports/issued/pdf.ts";
import {
  listConversationTurns,
  listConversationValues,
  readConversationReplay,
  revealConversationValues,
} from "#server/reports/replay/conversation.ts";
import { listRecordingChunks, readReplayRecording } from "#server/reports/replay/recording.ts";
import { readReplay } from "#server/reports/replay/session.ts";
import { readReplayLesson } from "#server/reports/replay/lesson.ts";
import { readReplayStage, revealValues } from "#server/reports/replay/stage.ts";
import { listReplayEvents, listReplayTurns, listReplayValues } from "#server/reports/replay/timeline.ts";
import { chooseViewMail, createView, listViews, removeView, updateView } from "#server/reports/views/views.ts";
import { listAnswers, readLearnerReport, readSession } from "#server/reports/service.ts";
import { canReadMany, canReadReports, canSeeDashboard, reports } from "#shared/reports/reports.ts";
import { canReplay, conversationReplays, replays } from "#shared/reports/replays.ts";
import { canSaveViews, views } from "#shared/reports/views.ts";

export function reportRoutes(on: Mount) {
  on(reports.learner, canReadReports, (call) => readLearnerReport(call, call.params.id, call.query));
  on(reports.answers, canReadReports, (call) => listAnswers(call, call.params.id, call.query));
  on(reports.session, canReadReports, (call) => readSession(call, call.params.id));
  on(replays.replay, canReplay, (call) => readReplay(call, call.params.id));
  on(replays.replayEvents, canReplay, (call) => listReplayEvents(call, call.params.id, call.query));
  on(replays.replayValues, canReplay, (call) => listReplayValues(call, call.params.id, call.query));
  on(replays.replayTurns, canReplay, (call) => listReplayTurns(call, call.params.id, call.query));
  on(replays.replayStage, canReplay, (call) => readReplayStage(call, call.params.id, call.query));
  on(replays.replayLesson, canReplay, (call) => readReplayLesson(call, call.params.id, call.query));
  on(replays.replayRecording, canReplay, (call) => readReplayRecording(call, call.params.id));
  on(replays.recordingChunks, canReplay, (call) => listRecordingChunks(call, call.params.id, call.query));
  on(replays.revealValues, canReplay, (call) => revealValues(call, call.params.id, call.body));
  on(conversationReplays.conversationReplay, canReplay, (call) => readConversationReplay(call, call.params.id));
  on(conversationReplays.conversationTurns, canReplay, (call) =>
    listConversationTurns(call, call.params.id, call.query),
  );
  on(conversationReplays.conversationValues, canReplay, (call) =>
    listConversationValues(call, call.params.id, call.query),
  );
  on(conversationReplays.revealConversationValues, canReplay, (call) =>
    revealConversationValues(call, call.params.id, call.body),
  );
  on(reports.figures, canReadReports, (call) => readReport(call, call.params.id, call.query));
  on(reports.rows, canReadReports, (call) => listRows(call, call.params.id, call.query));
  on(reports.changes, canReadReports, (call) => listChanges(call, call.params.id, call.query));
  on(reports.people, canReadMany, (call) => listPeople(call, call.params.id, call.query));
  on(reports.questions, canReadMany, (call) => listQuestions(call, call.params.id, call.query));
  on(reports.questionPeople, canReadMany, (call) => listQuestionPeople(call, call.params.id, call.query));
  on(reports.lessonBlocks, canReadMany, (call) => countLessonBlocks(call, call.params.id, call.query));
  on(reports.blockPeople, canReadMany, (call) => listBlockPeople(call, call.params.id, call.query));
  on(reports.scenario, canReadMany, (call) => countScenario(call, call.params.id, call.query));
  on(reports.export, canReadReports, (call) => exportReport(call, call.params.id, call.query));
  on(reports.issue, canReadReports, (call) => issueReport(call, call.params.id, call.body));
  on(reports.issued, canReadMany, (call) => listIssued(call, call.query));
  on(reports.check, canReadMany, (call) => checkIssued(call, call.params.id));
  on(reports.pdf, canReadReports, (call) => sendPdf(call, call.params.id));
  on(reports.dashboard, canSeeDashboard, (call) => readDashboard(call, call.query.days));
  on(reports.fellDue, canSeeDashboard, (call) => listFellDue(call, call.query));
  on(reports.completed, canSeeDashboard, (call) => listCompleted(call, call.query));
  on(reports.active, canSeeDashboard, (call) => listActive(call, call.query));
  on(views.list, canSaveViews, (call) => listViews(call, call.query));
  on(views.create, canSaveViews, (call) => createView(call, call.body));
  on(views.update, canSaveViews, (call) => updateView(call, call.params.id, call.body));
  on(views.remove, canSaveViews, (call) => removeView(call, call.params.id));
  on(views.mail, canSaveViews, (call) => chooseViewMail(call, call.params.id, call.body));
}
