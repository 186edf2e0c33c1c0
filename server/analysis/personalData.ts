import { sql } from "kysely";
import { OTHER_PERSON, type Person, type PersonalData, training } from "#server/core/domains/personalData.ts";

const inOwnConversations = ({ id }: Person) =>
  sql<boolean>`conversation_id in (select id from conversations where user_id = ${id})`;

export const personalData: PersonalData = {
  entries: [
    {
      key: "conversationFeedback",
      table: "conversation_feedback",
      what: "Feedback on your conversations",
      fate: "delete",
      why: "It is deleted with its conversation",
      where: inOwnConversations,
    },
    {
      key: "rubricScores",
      table: "rubric_scores",
      what: "Scores that admins gave your conversations",
      fate: "delete",
      why: "They are deleted with their conversations",
      where: inOwnConversations,
    },
  ],
  sections: [
    {
      key: "conversationFeedback",
      purpose: "Feedback on conversations",
      basis: training,
      retention: "As long as the conversation",
      table: "conversation_feedback",
      keys: ["conversation_id"],
      where: inOwnConversations,
    },
    {
      key: "rubricScores",
      purpose: "Comparing the scores of language models with those of people",
      basis: training,
      retention: "As long as the conversation",
      table: "rubric_scores",
      omit: { reviewer_id: OTHER_PERSON },
      keys: ["id"],
      where: inOwnConversations,
    },
  ],
};
