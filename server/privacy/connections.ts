import { sql } from "kysely";
import { authored } from "#server/privacy/authored.ts";
import type { Entry, Section } from "#server/privacy/registryEntry.ts";
import { SAME_PERSON, contract, training, untilErased, ownedBy, SECRET } from "#server/privacy/sectionParts.ts";
import { NOTIFICATION_DAYS } from "#shared/notifications.ts";
import { DELIVERY_DAYS } from "#shared/webhooks.ts";

/** What was sent to a person, and about a person to other systems. */
export const connectionSections: Section[] = [
  {
    key: "conversations",
    purpose: "Answering your questions, and feedback on conversations",
    basis: training,
    retention: "As long as the chatbot states, at most ten years",
    table: "conversations",
    joins: "join chatbots on chatbots.id = conversations.chatbot_id",
    extra: "chatbots.name as chatbot",
    omit: { user_id: SAME_PERSON, visitor: SECRET },
    keys: ["id"],
    where: ownedBy("conversations.user_id"),
  },
  {
    key: "turns",
    purpose: "Answering your questions, and feedback on conversations",
    basis: training,
    retention: "As long as the chatbot states, at most ten years",
    table: "turns",
    omit: { why: "instructions of the academy and passages of documents" },
    keys: ["id"],
    where: ({ id }) => sql<boolean>`conversation_id in (select id from conversations where user_id = ${id})`,
  },
  {
    key: "apiKeys",
    purpose: "Access of other systems",
    basis: contract,
    retention: untilErased,
    table: "api_keys",
    omit: { created_by: SAME_PERSON, key_hash: SECRET },
    keys: ["id"],
    where: ownedBy("created_by"),
  },
  {
    key: "webhookDeliveries",
    purpose: "Passing values on to systems of the company",
    basis: training,
    retention: `${DELIVERY_DAYS} days`,
    table: "webhook_deliveries",
    joins: "join webhooks on webhooks.id = webhook_deliveries.webhook_id",
    extra: "webhooks.name as webhook, webhooks.url as url",
    omit: { user_id: SAME_PERSON, last_answer: "what the other system answered" },
    keys: ["id"],
    where: ownedBy("webhook_deliveries.user_id"),
  },
  {
    key: "notifications",
    purpose: "Telling you what needs your attention",
    basis: contract,
    retention: `${NOTIFICATION_DAYS} days`,
    table: "notifications",
    omit: { user_id: SAME_PERSON },
    keys: ["id"],
    where: ownedBy("user_id"),
  },
  {
    key: "notificationChoices",
    purpose: "Sending only the notifications you want",
    basis: contract,
    retention: untilErased,
    table: "notification_choices",
    omit: { user_id: SAME_PERSON },
    keys: ["kind"],
    where: ownedBy("user_id"),
  },
];

/** What becomes of it when a person is erased. */
export const connectionEntries: Entry[] = [
  authored("chatbots", "created_by", "Chatbots you created"),
  authored("chatbot_versions", "published_by", "Chatbots you published"),
  authored("chatbot_questions", "created_by", "Test questions of chatbots you saved"),
  {
    key: "conversations",
    table: "conversations",
    what: "Your conversations with chatbots",
    fate: "delete",
    why: "What you wrote and the answers to it are only about you",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "turns",
    table: "turns",
    what: "What you wrote to chatbots, and their answers",
    fate: "delete",
    why: "They are deleted with their conversations",
    where: ({ id }) => sql`conversation_id in (select id from conversations where user_id = ${id})`,
  },
  authored("flows", "created_by", "Data flows you added"),
  authored("webhooks", "created_by", "Webhooks you added"),
  {
    key: "apiKeys",
    table: "api_keys",
    what: "API keys you created",
    fate: "delete",
    why: "They act for your account",
    where: ({ id }) => sql`created_by = ${id}`,
  },
  {
    key: "webhookDeliveries",
    table: "webhook_deliveries",
    what: "Values of yours that were sent to other systems",
    fate: "delete",
    why: "Copies of values that are deleted as well; the receivers are asked by your company",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "notifications",
    table: "notifications",
    what: "Your notifications",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "notificationChoices",
    table: "notification_choices",
    what: "Your choice of notifications",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
];
