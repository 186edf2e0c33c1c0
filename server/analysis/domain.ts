import { rows, untilRemoved } from "#server/core/domains/tables.ts";
import { defineDomain } from "#server/core/domains/domain.ts";
import { personalData } from "#server/analysis/personalData.ts";
import { groupQuestions } from "#server/analysis/questions/questionGrouping.ts";
import { analysisRoutes } from "#server/analysis/routes.ts";
import { runAnalyses } from "#server/analysis/runs/runWorker.ts";

const withConversation = "as long as the conversation";

export const analysis = defineDomain({
  name: "analysis",
  uses: ["conversations", "connectors", "documents", "variables"],
  routes: [analysisRoutes],
  jobs: [runAnalyses, groupQuestions],
  openTo: { learners: ["analysis.reviews", "analysis.review", "analysis.giveFeedback", "analysis.object"] },
  personalData,
  tables: {
    analysis_runs: {
      growth: rows(20, "chatbot"),
      kept: untilRemoved,
      authors: { created_by: "Analyses you started" },
      notPersonal: {
        "what an admin asks of many conversations": "title question filter sample",
        "conversations by random ids": "conversation_ids unread_ids",
        "the model and why it failed": "model code",
      },
    },
    analysis_statements: {
      growth: rows(200, "chatbot"),
      kept: "as long as the analysis",
      notPersonal: { "what a model says about many people; its quotes are references": "text detail" },
    },
    analysis_quotes: { growth: rows(1000, "chatbot"), kept: "as long as the analysis and the conversation" },
    question_clusters: {
      growth: rows(100, "chatbot"),
      kept: "as long as a question of the group",
      authors: {
        owner_id: "Questions without an answer that are assigned to you",
        answered_by: "Questions of others that you answered",
      },
    },
    question_vectors: {
      growth: rows(2, "learner"),
      kept: withConversation,
      notPersonal: { "numbers made from a question": "connector_id model vector" },
    },
    clustered_questions: { growth: rows(2, "learner"), kept: withConversation },
    conversation_feedback: { growth: rows(2, "learner"), kept: withConversation },
    rubric_scores: {
      growth: rows(20, "learner"),
      kept: withConversation,
      authors: { reviewer_id: "Conversations of others that you scored" },
    },
  },
});
