import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved } from "#server/core/domains/tables.ts";
import { chatbotRoutes } from "#server/chatbots/routes.ts";

const withChatbot = "as long as the chatbot";

export const chatbots = defineDomain({
  name: "chatbots",
  uses: ["care", "prompts", "documents", "connectors", "variables", "courses"],
  routes: [chatbotRoutes],
  openTo: { guests: ["chatbots.open", "chatbots.mine"] },
  tables: {
    chatbots: {
      growth: rows(1, "chatbot"),
      kept: untilRemoved,
      authors: { created_by: "Chatbots you created" },
      notPersonal: { "what admins write about a chatbot": "name settings" },
    },
    chatbot_courses: { growth: rows(2, "chatbot"), kept: withChatbot },
    chatbot_versions: {
      growth: rows(10, "chatbot"),
      kept: withChatbot,
      authors: { published_by: "Chatbots you published" },
      notPersonal: { "what admins write about a chatbot": "name settings note" },
    },
    chatbot_questions: {
      growth: rows(20, "chatbot"),
      kept: withChatbot,
      authors: { created_by: "Test questions of chatbots you saved" },
      notPersonal: { "a question that admins test with": "question facts document_ids" },
    },
    chatbot_question_results: {
      growth: rows(200, "chatbot"),
      kept: withChatbot,
      notPersonal: { "what a chatbot answers to a test question": "answer missing" },
    },
  },
});
