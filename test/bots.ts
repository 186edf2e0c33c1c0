import { randomUUID } from "node:crypto";
import { addReadDocument } from "#server/documents/retrieval/addReadDocument.ts";
import { readMarkdown } from "#server/documents/parsing/markup.ts";
import { textOf } from "#server/documents/parsing/readText.ts";
import { botSettings, type BotSettingsInput } from "#shared/chatbots/botSettings.ts";
import { type Chatbot, chatbots } from "#shared/chatbots/chatbots.ts";
import { type Conversation, conversations, VISITOR_HEADER } from "#shared/conversations/conversations.ts";
import type { Person, start } from "#test/start.ts";

type Server = Awaited<ReturnType<typeof start>>;

/** Chatbots and conversations for tests. */
export function createBotMaker({ as, db }: Pick<Server, "as" | "db">) {
  /** A published chatbot. */
  const createBot = async (
    admin: Person,
    settings: BotSettingsInput = {},
    name = `Bot ${randomUUID().slice(0, 8)}`,
  ) => {
    const made = await as(admin)(chatbots.create, { body: { name, settings: botSettings.parse(settings) } });
    if (made.status !== 200) throw new Error(JSON.stringify(made.body));
    const { id, version } = made.body;
    const published = await as(admin)(chatbots.publish, { params: { id }, body: { version } });
    if (published.status !== 200) throw new Error(JSON.stringify(published.body));
    return published.body;
  };
  /** Starts a conversation as a person, or with a token as a visitor. */
  const talk = async (who: Person | string, { id }: Pick<Chatbot, "id">, courseId: string | null = null) => {
    const caller = typeof who === "string" ? as(null, { [VISITOR_HEADER]: who }) : as(who);
    const started = await caller(conversations.start, { body: { id: randomUUID(), chatbotId: id, courseId } });
    if (started.status !== 200) throw new Error(`start: ${started.status} ${JSON.stringify(started.body)}`);
    const conversation = started.body as Conversation;
    const send = (text: string, parentId: string | null = null, turnId: string = randomUUID()) =>
      caller(conversations.send, { params: { id: conversation.id }, body: { id: turnId, text, parentId } });
    const read = async () => (await caller(conversations.get, { params: { id: conversation.id } })).body;
    return { caller, conversation, send, read };
  };
  const visit = async ({ id }: Pick<Chatbot, "id">) =>
    (await as(null)(conversations.visit, { body: { chatbotId: id } })).body.token;
  const addDocument = (title: string, text: string) => addReadDocument(db, { title, ...textOf(readMarkdown(text)) });
  return { createBot, talk, visit, addDocument };
}
