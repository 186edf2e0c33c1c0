import { sql } from "kysely";
import { defineDomain } from "#server/core/domains/domain.ts";
import { ownedBy, type Person, SAME_PERSON, SECRET, training } from "#server/core/domains/personalData.ts";
import { rows } from "#server/core/domains/tables.ts";
import { closeLostAnswers, deleteOldConversations } from "#server/conversations/jobs.ts";
import { markRefusedMessages } from "#server/conversations/refusedMessages.ts";
import { conversationRoutes } from "#server/conversations/routes.ts";

const inOwnConversations = ({ id }: Person) =>
  sql<boolean>`conversation_id in (select id from conversations where user_id = ${id})`;
const kept = "as long as the chatbot states, at most ten years";
const statement = {
  purpose: "Answering your questions, and feedback on conversations",
  basis: training,
  retention: "As long as the chatbot states, at most ten years",
};

export const conversations = defineDomain({
  name: "conversations",
  uses: ["chatbots", "connectors", "documents", "variables"],
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
  personalData: {
    entries: [
      {
        key: "turns",
        table: "turns",
        what: "What you wrote to chatbots, and their answers",
        fate: "delete",
        why: "They are deleted with their conversations",
        where: inOwnConversations,
      },
      {
        key: "conversations",
        table: "conversations",
        what: "Your conversations with chatbots",
        fate: "delete",
        why: "What you wrote and the answers to it are only about you",
        where: ownedBy("user_id"),
      },
    ],
    sections: [
      {
        ...statement,
        key: "conversations",
        table: "conversations",
        joins: "join chatbots on chatbots.id = conversations.chatbot_id",
        extra: "chatbots.name as chatbot",
        omit: { user_id: SAME_PERSON, visitor: SECRET },
        keys: ["id"],
        where: ownedBy("conversations.user_id"),
      },
      {
        ...statement,
        key: "turns",
        table: "turns",
        omit: { why: "instructions of the academy and passages of documents" },
        keys: ["id"],
        where: inOwnConversations,
      },
    ],
  },
});
