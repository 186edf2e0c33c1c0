import { sql } from "kysely";
import {
  ownedBy,
  type Person,
  type PersonalData,
  SAME_PERSON,
  SECRET,
  training,
} from "#server/core/domains/personalData.ts";

const inOwnConversations = ({ id }: Person) =>
  sql<boolean>`conversation_id in (select id from conversations where user_id = ${id})`;
const statement = {
  purpose: "Answering your questions, and feedback on conversations",
  basis: training,
  retention: "As long as the chatbot states, at most ten years",
};

export const personalData: PersonalData = {
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
      omit: {
        why: "instructions of the academy and passages of documents",
        shows_help: "a finding about health, which only the named people are told",
      },
      keys: ["id"],
      where: inOwnConversations,
    },
  ],
};
