import { afterAll, expect, test } from "vitest";
import { createAnalysisMaker } from "#test/analyses.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

// Which phrases an analysis without a model shows as typical

const server = await start();
const { db } = server;
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const { company, plant, startRun, work, read } = await createAnalysisMaker(server, provider);

async function phrasesOf(chatbotId: string) {
  const run = await startRun(chatbotId, { kind: "counts", connectorId: null });
  await work();
  return (await read(run.id)).counts.phrases;
}
const each = (times: number, texts: string[]) => Array.from({ length: times }, (_, at) => texts[at % texts.length]!);

// First, because the conversations of all tests are the others.
test("what is said to other chatbots as often is not typical, what is said here is", async () => {
  const everywhere = ["The login page asks for a code twice.", "Login page: where does the code come from?"];
  await plant(each(60, everywhere));
  const chatbotId = await plant([
    ...each(30, everywhere),
    ...each(12, ["Which harness for the roof?", "A roof harness"]),
  ]);
  const texts = (await phrasesOf(chatbotId)).map(({ text }) => text);
  expect(texts[0]).toMatch(/roof harness|harness for the roof/);
  expect(texts.join(" ")).not.toMatch(/login/);
});

test.each([
  [
    "en",
    ["Hello, sorry to bother you, can you please help me?", "Thanks a lot, have a nice day, goodbye!"],
    "pallet jack",
  ],
  ["de", ["Guten Tag, Entschuldigung, können Sie mir bitte helfen?", "Vielen Dank, schönen Tag noch!"], "hubwagen"],
  ["fr", ["Bonjour, désolé, pouvez-vous m'aider s'il vous plaît ?", "Merci beaucoup, bonne journée !"], "transpalette"],
  ["es", ["Hola, buenos días, ¿me puede ayudar, por favor?", "Muchas gracias, perdone las molestias"], "transpaleta"],
])("greetings, thanks and excuses are no theme (%s)", async (_language, courtesies, subject) => {
  const chatbotId = await plant([...each(60, courtesies), ...each(12, [`${courtesies[0]} ${subject}?`])]);
  const phrases = await phrasesOf(chatbotId);
  expect(phrases.map(({ text }) => text)[0]).toBe(subject);
  expect(phrases.map(({ text }) => text).join(" ")).not.toMatch(
    /hello|thank|sorry|danke|tag|bonjour|merci|hola|gracias/,
  );
});

test("no phrase has the name of a person, in any case", async () => {
  await db
    .insertInto("users")
    .values({ email: "z@example.com", name: "Zora Quill", role: "learner", status: "active", companyId: company.id })
    .execute();
  const chatbotId = await plant(
    each(24, [
      "Zora Quill changes the shift plan without asking.",
      "Why does zora change my shift plan?",
      "Ask QUILL about the shift plan.",
    ]),
  );
  const phrases = await phrasesOf(chatbotId);
  expect(phrases.map(({ text }) => text)).toContain("shift plan");
  expect(JSON.stringify(phrases)).not.toMatch(/zora|quill/i);
});

test("a phrase counts once in a conversation, and words about any subject are none", async () => {
  const chatbotId = await plant([
    ...each(15, ["Winch cable, winch cable, winch cable! Where is the winch cable?"]),
    ...each(15, ["Can I change something today?", "What happens next week?"]),
  ]);
  const phrases = await phrasesOf(chatbotId);
  expect(phrases).toEqual([{ text: "winch cable", conversations: 15, people: 15 }]);
});
