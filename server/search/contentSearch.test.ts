import { sql } from "kysely";
import { expect, test } from "vitest";
import { botSettings } from "#shared/chatbots/botSettings.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { courses } from "#shared/courses/courses.ts";
import { buttonPrompts } from "#shared/prompts/buttonPrompts.ts";
import { prompts } from "#shared/prompts/prompts.ts";
import { views } from "#shared/reports/views.ts";
import { search, SEARCH_LIMIT, type SearchKind } from "#shared/search/search.ts";
import { variables } from "#shared/variables/variables.ts";
import { createBotMaker } from "#test/bots.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { type Person, start } from "#test/start.ts";

// The search for chatbots, what they use, conversations and saved views

const server = await start();
const { as, make, db } = server;
const { createBot, talk, addDocument } = createBotMaker(server);
const admin = await make.admin();

const find = async (person: Person, q: string) => (await as(person)(search.find, { query: { q } })).body;
const content = ["chatbots", "conversations", "documents", "prompts", "buttonPrompts", "variables", "views"] as const;
const countsOf = async (person: Person, q: string) => {
  const results = await find(person, q);
  return Object.fromEntries(content.map((kind) => [kind, results[kind].items.length]));
};
const addPrompt = async (name: string, key: string) =>
  (await as(admin)(prompts.create, { body: { name, key, purpose: "button", body: "Text" } })).body;
const nothing = Object.fromEntries(content.map((kind) => [kind, 0]));

test("an admin finds chatbots, content, conversations and saved views by name", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, {}, "Saffron guide");
  await (await talk(learner, bot)).send("How do I store saffron?");
  const { documentId } = await addDocument("Saffron handbook", "Text about spices.");
  const prompt = await addPrompt("Saffron summary", "saffron-summary");
  const button = await as(admin)(buttonPrompts.create, {
    body: { key: "saffron-button", label: "Ask about saffron", promptId: prompt.id, failureText: "Try again later" },
  });
  expect(button.status).toBe(200);
  const variable = await as(admin)(variables.create, {
    body: { key: "saffron_score", label: "Saffron score", type: "number", courses: [] },
  });
  const view = await as(admin)(views.create, { body: { name: "Saffron people", path: "/learners", query: "q=x" } });
  const results = await find(admin, "saffron");
  expect(results.chatbots.items).toEqual([{ id: bot.id, name: "Saffron guide", status: "published", courseId: null }]);
  expect(results.documents.items.map(({ id }) => id)).toEqual([documentId]);
  expect(results.prompts.items.map(({ id }) => id)).toEqual([prompt.id]);
  expect(results.buttonPrompts.items.map(({ id }) => id)).toEqual([button.body.id]);
  expect(results.variables.items.map(({ id }) => id)).toEqual([variable.body.id]);
  expect(results.views.items).toMatchObject([{ id: view.body.id, path: "/learners", query: "q=x", isMine: true }]);
  expect(results.conversations.items).toMatchObject([{ chatbot: "Saffron guide", person: learner.user.name }]);
  expect((await find(admin, learner.user.email)).conversations.items).toHaveLength(1);
  expect(await countsOf(learner, "saffron")).toEqual({ ...nothing, chatbots: 1, conversations: 1 });
});

test("learners find their own conversations, but not those of colleagues", async () => {
  const { company, learner } = await make.classroom();
  const colleague = await make.learner(company.accessCode, "Nils Topp");
  const bot = await createBot(admin, {}, "Ginger guide");
  await (await talk(learner, bot)).send("How do I peel ginger?");
  await (await talk(colleague, bot)).send("Where is the ginger?");
  const titles = async (person: Person) => (await find(person, "ginger")).conversations.items.map(({ title }) => title);
  expect(await titles(learner)).toEqual(["How do I peel ginger?"]);
  expect(await titles(colleague)).toEqual(["Where is the ginger?"]);
  expect((await find(learner, "Nils Topp")).conversations.items).toEqual([]);
});

test("messages are not searched, and neither are previews", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin);
  const { send, conversation } = await talk(learner, bot);
  await send("What is the weather?");
  await db.updateTable("conversations").set({ title: "Weather" }).where("id", "=", conversation.id).execute();
  await db.updateTable("turns").set({ text: "A secret word: xylophone" }).execute();
  expect((await find(admin, "xylophone")).conversations.items).toEqual([]);
  expect((await find(admin, "weather")).conversations.items).toHaveLength(1);
  await db.updateTable("conversations").set({ isPreview: true }).where("id", "=", conversation.id).execute();
  expect((await find(admin, "weather")).conversations.items).toEqual([]);
});

test("each kind is ranked by how it matches, and limited", async () => {
  for (const [name, key] of [
    ["Overview of quartz", "a-1"],
    ["Quartz", "a-2"],
    ["Quartz basics", "a-3"],
    ["Subquartz", "a-4"],
  ] as const)
    await addPrompt(name, key);
  const found = (await find(admin, "quartz")).prompts;
  expect(found.items.map(({ name }) => name)).toEqual(["Quartz", "Quartz basics", "Overview of quartz", "Subquartz"]);
  for (let n = 0; n <= SEARCH_LIMIT; n++) await createBot(admin, {}, `Granite ${n}`);
  const { items, more } = (await find(admin, "granite")).chatbots;
  expect([items.length, more]).toEqual([SEARCH_LIMIT, true]);
});

test("archived rows come after active ones and are marked", async () => {
  const first = await createBot(admin, {}, "Basalt A");
  await createBot(admin, {}, "Basalt B");
  await db.updateTable("chatbots").set({ status: "archived" }).where("id", "=", first.id).execute();
  const found = (await find(admin, "basalt")).chatbots.items.map(({ name, status }) => [name, status]);
  expect(found).toEqual([
    ["Basalt B", "published"],
    ["Basalt A", "archived"],
  ]);
});

test("an admin of one company finds only what belongs to it", async () => {
  const [own, other] = [await make.classroom(), await make.classroom()];
  await limitToCompany(db, own.admin, own.company.id);
  for (const { company, learner } of [own, other]) {
    const bot = await createBot(admin, { companyIds: [company.id] }, `Topaz ${company.id}`);
    await (await talk(learner, bot)).send("Where is the topaz?");
    const { documentId } = await addDocument(`Topaz of ${company.id}`, "Text");
    await db.updateTable("documents").set({ companyId: company.id }).where("id", "=", documentId).execute();
    await db
      .insertInto("savedViews")
      .values({
        ownerId: admin.user.id,
        companyId: company.id,
        name: `Topaz ${company.id}`,
        path: "/learners",
        query: "",
        isShared: true,
      })
      .execute();
  }
  const text = JSON.stringify(await find(own.admin, "topaz"));
  expect(await countsOf(own.admin, "topaz")).toEqual({
    ...nothing,
    chatbots: 1,
    conversations: 1,
    documents: 1,
    views: 1,
  });
  expect(text).toContain(own.company.id);
  expect(text).not.toContain(other.company.id);
  expect((await find(own.admin, other.learner.user.email)).conversations.items).toEqual([]);
  expect((await countsOf(admin, "topaz")).chatbots).toBe(2);
});

test("other people's views are found only if they are shared", async () => {
  const other = await make.admin();
  for (const [name, isShared] of [
    ["Opal mine", false],
    ["Opal ours", true],
  ] as const)
    await as(other)(views.create, { body: { name, path: "/courses", query: "", isShared } });
  expect((await find(admin, "opal")).views.items.map(({ name }) => name)).toEqual(["Opal ours"]);
  expect((await find(other, "opal")).views.items).toHaveLength(2);
});

test("a learner finds exactly the chatbots that they can open", async () => {
  const room = await make.classroom();
  const outside = await make.classroom();
  const settings = (input: Parameters<typeof botSettings.parse>[0]) => botSettings.parse(input);
  const bots = {
    signedIn: await createBot(admin, settings({ access: "signedIn" }), "Jade signed in"),
    everyone: await createBot(admin, settings({ access: "public" }), "Jade public"),
    ownCompany: await createBot(admin, settings({ companyIds: [room.company.id] }), "Jade own company"),
    otherCompany: await createBot(admin, settings({ companyIds: [outside.company.id] }), "Jade other company"),
    ownCourse: await createBot(admin, settings({ access: "course", courseIds: [room.course.id] }), "Jade course"),
    otherCourse: await createBot(admin, settings({ access: "course", courseIds: [outside.course.id] }), "Jade away"),
    paused: await createBot(admin, {}, "Jade paused"),
  };
  await db.updateTable("chatbots").set({ status: "paused" }).where("id", "=", bots.paused.id).execute();
  await as(admin)(chatbots.create, { body: { name: "Jade draft", settings: botSettings.parse({}) } });
  const found = (await find(room.learner, "jade")).chatbots.items;
  for (const [kind, bot] of Object.entries(bots)) {
    const hit = found.find(({ id }) => id === bot.id);
    const courseId = hit?.courseId ?? (kind.endsWith("Course") ? room.course.id : null);
    const opened = await as(room.learner)(chatbots.open, {
      params: { id: bot.id },
      query: courseId ? { courseId } : {},
    });
    expect([kind, hit !== undefined]).toEqual([kind, opened.status === 200]);
  }
  expect(found.map(({ name }) => name)).toEqual(["Jade course", "Jade own company", "Jade public", "Jade signed in"]);
  expect(found.find(({ id }) => id === bots.ownCourse.id)?.courseId).toBe(room.course.id);
  const body = { userIds: [room.learner.user.id] };
  await as(admin)(courses.withdraw, { params: { id: room.course.id }, body });
  expect((await find(room.learner, "jade")).chatbots.items.map(({ name }) => name)).not.toContain("Jade course");
});

test("the names of every kind are searched with an index", async () => {
  const indexes: Partial<Record<SearchKind, [table: string, column: string]>> = {
    chatbots: ["chatbots", "name"],
    conversations: ["conversations", "title"],
    documents: ["documents", "title"],
    prompts: ["prompts", "name"],
    buttonPrompts: ["button_prompts", "label"],
    variables: ["variables", "label"],
    views: ["saved_views", "name"],
  };
  for (const [kind, [table, column]] of Object.entries(indexes)) {
    const plan = await db.transaction().execute(async (tx) => {
      // Otherwise small tables are read completely.
      await sql`set local enable_seqscan = off`.execute(tx);
      return sql`explain select from ${sql.table(table)} where ${sql.ref(column)} ilike '%granite%'`.execute(tx);
    });
    expect([kind, JSON.stringify(plan.rows)]).toEqual([kind, expect.stringContaining("trigrams")]);
  }
});
