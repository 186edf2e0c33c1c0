import { defineDomain } from "#server/core/domains/domain.ts";
import { rows } from "#server/core/domains/tables.ts";
import { closeLostAnswers, deleteOldConversations } from "#server/conversations/jobs.ts";
import { markRefusedMessages } from "#server/conversations/refusedMessages.ts";
import { conversationRoutes } from "#server/conversations/routes.ts";
import { personalData } from "#server/conversations/personalData.ts";

const kept = "as long as the chatbot states, at most ten years";

export const conversations = defineDomain({
  name: "conversations",
  uses: ["care", "chatbots", "connectors", "documents", "variables"],
  routes: [conversationRoutes],
  jobs: [closeLostAnswers, deleteOldConversations, markRefusedMessages],
  openTo: {
    guests: [
      "conversations.visit",
      "conversations.start",
      "conversations.send",
      "conversations.regenerate",
      "conversations.rate",
      "conversations.mine",
      "conversations.get",
      "conversations.stop",
      "conversations.stream",
      "conversations.remove",
    ],
  },
  tables: {
    conversations: { growth: rows(10, "learner"), kept },
    turns: { growth: rows(60, "learner"), kept },
    conversation_calls: { growth: rows(60, "learner"), kept, notPersonal: { "the model": "model" } },
    conversation_figures: {
      growth: rows(10, "learner"),
      kept,
      notPersonal: {
        "times and random ids of a conversation, which go with its turns":
          "asked_at solved_at first_ms total_ms document_ids refused_ids",
      },
    },
  },
  personalData,
});
