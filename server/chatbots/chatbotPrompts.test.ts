import { afterAll, expect, test, vi } from "vitest";
import { botQuestions } from "#shared/chatbots/botQuestions.ts";
import { buttonPrompts } from "#shared/prompts/buttonPrompts.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { prompts } from "#shared/prompts/prompts.ts";
import { createBotMaker } from "#test/bots.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make } = server;
const { createBot, talk, visit } = createBotMaker(server);
const admin = await make.admin();
const boss = as(admin);
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const connector = await connect(boss, provider);

test("a button sends its own label, and its prompt reaches the model", async () => {
  const { learner } = await make.classroom();
  const prompt = (
    await boss(prompts.create, {
      body: { key: "shorter", name: "Shorter", purpose: "button", body: "Shorten: {{input}}" },
    })
  ).body;
  await boss(prompts.setLive, {
    params: { id: prompt.id },
    body: { versionId: prompt.draft.id, version: prompt.version },
  });
  const button = (await boss(buttonPrompts.create, { body: { key: "shorter", label: "Shorter", promptId: prompt.id } }))
    .body;
  const settings = { connectorId: connector.id, buttonIds: [button.id] };
  const bot = await createBot(admin, settings);
  const shown = async () => (await as(learner)(chatbots.open, { params: { id: bot.id } })).body.buttons;
  expect(await shown()).toEqual([]);
  await boss(buttonPrompts.setStatus, { params: { id: button.id }, body: { status: "active" } });
  expect(await shown()).toEqual([{ id: button.id, label: "Shorter" }]);
  const chat = await talk(learner, bot);
  const press = (buttonId: string) =>
    chat.caller(conversations.send, {
      params: { id: chat.conversation.id },
      body: { id: crypto.randomUUID(), text: "FORGED", buttonId },
    });
  const sent = await press(button.id);
  expect(sent.body.question.text).toBe("Shorter");
  await vi.waitFor(async () => expect((await chat.read()).turns.at(-1)?.state).toBe("done"), 15_000);
  expect(provider.chats().at(-1)?.asked?.text).toContain("Shorten: ");
  expect((await press(connector.id)).status).toBe(422);
});

async function createPrompt(key: string, body: string) {
  const {
    id,
    draft: first,
    version,
  } = (await boss(prompts.create, { body: { key, name: key, purpose: "chatbot", body } })).body;
  await boss(prompts.setLive, { params: { id }, body: { versionId: first.id, version } });
  return id;
}

test("a visitor's model reads no placeholders, but what stands for them", async () => {
  const promptId = await createPrompt(
    "welcome",
    "Greet {{learner.name | our guest}} in {{academy.name}}, {{course.title}}.",
  );
  const bot = await createBot(admin, { access: "public", connectorId: connector.id, promptId });
  const { send, read } = await talk(await visit(bot), bot);
  await send("Hello");
  await vi.waitFor(async () => expect((await read()).turns.at(-1)?.state).toBe("done"), 15_000);
  expect(provider.chats().at(-1)?.asked?.text).toMatch(/Greet our guest in \w[^{]*, not available\./);
});

test("test questions are asked with the prompt that is tested", async () => {
  const bot = await createBot(admin, { connectorId: connector.id });
  const params = { id: bot.id };
  const promptId = await createPrompt("pirate", "Talk like a pirate to {{learner.name | anyone}}.");
  await boss(chatbots.update, {
    params,
    body: { version: bot.version, name: bot.name, settings: { ...bot.settings, promptId } },
  });
  const { id } = (await boss(botQuestions.add, { params, body: { question: "How far is it?" } })).body;
  const run = async (of: "draft" | "live") => {
    await boss(botQuestions.run, { params: { ...params, questionId: id }, body: { of } });
    return provider.chats().at(-1)?.asked?.text;
  };
  expect(await run("draft")).toContain("Talk like a pirate to anyone.");
  expect(await run("live")).not.toContain("pirate");
});

test("a prompt lists the chatbots and buttons that use it, and keeps its purpose", async () => {
  const promptId = await createPrompt("used", "Answer in one sentence.");
  const params = { id: promptId };
  const read = async () => (await boss(prompts.get, { params })).body;
  const change = async (purpose: "button" | "chatbot") =>
    boss(prompts.update, { params, body: { purpose, version: (await read()).version } });
  expect((await change("button")).body.purpose).toBe("button");
  await change("chatbot");
  const bot = await createBot(admin, { promptId });
  const label = "In short";
  const button = (await boss(buttonPrompts.create, { body: { key: "in-short", label, promptId } })).body;
  await boss(chatbots.update, {
    params: { id: bot.id },
    body: { version: bot.version, name: bot.name, settings: { ...bot.settings, promptId: null } },
  });
  expect((await read()).usedBy).toEqual([
    { kind: "button", id: button.id, label },
    { kind: "chatbot", id: bot.id, label: bot.name },
  ]);
  expect((await change("button")).body).toMatchObject({ issues: [{ path: "purpose", code: "prompts.used" }] });
  await boss(chatbots.setStatus, { params: { id: bot.id }, body: { status: "archived" } });
  await boss(buttonPrompts.setStatus, { params: { id: button.id }, body: { status: "archived" } });
  expect((await read()).usedBy).toEqual([]);
  expect((await change("button")).status).toBe(200);
});
