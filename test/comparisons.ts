import { expect } from "vitest";
import { answerComparisons, type ComparisonEvent } from "#shared/conversations/answerComparisons.ts";
import type { BotSettingsInput } from "#shared/chatbots/botSettings.ts";
import { type Chatbot, chatbots } from "#shared/chatbots/chatbots.ts";
import type { Conversation } from "#shared/conversations/conversations.ts";
import type { Person } from "#test/start.ts";
import type { startTalks } from "#test/talks.ts";

/** Runs comparisons in tests, by default as an admin. */
export function createComparer({ server, admin }: Awaited<ReturnType<typeof startTalks>>) {
  const { app, as } = server;
  /** The id of a question of a conversation. */
  const questionOf = async (chat: { read: () => Promise<Conversation> }, text: string) =>
    (await chat.read()).turns.find((turn) => turn.text === text)?.id as string;

  async function compare(questionId: string, who: Person | null = admin, body: object = {}) {
    const reply = await app.inject({
      method: "POST",
      url: answerComparisons.compare.path.replace(":id", questionId),
      payload: body,
      headers: who ? { authorization: `Bearer ${who.token}` } : {},
    });
    const isStream = String(reply.headers["content-type"]).includes("ndjson");
    const events = isStream
      ? reply.body
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as ComparisonEvent)
      : [];
    const of = <T extends ComparisonEvent["type"]>(type: T) =>
      events.find((event): event is Extract<ComparisonEvent, { type: T }> => event.type === type);
    return { status: reply.statusCode, events, begin: of("begin"), end: of("end"), notAsked: of("notAsked") };
  }

  /** Publishes a changed draft. */
  async function publish({ id }: Chatbot, settings: BotSettingsInput) {
    const params = { id };
    const bot = (await as(admin)(chatbots.get, { params })).body;
    const body = { version: bot.version, name: bot.name, settings: { ...bot.settings, ...settings } };
    const changed = await as(admin)(chatbots.update, { params, body: body as never });
    const published = await as(admin)(chatbots.publish, { params, body: { version: changed.body.version } });
    expect(published.status, JSON.stringify(published.body)).toBe(200);
    return published.body;
  }
  return { compare, publish, questionOf };
}
