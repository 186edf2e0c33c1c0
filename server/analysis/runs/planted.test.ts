import { afterAll, expect, test } from "vitest";
import { createAnalysisMaker } from "#test/analyses.ts";
import { PLANTED, plantedQuestions, plantedThemes, plantMessages } from "#test/plantedConversations.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

// What an analysis finds in 200 conversations whose themes and unanswered questions are known. Without stems it would
// be three themes instead of nine, and 25 groups of questions instead of 13; the questions are ten in other words. Not
// found are synonyms (bicycle, bike) and strong forms of German verbs (beantragen, beantragt). The conversations were
// written for this test: real ones have rarer themes.

const server = await start();
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const { plant, startRun, work, read } = await createAnalysisMaker(server, provider);
const messages = plantMessages();
const chatbotId = await plant(
  messages.map(({ text }) => text),
  (at) => messages[at]?.question !== null,
);
const themeOf = (text: string) => plantedThemes.findIndex(({ texts }) => texts.includes(text));
const questionOf = (text: string) => plantedQuestions.findIndex((texts) => texts.includes(text));

test("without a model: nine themes by a phrase, and 31 questions in thirteen groups", async () => {
  expect([messages.length, plantedQuestions.flat().length]).toEqual([PLANTED, 31]);
  const run = await startRun(chatbotId, { kind: "counts", connectorId: null });
  await work();
  const { counts } = await read(run.id);
  const foundThemes = plantedThemes.filter(({ words }) => counts.phrases.some(({ text }) => words.test(text)));
  expect(foundThemes).toHaveLength(9);
  expect(counts.phrases.every(({ text }) => plantedThemes.some(({ words }) => words.test(text)))).toBe(true);
  expect(counts.unanswered.reduce((sum, { times }) => sum + times, 0)).toBe(31);
  // No group mixes two questions; a question in entirely different words is a group by itself.
  for (const { question, others } of counts.unanswered)
    expect(new Set([question, ...others].map(questionOf)).size, question).toBe(1);
  expect(counts.unanswered).toHaveLength(13);
});

/** A model that names the theme of every message, with the whole message as its quote. */
function findThemes(told: string) {
  const knownStatements = JSON.parse(/^Known statements: (.*)$/m.exec(told)?.[1] ?? "[]") as {
    number: number;
    text: string;
  }[];
  const sent = JSON.parse(told.slice(told.lastIndexOf('\n[{"number"'))) as {
    number: number;
    turns: { number: number; role: string; text: string }[];
  }[];
  const messages = sent.flatMap(({ number, turns }) =>
    turns.flatMap((turn) =>
      turn.role === "user" ? { conversation: number, turn: turn.number, quote: turn.text } : [],
    ),
  );
  const statements = plantedThemes.flatMap(({ name }, theme) => {
    const quotes = messages.filter(({ quote }) => themeOf(quote) === theme);
    const same = knownStatements.find(({ text }) => text === name)?.number ?? null;
    return quotes.length > 0 ? [{ known: same, text: name, detail: "", quotes }] : [];
  });
  return JSON.stringify({ statements });
}

test("with a model that finds them: all nine themes, all their people, exact quotes", async () => {
  provider.always({ structured: findThemes });
  const run = await startRun(chatbotId);
  await work();
  const result = await read(run.id);
  expect(result).toMatchObject({ state: "done", read: PLANTED, dropped: 0, hidden: 0, quotes: PLANTED - 31 });
  const planted = plantedThemes.map(({ name }, theme) => ({
    text: name,
    people: messages.filter((message) => message.theme === theme).length,
  }));
  const byText = (a: { text: string }, b: { text: string }) => a.text.localeCompare(b.text);
  expect(result.statements.map(({ text, people }) => ({ text, people })).toSorted(byText)).toEqual(
    planted.toSorted(byText),
  );
  for (const { text, quotes } of result.statements)
    for (const { quote, before, after } of quotes) {
      expect(plantedThemes[themeOf(quote)]?.name).toBe(text);
      expect([before, after]).toEqual(["", ""]);
    }
});
