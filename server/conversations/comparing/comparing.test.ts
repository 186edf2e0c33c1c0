import { sql } from "kysely";
import { expect, test } from "vitest";
import { createComparer } from "#test/comparisons.ts";
import { analysis } from "#shared/analysis/analysis.ts";
import { audit } from "#shared/audit/audit.ts";
import type { BotSettingsInput } from "#shared/chatbots/botSettings.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { prompts } from "#shared/prompts/prompts.ts";
import type { Person } from "#test/start.ts";
import { startTalks } from "#test/talks.ts";
import { createValueMaker } from "#test/values.ts";

// An earlier question, asked again of the currently published version of its chatbot

const talks = await startTalks();
const { server, createBot, talk, visit, admin, provider, connector, handbook, ask } = talks;
const { as, make, db } = server;
const { compare, publish, questionOf } = createComparer(talks);
const { createGroup, setValues, folded, define } = createValueMaker(server);
const { company, learners, course, sessions } = await createGroup(1);
const [learner] = learners as [Person];
const QUESTION = "How many days of paid holiday do I have?";

/**
 * The tables that a comparison writes: usage log, budgets, audit log, its rate limit, and the state of the connector.
 */
const WRITTEN = ["ai_usage", "ai_budgets", "audit_entries", "throttles", "connectors"];
/** Every row of all other tables. */
async function readRecord() {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
  const record: Record<string, unknown> = {};
  for (const { name } of rows.filter((table) => !WRITTEN.includes(table.name)))
    record[name] = (await sql`select to_jsonb(t) as row from ${sql.table(name)} t order by 1`.execute(db)).rows;
  return record;
}
const limitsOf = async () =>
  (await sql`select key, tries from throttles order by key`.execute(db)).rows as { key: string }[];

const settings: BotSettingsInput = {
  connectorId: connector.id,
  documentIds: [handbook.documentId],
  persona: "Speak as Vera.",
};

test("the published version answers a question again, with its history and sources", async () => {
  const bot = await createBot(admin, settings);
  const chat = await talk(learner, bot);
  provider.next({ text: ["Hello ", "Lea."] });
  const first = await ask(chat, "My name is Lea.");
  provider.next({ text: ["Twenty ", "days."], usage: { input: 240, output: 10 } });
  const answer = await ask(chat, QUESTION, first.id);
  await publish(bot, { persona: "Speak as Nora." });
  provider.next({ text: ["Thirty ", "days [1]."], usage: { input: 240, output: 10 } });
  const { events, begin, end } = await compare(await questionOf(chat, QUESTION));
  expect(begin).toMatchObject({
    question: QUESTION,
    version: 2,
    recorded: { text: "Twenty days.", version: 1, model: "stand-in-large", costMicros: 260 },
  });
  expect(begin?.recorded?.firstMs).toBeGreaterThanOrEqual(0);
  expect(events.flatMap((event) => (event.type === "text" ? event.text : []))).toEqual(["Thirty ", "days [1]."]);
  expect(end?.answer).toMatchObject({
    state: "done",
    text: "Thirty days [1].",
    version: 2,
    connector: connector.name,
    insteadOf: null,
    sources: [{ n: 1, title: "Handbook", heading: "Holidays" }],
    tokensIn: 240,
    tokensOut: 10,
    costMicros: 260,
  });
  expect(end?.answer.passages[0]?.title).toBe("Handbook");
  expect(end?.answer.totalMs).toBeGreaterThanOrEqual(end?.answer.firstMs ?? Infinity);
  const told = provider.chats().at(-1)?.asked?.text ?? "";
  expect(told).toContain("Speak as Nora.");
  expect(told).toContain("My name is Lea.");
  expect(told).toContain("Hello Lea.");
  expect(told).not.toContain("Twenty days.");
  expect((await chat.read()).turns.find(({ id }) => id === answer.id)?.text).toBe("Twenty days.");
});

test("only the usage log and the audit log change; the learner's limits do not", async () => {
  const variable = await define(admin, { key: "team", type: "text", scope: "learner" });
  const bot = await createBot(admin, {
    ...settings,
    writeVariableIds: [variable.id],
    limits: { perPerson: 1, perConversation: 1, perDay: 1 },
  });
  const chat = await talk(learner, bot);
  provider.next({ text: ["Twenty."] });
  await ask(chat, QUESTION);
  await folded();
  const other = await make.admin();
  const [before, limits] = [await readRecord(), await limitsOf()];
  const questionId = await questionOf(chat, QUESTION);
  const { end } = await compare(questionId, other);
  expect(end?.answer.state).toBe("done");
  expect(await readRecord()).toEqual(before);
  // The only new limit is that of this admin's comparisons.
  const known = limits.map(({ key }) => key);
  expect((await limitsOf()).filter(({ key }) => known.includes(key))).toEqual(limits);
  const { items } = (await as(admin)(connectors.usage, { query: { purpose: "comparison" } })).body;
  expect(items[0]).toMatchObject({ purpose: "comparison", status: "done", company: company.name });
  const entry = (await as(admin)(audit.list, { query: { action: "conversations.compare" } })).body.items[0];
  expect(entry).toMatchObject({ personId: learner.user.id, actorId: other.user.id, companyId: company.id });
  const own = (await as(learner)(audit.mine)).body.items.find(({ action }) => action === "conversations.compare");
  expect(own).toBeDefined();
  const { readers } = (await as(learner)(analysis.review, { params: { id: chat.conversation.id } })).body;
  expect(readers).toMatchObject([{ at: entry?.at }]);
});

test("a comparison uses variables as of the question, and the current prompt", async () => {
  const variable = await define(admin, {
    key: "rating",
    scope: "learner",
    courses: [{ courseId: course.id, access: "both" }],
  });
  const made = await as(admin)(prompts.create, {
    body: { key: "tone", name: "Tone", purpose: "chatbot", body: "First prompt, rated {{rating}}." },
  });
  const params = { id: made.body.id };
  const live = await as(admin)(prompts.setLive, {
    params,
    body: { versionId: made.body.draft.id, version: made.body.version },
  });
  const bot = await createBot(admin, { ...settings, promptId: made.body.id, readVariableIds: [variable.id] });
  await setValues(sessions[0], [["rating", 3]]);
  const chat = await talk(learner, bot);
  await ask(chat, QUESTION);
  expect(provider.chats().at(-1)?.asked?.text).toContain("First prompt, rated 3.");
  await setValues(sessions[0], [["rating", 8]]);
  const second = await as(admin)(prompts.saveVersion, {
    params,
    body: { body: "Second prompt, rated {{rating}}.", note: "", version: live.body.version },
  });
  await as(admin)(prompts.setLive, {
    params,
    body: { versionId: second.body.draft.id, version: second.body.version },
  });
  const { begin, end } = await compare(await questionOf(chat, QUESTION));
  expect(begin).toMatchObject({ hasValues: true, recorded: { prompt: { name: "Tone", number: 1 } } });
  expect(end?.answer.prompt).toEqual({ name: "Tone", number: 2 });
  expect(provider.chats().at(-1)?.asked?.text).toContain("Second prompt, rated 3.");
  expect(provider.chats().at(-1)?.asked?.text).not.toContain("rated 8");
  // As for answers from before prompts were recorded.
  await db.updateTable("aiUsage").set({ promptVersionId: null }).where("chatbotId", "=", bot.id).execute();
  const unknown = await compare(await questionOf(chat, QUESTION));
  expect(unknown.begin?.recorded?.prompt).toEqual({ name: "Tone", number: null });
});

test("a scene is asked in the state that it had, and needs no model", async () => {
  const step = (id: string, says: string, choices: [string, string][]) => ({
    id,
    says,
    choices: choices.map(([label, to]) => ({ label, to })),
  });
  const scene = (end: string) => [
    step("start", "A customer complains.", [
      ["Listen", "calm"],
      ["Argue", "lost"],
    ]),
    step("calm", "The customer calms down.", [
      ["Offer help", "won"],
      ["Listen", "start"],
    ]),
    { ...step("won", end, []), reachesGoal: true },
    step("lost", "The customer leaves.", []),
  ];
  const bot = await createBot(admin, { pedagogy: "scene", scene: scene("The customer stays.") as never });
  const chat = await talk(learner, bot);
  const opening = (await chat.read()).turns[0]?.id as string;
  const calm = await ask(chat, "Listen", opening);
  await ask(chat, "Offer help", calm.id);
  await publish(bot, { scene: scene("The customer thanks you.") as never });
  const count = provider.chats().length;
  const offered = await compare(await questionOf(chat, "Offer help"));
  expect(offered.begin?.recorded?.text).toBe("The customer stays.");
  expect(offered.end?.answer).toMatchObject({ text: "The customer thanks you.", version: 2, connector: null });
  expect((await compare(await questionOf(chat, "Listen"))).end?.answer).toMatchObject({
    text: "The customer calms down.",
    options: ["Offer help", "Listen"],
  });
  const other = scene("The customer stays.").filter(({ id }) => id !== "calm");
  other[0] = step("start", "A customer complains.", [["Listen", "won"]]);
  await publish(bot, { scene: other as never });
  expect((await compare(await questionOf(chat, "Offer help"))).notAsked).toMatchObject({ reason: "noStep" });
  expect(provider.chats()).toHaveLength(count);
});

test("a visitor's question is asked with public documents and without values", async () => {
  const bot = await createBot(admin, { ...settings, access: "public" });
  const chat = await talk(await visit(bot), bot);
  await ask(chat, QUESTION);
  const { begin, end } = await compare(await questionOf(chat, QUESTION));
  expect(begin?.hasValues).toBe(false);
  expect(end?.answer.state).toBe("done");
});
