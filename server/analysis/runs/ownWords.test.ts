import { afterAll, expect, test } from "vitest";
import { MIN_GROUP } from "#shared/core/smallGroups.ts";
import { analysisRuns } from "#shared/analysis/analysisRuns.ts";
import { createAnalysisMaker, filter } from "#test/analyses.ts";
import { createBotMaker } from "#test/bots.ts";
import { startProvider } from "#test/providers/provider.ts";
import { type Person, start } from "#test/start.ts";

// An analysis covers what people say in their own words: neither choices in a scene nor suggested replies

const server = await start();
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const { make } = server;
const { boss, company, startRun, work, read, say } = await createAnalysisMaker(server, provider);
const { createBot, talk } = createBotMaker(server);

const PICKED = "I walk over to the coffee machine";
const SUGGESTED = "Which gloves do I need today?";
const admin = await make.admin();
const people: Person[] = [];
for (let n = 0; n < MIN_GROUP + 1; n++) people.push(await make.learner(company.accessCode, `Learner ${n}`));

test("choices in a scene are not counted; conversations of only choices are not read", async () => {
  const scene = [
    { id: "start", says: "Where do you go?", choices: [{ label: PICKED, to: "end", words: ["kitchen"] }] },
    { id: "end", says: "There is no coffee.", reachesGoal: true },
  ];
  const bot = await createBot(admin, { access: "signedIn", pedagogy: "scene", scene });
  for (const [n, person] of people.entries()) {
    const { conversation, send } = await talk(person, bot);
    const first = conversation.turns.at(-1)?.id ?? null;
    const text = n === 0 ? "Straight to the kitchen, please" : PICKED;
    expect((await send(text, first)).status).toBe(200);
  }
  const estimate = { filter: { ...filter, chatbotId: bot.id }, connectorId: null, sample: { kind: "all" as const } };
  expect((await boss(analysisRuns.estimate, { body: estimate })).body.conversations).toBe(1);
  const run = await startRun(bot.id, { kind: "counts", connectorId: null });
  await work();
  const result = await read(run.id);
  expect(result).toMatchObject({ conversations: 1, counts: { people: 1, messages: 1, phrases: [] } });
});

test("a suggested reply is neither counted nor quoted", async () => {
  const bot = await createBot(admin, { access: "signedIn", quickReplies: [SUGGESTED] });
  for (const person of people) {
    const { send, read: readTalk } = await talk(person, bot);
    await send(SUGGESTED);
    await expect.poll(async () => (await readTalk()).turns.at(-1)?.role).toBe("assistant");
    await expect.poll(async () => (await readTalk()).turns.at(-1)?.state).not.toMatch(/waiting|streaming/);
    const answer = (await readTalk()).turns.at(-1)?.id ?? null;
    expect((await send("The night shift has no briefing", answer)).status).toBe(200);
  }
  const run = await startRun(bot.id);
  const quotes = (turn: number, quote: string) => people.map((_, n) => ({ conversation: n + 1, turn, quote }));
  say([
    { known: null, text: "They ask for gloves.", detail: "", quotes: quotes(1, SUGGESTED) },
    { known: null, text: "They miss briefings.", detail: "", quotes: quotes(3, "night shift has no briefing") },
  ]);
  await work();
  const result = await read(run.id);
  expect(result.statements.map(({ text }) => text)).toEqual(["They miss briefings."]);
  expect(result.dropped).toBe(1);
  expect(result.counts).toMatchObject({ people: people.length, messages: people.length });
  expect(result.counts.phrases.map(({ text }) => text).join()).not.toMatch(/glove/);
  const sent = JSON.stringify(provider.chats().at(-1));
  expect(sent).toMatch(/choice[^}]*Which gloves/);
});
