import { readAnalytics } from "#server/analysis/analytics.ts";
import { answerCluster } from "#server/analysis/questionAnswers.ts";
import { getCluster, listClusters, updateCluster } from "#server/analysis/questionClusters.ts";
import { giveFeedback, objectToFeedback } from "#server/analysis/feedback.ts";
import { listReviews, readReview } from "#server/analysis/reviews.ts";
import { readAgreement, scoreConversation, skipScoring } from "#server/analysis/rubricScores.ts";
import { readRunResult } from "#server/analysis/runResult.ts";
import { cancelRun, createRun, estimateRun, listRuns, removeRun, resumeRun, updateRun } from "#server/analysis/runs.ts";
import type { Mount } from "#server/core/http.ts";
import { analysisRuns, canAnalyse } from "#shared/analysisRuns.ts";
import { canAnswerQuestions, questionClusters } from "#shared/questionClusters.ts";
import { analysis, canReadAnalytics, canReview, canScore } from "#shared/analysis.ts";

export function analysisRoutes(on: Mount) {
  on(analysis.analytics, canReadAnalytics, (call) => readAnalytics(call, call.query));
  on(analysis.reviews, canReview, (call) => listReviews(call, call.query));
  on(analysis.review, canReview, (call) => readReview(call, call.params.id));
  on(analysis.giveFeedback, canReview, (call) => giveFeedback(call, call.params.id));
  on(analysisRuns.list, canAnalyse, (call) => listRuns(call, call.query));
  on(analysisRuns.estimate, canAnalyse, (call) => estimateRun(call, call.body.filter));
  on(analysisRuns.create, canAnalyse, (call) => createRun(call, call.body));
  on(analysisRuns.get, canAnalyse, (call) => readRunResult(call, call.params.id));
  on(analysisRuns.cancel, canAnalyse, (call) => cancelRun(call, call.params.id));
  on(analysisRuns.resume, canAnalyse, (call) => resumeRun(call, call.params.id));
  on(analysisRuns.update, canAnalyse, (call) => updateRun(call, call.params.id));
  on(analysisRuns.remove, canAnalyse, (call) => removeRun(call, call.params.id));
  on(analysis.object, canReview, (call) => objectToFeedback(call, call.params.id, call.body.text));
  on(questionClusters.list, canAnswerQuestions, (call) => listClusters(call, call.query));
  on(questionClusters.get, canAnswerQuestions, (call) => getCluster(call, call.params.id));
  on(questionClusters.update, canAnswerQuestions, (call) => updateCluster(call, call.params.id, call.body));
  on(questionClusters.answer, canAnswerQuestions, (call) => answerCluster(call, call.params.id, call.body));
  on(analysis.score, canScore, (call) => scoreConversation(call, call.params.id, call.body.scores));
  on(analysis.skipScoring, canScore, (call) => skipScoring(call, call.params.id));
  on(analysis.agreement, canScore, (call) => readAgreement(call));
}
