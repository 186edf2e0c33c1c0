import { readFileSync } from "node:fs";
import { analysis } from "#shared/analysis/analysis.ts";
import { analysisRuns } from "#shared/analysis/analysisRuns.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { addBot, addDocument, addModel, ask, openChat } from "./chatFixture.ts";
import { expectNoHorizontalScroll, inEveryLook } from "./layout.ts";
import { addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

// What conversations tell: figures, one conversation with its feedback, and what many people say

const HANDBOOK = "# Holidays\n\nEvery employee has thirty days of paid holiday a year.";
const QUESTION = "How many days of paid holiday do I have?";
const UNKNOWN = "Where do I park my bicycle?";

/** Conversations of as many learners, each with one message and an answer, as rows of yesterday. */
const addConversations = ({ query, company }: ServerFixture, chatbotId: string, people: number, text: string) =>
  query(`
    with people as (
      insert into users (email, name, role, status, company_id)
      select gen_random_uuid() || '@norrvik.example', 'Learner ' || n, 'learner', 'active', '${company.id}'
      from generate_series(1, ${people}) n returning id, company_id
    ), talks as (
      insert into conversations (id, chatbot_id, user_id, company_id, questions, started_at, last_at, title)
      select gen_random_uuid(), '${chatbotId}', id, company_id, 1, now() - interval '1 day', now() - interval '1 day',
        '${text}' from people returning id
    ), questions as (
      insert into turns (id, conversation_id, number, role, state, text, created_at)
      select gen_random_uuid(), id, 1, 'user', 'stored', '${text}', now() - interval '1 day' from talks
      returning id, conversation_id
    )
    insert into turns (id, conversation_id, parent_id, number, role, state, text, created_at)
    select gen_random_uuid(), conversation_id, id, 2, 'assistant', 'refused', 'No answer.', now() - interval '1 day'
    from questions`);

test("an admin reads the figures of a chatbot, and opens a question without an answer", async ({ browser, app }) => {
  const documentId = await addDocument(app, "Handbook", HANDBOOK);
  const bot = await addBot(app, "Holiday desk", { access: "signedIn", documentIds: [documentId] });
  const learner = await addLearner(app);
  const chat = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner);
  await ask(chat.page, "Holiday desk", QUESTION);
  await expect(chat.page.getByText("thirty days of paid holiday", { exact: false }).first()).toBeVisible();
  await ask(chat.page, "Holiday desk", UNKNOWN);
  await expect(chat.page.getByText(UNKNOWN).first()).toBeVisible();
  await expect(chat.page.getByRole("button", { name: "Not helpful" })).toHaveCount(2);
  await chat.context.close();

  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.waitForURL(/dashboard/);
  await page.getByRole("link", { name: "Conversation Analytics" }).click();
  const tile = (name: string) => page.getByRole("listitem").filter({ hasText: name }).first();
  await expect(tile("Conversations")).toContainText("1");
  await expect(tile("No answer")).toContainText("50 %");
  const row = page.getByRole("row", { name: /Holiday desk/ });
  await expect(row).toContainText("free");
  await expectAccessible(page, "conversation analytics");
  const numbers = page.getByRole("figure", { name: /conversations in this period/ });
  await numbers.getByText("Show as a table").press("Enter");
  await expectAccessible(page, "conversation analytics, with the numbers of its chart");
  await numbers.getByRole("row").getByRole("link", { name: "1", exact: true }).press("Enter");
  await expect(page.getByRole("tab", { name: "Conversations", selected: true })).toBeVisible();
  await expect(page.getByRole("row", { name: /Holiday desk/ })).toBeVisible();
  await page.goBack();
  await page.getByRole("listitem").filter({ hasText: UNKNOWN }).getByRole("link", { name: "Open" }).click();
  await expect(page.getByRole("dialog", { name: QUESTION }).getByText(UNKNOWN).first()).toBeVisible();
  await page.goto(`${app.url}/reports/conversation-analytics?from=2020-01-01&to=2020-01-31`);
  await expect(page.getByText("No conversations in this period")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  const filters = page.getByRole("button", { name: "Filters: 1 Jan 2020 to 31 Jan 2020" });
  await expect(page.getByRole("button", { name: "Chatbot", exact: true })).toBeHidden();
  await filters.click();
  await expect(page.getByRole("button", { name: "Chatbot", exact: true })).toBeVisible();
  await page.goto(`${app.url}/reports/conversation-analytics`);
  await expect(tile("Conversations")).toBeVisible();
  await expectNoHorizontalScroll(page, "phone");
  await expectAccessible(page, "conversation analytics on a phone");
  await page.getByRole("tab", { name: "Conversations" }).click();
  await expect(page.getByLabel("Search first message or person")).toBeVisible();
  await expect(page.getByRole("button", { name: "Filters", exact: true })).toHaveCount(0);
  await context.close();
});

test(
  "a learner gets feedback that quotes them, disagrees, and sees who has read it",
  { tag: "@long" },
  async ({ browser, app }) => {
    const { provider, connectorId } = await addModel(app, "Feedback model");
    try {
      const rubric = [{ id: "clear", name: "Clear questions", description: "Names facts" }];
      const bot = await addBot(app, "Coach Lea", { access: "signedIn", connectorId, rubric });
      const learner = await addLearner(app);
      const chat = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner);
      await ask(chat.page, "Coach Lea", "I told Jonas that two forms are missing.");
      await expect(chat.page.getByRole("button", { name: "Not helpful" })).toBeVisible();

      const { page } = chat;
      await page.goto(`${app.url}/reports/chatbots`);
      await expect(page.getByRole("heading", { name: "Your conversations" })).toBeVisible();
      await expect(page).toHaveTitle(/^Your conversations · /);
      await expect(page.getByText("Only you have seen this")).toBeVisible();
      provider.next({
        structured: JSON.stringify({
          summary: "You named facts.",
          scores: [{ id: "clear", value: 4, turns: [1] }],
          wentWell: [{ text: "You said what you saw.", turn: 1, quote: "two forms are missing" }],
          tryNext: [{ text: "You shouted.", turn: 1, quote: "never said" }],
        }),
      });
      await page.getByRole("button", { name: "Get feedback" }).click();
      const card = page.getByRole("complementary", { name: "Feedback" });
      await expect(card.getByText("You named facts.")).toBeVisible();
      await expect(card.getByText("two forms are missing")).toBeVisible();
      await expect(card.getByText("1 statement had no matching quote and was left out.")).toBeVisible();
      await card.getByRole("button", { name: "I disagree" }).click();
      await card.getByLabel("What do you disagree with?").fill("There were three forms.");
      await card.getByRole("button", { name: "Save note" }).click();
      await expect(card.getByText("There were three forms.")).toBeVisible();
      await expectAccessible(page, "conversation analysis");

      const [mine] = await app.query<{ id: string }>(
        `select id from conversations where chatbot_id = '${bot.id}' order by started_at desc limit 1`,
      );
      await app.admin.call(analysis.review, { params: { id: mine?.id as string } });
      await page.reload();
      await expect(page.getByText("Seen by 1 person")).toBeVisible();

      await page.setViewportSize({ width: 390, height: 844 });
      const title = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });
      await page.getByRole("link", { name: "I told Jonas" }).click();
      await expect(title(/I told Jonas/)).toBeFocused();
      await page.getByRole("link", { name: "All conversations" }).click();
      await expect(title("Your conversations")).toBeFocused();
      await chat.context.close();
    } finally {
      await provider.stop();
    }
  },
);

test("an admin has conversations analysed: quotes of ten people, nothing about one", async ({ browser, app }) => {
  const { provider, connectorId } = await addModel(app, "Analysis model");
  try {
    const bot = await addBot(app, "Shift bot", { access: "signedIn", connectorId });
    await addConversations(app, bot.id, 11, "Sorry to bother you, but where is the shift plan?");
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await page.waitForURL(/dashboard/);
    await page.getByRole("link", { name: "Admin Chatbot Analysis" }).click();
    await expect(page.getByText("No analyses yet")).toBeVisible();
    await page.getByRole("button", { name: "New analysis" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New analysis" });
    await dialog.getByLabel("Name").fill("What do they avoid?");
    await dialog.getByRole("radio", { name: "Themes" }).check();
    await dialog.getByRole("combobox", { name: "Connection" }).click();
    await page.getByRole("option", { name: "Analysis model" }).click();
    await dialog.getByRole("combobox", { name: "Chatbot" }).click();
    await page.getByRole("option", { name: "Shift bot" }).click();
    await expect(dialog.getByText("11 conversations", { exact: false })).toBeVisible();
    const quotes = (people: number, quote: string) =>
      Array.from({ length: people }, (_, at) => ({ conversation: at + 1, turn: 1, quote }));
    provider.next({
      structured: JSON.stringify({
        statements: [
          { known: null, text: "They apologise first.", detail: "", quotes: quotes(11, "Sorry to bother you") },
          { known: null, text: "One is lost.", detail: "", quotes: quotes(1, "where is the shift plan") },
        ],
      }),
    });
    await dialog.getByRole("button", { name: "Start analysis" }).click();
    await expect(page.getByRole("button", { name: /They apologise first/ })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText("1 statement from fewer than 10 people is hidden.")).toBeVisible();
    await expect(page.getByText("One is lost.")).toHaveCount(0);
    await expect(page.getByText("Sorry to bother you").first()).toBeVisible();
    await expect(page.getByText(UNKNOWN)).toHaveCount(0);
    await expectAccessible(page, "analysis");
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoHorizontalScroll(page, "phone");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("No analyses yet")).toBeVisible();
    await context.close();
  } finally {
    await provider.stop();
  }
});

test("an admin counts tones without a model, compares and exports", { tag: "@long" }, async ({ browser, app }) => {
  const add = async (name: string, terrible: number) => {
    const bot = await addBot(app, name, { access: "signedIn" });
    await addConversations(app, bot.id, terrible, "The shift plan is terrible.");
    await addConversations(app, bot.id, 45 - terrible, "That was a great explanation, thank you.");
    await addConversations(app, bot.id, 14, "Where do I find the shift plan?");
    await addConversations(app, bot.id, 4, "Der Plan ist nicht gut.");
    const day = (shift: number) => new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10);
    const run = await app.admin.call(analysisRuns.create, {
      body: {
        title: `Tone of ${name}`,
        kind: "counts",
        withTone: true,
        filter: { from: day(-7), to: day(1), chatbotId: bot.id },
      },
    });
    await expect
      .poll(async () => (await app.admin.call(analysisRuns.get, { params: { id: run.id } })).state, { timeout: 60_000 })
      .toBe("done");
    return run;
  };
  const before = await add("First bot", 12);
  const now = await add("Second bot", 31);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/analysis/chatbot?run=${now.id}`);
  const section = page.getByRole("region", { name: "Tone, from a word list" });
  const negative = section.getByRole("listitem").filter({ hasText: "Negative" });
  await expect(negative).toContainText("31 of 59");
  await expect(negative).toContainText("31 people");
  await expect(negative).toContainText("likely 40 to 65 %");
  await expect(section).toContainText("4 messages are not counted");
  await expect(section).toContainText("not on their meaning in context");
  // Nobody's message is shown with a tone.
  await expect(section.getByRole("button")).toHaveCount(0);
  await expect(section).not.toContainText("terrible");
  await expectAccessible(page, "tone");
  await page.goto(`${app.url}/analysis/chatbot?run=${now.id}&with=${before.id}`);
  const row = page.getByRole("table", { name: "Tone, from a word list" }).getByRole("row", { name: /^Negative/ });
  await expect(row).toContainText("12 of 59");
  await expect(row).toContainText("Increased");
  await inEveryLook(page, async (name) => {
    await expectNoHorizontalScroll(page, name);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/tone-${name}.png`, fullPage: true });
  });
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export" }).click(),
  ]);
  const csv = readFileSync(await file.path(), "utf8");
  expect(csv).toMatch(/"?Tone, from a word list"?,"?Negative"?,"?31"?,"?59"?/);
  expect(csv).toMatch(/other languages, not counted"?,"?4/);
  await context.close();
});
