import { expect, test } from "vitest";
import { z } from "zod";
import { embed } from "#server/connectors/embeddings.ts";
import { completeStructured } from "#server/connectors/gateway.ts";
import { createMask } from "#server/connectors/masking.ts";
import { indexNames } from "#server/connectors/nameIndex.ts";
import { createRandom } from "#server/demo/random.ts";
import { scaled } from "#test/long.ts";
import { connect } from "#test/providers/connect.ts";
import { startTalks } from "#test/talks.ts";

// A company that masks names: providers get placeholders, and learners see the names in answers

const { server, createBot, talk, admin, provider, connector, ask } = await startTalks();
const { as, make, services } = server;
const SEED = Number(process.env.SEED ?? 7);
const ROUNDS = scaled(25, 400);
const PEOPLE = [
  "Lea Berg",
  "Jean-Luc d'Artagnan",
  "Łukasz Żółć",
  "王伟",
  "Ana María de la Cruz",
  "Bo Ek",
  "Søren Ågård",
  "Will Stone",
  "Siobhán O’Neill",
  "김민준",
  "Mark",
];
/** Texts with digits that are not phone numbers. */
const PLAIN = ["2026-11-22", "1,250 of 14", "05.06.2026", "1.2.2026-5.2.2026", "2026-11-22-10-15", "5/6/26"];
const PARTICLES = ["de", "la", "d"];
const wordsOf = (name: string) => name.match(/[\p{L}\p{M}]+/gu) ?? [];
const partsOf = (name: string) => wordsOf(name).filter((word) => word.length > 1 && !PARTICLES.includes(word));
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** Texts of the list that occur in a text as separate words; for scripts without spaces, anywhere. */
const foundIn = (text: string, list: string[]) =>
  list.filter((one) =>
    /^[\p{Script=Han}\p{Script=Hangul}]+$/u.test(one)
      ? text.includes(one)
      : new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${escape(one)}(?![\\p{L}\\p{M}\\p{N}])`, "u").test(text),
  );

const company = await make.company(admin, { maskNames: true });
const [learner] = await Promise.all(PEOPLE.map((name) => make.learner(company.accessCode, name)));
if (!learner) throw new Error("no learner");
const limits = { perAddress: 1000, perPerson: 1000 };
const bot = await createBot(admin, {
  connectorId: connector.id,
  persona: "You know Łukasz Żółć of the workshop.",
  limits,
});
/** The last message to the provider, without our own instructions. */
const lastAsked = () => provider.chats().at(-1)?.asked?.text ?? "";

test(`providers read no names or contacts, and learners read all (seed ${SEED})`, { timeout: 600_000 }, async () => {
  const random = createRandom(SEED);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const mention = (): { text: string; hidden: string[] } => {
    const name = pick(PEOPLE);
    const words = name.split(" ");
    const forms = [
      () => name,
      () => name.toUpperCase(),
      () => (words.length > 1 ? `${words.at(-1)}, ${words.slice(0, -1).join(" ")}` : name),
      () => pick(partsOf(name)),
      () => pick(partsOf(name)).toUpperCase(),
      () => `${name}'s`,
      () => `(${name})`,
    ];
    const user = `${pick(["lea.berg", "x_y+z", "größe"])}${Math.floor(random() * 1000)}`;
    const email = `${user}@${pick(["mail.example", "a-b.example.com"])}`;
    const phone = pick([
      "+47 22 33 44 55",
      "0043 1 5550 1234",
      "(030) 123 45 67",
      "555-123-4567",
      "07700 900123",
      "+15551234567",
      "06.12.34.56.78",
      "12.34.56.78",
      "0171-23-45678",
    ]);
    const one = random();
    if (one < 0.2) return { text: email, hidden: [email] };
    if (one < 0.35) return { text: phone, hidden: [phone] };
    const text = pick(forms)();
    return { text, hidden: [...partsOf(name), ...partsOf(name).map((part) => part.toUpperCase())] };
  };
  for (let round = 0; round < ROUNDS; round++) {
    const mentions = Array.from({ length: 1 + Math.floor(random() * 5) }, mention);
    const fill = () => pick([" wrote to ", "\n- ", ", ", ": ", "\t", ...PLAIN.map((plain) => ` on ${plain}. `)]);
    const text = `Question ${round}: ${mentions.map((one) => one.text + fill()).join("")}lea berg?`;
    provider.next({ obeys: true, pieceChars: 1 + Math.floor(random() * 16) });
    const answer = await ask(await talk(learner, bot), text);
    const hidden = [...mentions.flatMap((one) => one.hidden), "Łukasz", "Żółć", "lea", "berg"];
    expect(foundIn(lastAsked(), hidden), text).toEqual([]);
    expect(JSON.stringify(provider.chats().at(-1)?.body)).not.toContain("@");
    expect(answer.text, text).toContain(text);
    expect(answer.text).toContain("You know Łukasz Żółć of the workshop.");
    // Other numbers are not masked.
    for (const plain of PLAIN.map((one) => ` ${one}. `)) if (text.includes(plain)) expect(lastAsked()).toContain(plain);
  }
});

test("placeholders are the same within a conversation and differ between conversations", async () => {
  const message = "Ask Søren Ågård about it.";
  const placeholder = () => /Ask (Person\w{6}) about it/.exec(lastAsked())?.[1];
  const chat = await talk(learner, bot);
  const first = await ask(chat, message);
  const one = placeholder();
  const second = await ask(chat, "And then?", first.id);
  expect(one).toMatch(/^Person/);
  expect(placeholder()).toBe(one);
  await ask(chat, message, second.id);
  expect(lastAsked().split(`Ask ${one} about it.`)).toHaveLength(3);
  await ask(await talk(learner, bot), message);
  expect(placeholder()).toMatch(/^Person/);
  expect(placeholder()).not.toBe(one);
});

test("structured answers have the names back, also within JSON", async () => {
  provider.next({});
  const chat = await talk(learner, bot);
  const call = {
    purpose: "chat" as const,
    connectorId: connector.id,
    companyId: company.id,
    userId: learner.user.id,
    conversationId: chat.conversation.id,
  };
  const content = JSON.stringify(["First line\nLea Berg", "Siobhán O’Neill"]);
  await ask(chat, content);
  const masked = /\["First line\\n(Person\w{6})","(Person\w{6})"\]/.exec(lastAsked());
  expect(masked).not.toBeNull();
  provider.next({ structured: JSON.stringify({ who: [masked?.[1], masked?.[2]] }) });
  const messages = [{ role: "user" as const, content }];
  const { value } = await completeStructured(services, { ...call, messages }, z.object({ who: z.array(z.string()) }));
  expect(value.who).toEqual(["Lea Berg", "Siobhán O’Neill"]);
});

test("questions are masked before they become vectors, too", async () => {
  const embedder = await connect(as(admin), provider, { name: "Vectors", embeds: true });
  await embed(services, {
    connectorId: embedder.id,
    companyId: company.id,
    userId: learner.user.id,
    texts: ["What did Lea Berg (lea@mail.example) ask?"],
  });
  const sent = JSON.stringify(provider.requests.at(-1)?.body);
  expect(sent).toMatch(/What did Person\w{6} \(Email\w{6}\) ask\?/);
});

test("an analysis of all companies names nobody of a company that masks names", async () => {
  provider.next({ structured: '{"said":"nothing"}' });
  await completeStructured(
    services,
    {
      purpose: "analysis",
      connectorId: connector.id,
      companyId: null,
      messages: [{ role: "user", content: '[{"role":"user","text":"Hello,\\nSøren Ågård here"}]' }],
    },
    z.object({ said: z.string() }),
  );
  expect(lastAsked()).toMatch(/Person\w{6} here/);
  expect(lastAsked()).not.toContain("Søren");
});

test("a company that does not ask for it sends names as they are", async () => {
  const { learner: other } = await make.classroom();
  await ask(await talk(other, bot), "Ask Lea Learner, lea@mail.example.");
  expect(lastAsked()).toContain("Ask Lea Learner, lea@mail.example.");
  expect(lastAsked()).not.toContain("stand for names");
});

test("texts to embed hide the name of their writer in any case, as messages do", async () => {
  const mask = createMask({ names: [], ownName: "Marisol Quist", seed: "x" });
  expect(await mask.texts(["i am marisol, what is due?"])).not.toEqual([expect.stringContaining("marisol")]);
});

const maskOf = async (text: string) => (await createMask({ names: [], ownName: null, seed: "x" }).texts([text]))[0];
const PHONES = [
  "06.12.34.56.78",
  "12.34.56.78",
  "0171-23-45678",
  "0171-11-22-33",
  "06/12/34/56/78",
  "+33 6.12.34.56.78",
  "555.123.4567",
  "0043 1 5550 1234",
];
test.for(PHONES)("%s is masked", async (phone) => {
  for (const rest of ["", ".", ", please", " 2026-11-22", " (work)", " 05.06.2026 10:15"])
    for (const before of ["Call ", "In 2024. ", "On 5/6/26 ", "It has 1,250 pages. "])
      expect((await maskOf(before + phone + rest))?.replace(/Phone\w{6}/, "…")).toBe(`${before}…${rest}`);
});

const ROWS = [
  ["030/1234567 0171/7654321", "… …"],
  ["05.11.22.33.44 05.11.22.33.45", "… …"],
  ["030 1234567 / 0171 7654321", "… / …"],
  ["030 1234567 - 0171 7654321", "… - …"],
  ["030 1234567 - (0171) 7654321", "… - …"],
  ["030 1234567 / +49 171 7654321", "… / …"],
  ["0171 1234567 12345", "… 12345"],
  ["030/1234567/0171/7654321", "…/…"],
  ["555 123 4567 555 765 4321", "… …"],
  ["(030) 12 34 56 (0171) 76 54 32", "… …"],
  ["0049 (30) 1234567 (0171) 7654321", "… …"],
  ["030/1234567 0171/7654321 0172/1111111", "… … …"],
  ["0043 1 5550 1234/0043 1 5550 1234", "…/…"],
  ["030/1234567/+49 171 7654321", "…/…"],
  ["030 123456 - 0", "…"],
  ["1250 0171123456", "1250 …"],
] as const;
test.for(ROWS)("of %s each number is masked", async ([text, masked]) => {
  for (const [before, rest] of [
    ["", ""],
    ["Call ", ", please"],
    ["On 5/6/26 ", " (work)"],
  ] as const)
    expect((await maskOf(before + text + rest))?.replace(/Phone\w{6}/g, "…")).toBe(before + masked + rest);
});

const NO_PHONES = [
  ...PLAIN,
  "05-06-2026",
  "05/06/2026",
  "2026/11/22 10:15",
  "2026.11.22 10.15",
  "05.06.2026 10.15-11.45",
  "08.15-09.45",
  "08.15 - 09.45",
  "08:15-09:45",
  "2026-11-22T10:15:00Z",
  "0.1234567",
  "0.25 0.75",
  "1.250.000.000",
  "1,250,000.50",
  "12.34.56",
];
test.for(NO_PHONES)("%s is no phone number", async (text) => {
  for (const whole of [text, `On ${text}.`, `(${text})`, `${text}, ${text}`]) expect(await maskOf(whole)).toBe(whole);
});

test("other work of the node goes on between the texts", async () => {
  const names = [indexNames(["Lea Berg"])];
  let turns = 0;
  let isDone = false;
  const countTurns = () => {
    turns++;
    if (!isDone) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  await createMask({ names, ownName: null, seed: "x" }).texts(Array<string>(64).fill("Lea Berg wrote."));
  isDone = true;
  expect(turns).toBeGreaterThan(30);
});

test.for(["a", "0", "1 ", "0.", "1.000", "12-", "(", "1.1 ", "05.11.", "0123456 ", "01/", "111 222 "])(
  "a message of 100,000 times %s is masked in linear time",
  { timeout: 60_000 },
  async (part) => {
    const mask = createMask({ names: [indexNames(["Lea Berg"])], ownName: null, seed: "x" });
    const started = performance.now();
    expect((await mask.texts([part.repeat(100_000)]))[0]?.length).toBeGreaterThan(0);
    // A search in quadratic time would take minutes.
    expect(performance.now() - started).toBeLessThan(20_000);
  },
);
