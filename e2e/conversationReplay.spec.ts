import type { Page } from "@playwright/test";
import { analysis } from "#shared/analysis/analysis.ts";
import { auth } from "#shared/auth/auth.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { variables } from "#shared/variables/variables.ts";
import { createClient } from "#test/client.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { addBot, addDocument, addModel, ask, openChat } from "./chatFixture.ts";
import { expectNoHorizontalScroll, inEveryLook } from "./layout.ts";
import { addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

// Replay of a conversation: what was said when, and what gave each answer

const HANDBOOK =
  "# Holidays\n\nEvery employee has thirty days of paid holiday a year. Ask your team lead two weeks ahead.";
const FIRST = "How many days of paid holiday do I have?";
const EDITED = "How many days of paid holiday do I have a year?";

const slider = (page: Page) => page.getByRole("slider", { name: "Position in the conversation" });
const pane = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Stores the times of a conversation, in seconds since it began: a test cannot wait for them. */
async function setTimes({ query }: ServerFixture, id: string, times: [number, number, number, number][]) {
  const at = (seconds: number) => `conversations.started_at + interval '${seconds} seconds'`;
  for (const [number, created, first, end] of times)
    await query(`
      update turns
      set created_at = ${at(created)},
        first_at = case when role = 'assistant' then ${at(first)} end,
        finished_at = case when role = 'assistant' then ${at(end)} end
      from conversations
      where conversations.id = conversation_id
        and conversations.id = '${id}'
        and number = ${number}`);
}

test("an admin replays a conversation second by second", async ({ browser, app }) => {
  const { provider, connectorId } = await addModel(app, "Model");
  const documentId = await addDocument(app, "Handbook", HANDBOOK);
  const { id: teamId } = await app.admin.call(variables.create, {
    body: { key: "team", label: "Team", type: "text" },
  });
  const bot = await addBot(app, "Holiday desk", { connectorId, documentIds: [documentId], writeVariableIds: [teamId] });
  const learner = await addLearner(app, "Jonas Hagen");
  const client = createClient(app.url);
  client.useToken((await client.call(auth.signIn, { body: learner })).token);
  provider.always({ structured: JSON.stringify({ values: [{ key: "team", value: "Night", confidence: 0.9 }] }) });
  const { id } = await client.call(conversations.start, { body: { id: crypto.randomUUID(), chatbotId: bot.id } });
  const read = () => client.call(conversations.get, { params: { id } });
  let sentCount = 0;
  const captured = `
    select variable_values.id
    from variable_values
    join turns on turns.id = variable_values.turn_id
    where conversation_id = '${id}'`;
  const send = async (text: string, answer: string[], parentId: string | null) => {
    provider.next({ text: answer });
    const sent = await client.call(conversations.send, {
      params: { id },
      body: { id: crypto.randomUUID(), text, parentId },
    });
    await expect
      .poll(async () => (await read()).turns.find((turn) => turn.id === sent.answer.id)?.finishedAt)
      .not.toBeNull();
    // The call that reads values out of a message comes after its answer.
    sentCount++;
    await expect.poll(() => app.query(captured)).toHaveLength(sentCount);
    return sent;
  };
  await send(FIRST, ["You have twenty days of paid holiday a year."], null);
  const edit = await send(EDITED, ["You have thirty days of paid holiday a year [1]."], null);
  await send("And when do I ask?", ["Two weeks ahead [1]."], edit.answer.id);
  await client.call(conversations.rate, { params: { id: edit.answer.id }, body: { rating: "down", reason: "source" } });
  await setTimes(app, id, [
    [1, 2, 2, 2],
    [2, 2, 4, 9],
    [3, 20, 20, 20],
    [4, 20, 23, 31],
    [5, 200, 200, 200],
    [6, 200, 202, 206],
  ]);
  await app.query(`update variable_values v set happened_at = c.started_at + interval '33 seconds'
    from turns, conversations c where turns.id = v.turn_id and c.id = turns.conversation_id and c.id = '${id}'`);

  const { page, context } = await openAs(browser, ADMIN, `${app.url}/reports/chatbots?conversation=${id}`);
  await page.getByRole("link", { name: "Replay" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Conversation on");
  await expect(page.getByText("Jonas Hagen can see that you opened this replay")).toBeVisible();
  await page.goto(`${app.url}/reports/conversation/replay/${id}?t=3`);
  const stage = pane(page, "Replay view");
  await expect(slider(page)).toHaveAttribute("aria-valuenow", "3");
  await expect(stage).toContainText(FIRST);
  await expect(stage).toContainText("Waiting for the first word");
  await page.keyboard.press("n");
  await expect(slider(page)).toHaveAttribute("aria-valuenow", "4");
  await expect(stage).toContainText("Being written");
  await expect(stage).toContainText("Complete at 00:09");
  await expect(stage).not.toContainText("twenty days");
  await page.keyboard.press("n");
  await expect(stage).toContainText("twenty days");
  // The edit replaces the first question on screen, as it did for the learner.
  await page.keyboard.press("n");
  await expect(slider(page)).toHaveAttribute("aria-valuenow", "20");
  await expect(stage).toContainText(EDITED);
  await expect(stage).toContainText("Edited message 1");
  await expect(stage).not.toContainText("twenty days");
  await expect(pane(page, "Variables")).toContainText("set at 00:33");
  await page.keyboard.press("v");
  await expect(slider(page)).toHaveAttribute("aria-valuenow", "33");
  await expect(pane(page, "Variables")).toContainText("Night");
  const facts = pane(page, "Answer");
  await expect(facts).toContainText("Message 4");
  await expect(facts).toContainText("Version 1");
  await expect(facts).toContainText("Model, stand-in-large");
  await expect(facts).toContainText("Rated not helpful: Wrong source");
  await expect(facts.getByRole("link", { name: "Handbook" })).toBeVisible();
  await facts.getByText("1 passage", { exact: false }).click();
  await expectAccessible(page, "conversation replay");

  const lane = pane(page, "Timeline");
  await lane.getByRole("button", { name: "Hide Chat" }).click();
  await expect(pane(page, "Events").getByRole("listitem").filter({ hasText: "Jonas Hagen, message" })).toHaveCount(0);
  await lane.getByRole("button", { name: "Show Chat" }).click();
  // Nothing happened for more than a minute: playing goes on just before the next event.
  await slider(page).press("Home");
  await page.getByText("16×", { exact: true }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(slider(page)).toHaveAttribute("aria-valuenow", "206");
  await expect(stage).toContainText("Two weeks ahead");

  await inEveryLook(page, async (name) => {
    await expectNoHorizontalScroll(page, name);
    await expect(slider(page)).toBeVisible();
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/conversation-replay-${name}.png` });
  });
  provider.next({ text: ["You have thirty days."] });
  await stage.getByRole("button", { name: "Ask the current version" }).first().click();
  await expect(page.getByRole("dialog", { name: "The same question, asked today" })).toContainText("thirty days");
  await page.keyboard.press("Escape");

  await page.goto(`${app.url}/admin/learner-data?variableId=${teamId}`);
  await page.getByRole("button", { name: "Night: history of Team, Jonas Hagen" }).first().click();
  await page.getByRole("link", { name: "Replay conversation from 33 s" }).first().click();
  await expect(slider(page)).toHaveAttribute("aria-valuenow", "33");
  await page.goto(`${app.url}/reports/conversation-analytics?tab=conversations`);
  await page
    .getByRole("row", { name: /Holiday desk/ })
    .getByRole("button")
    .click();
  await expect(page.getByRole("menuitem", { name: "Replay" })).toHaveAttribute("href", new RegExp(`replay/${id}$`));
  await page.goto(`${app.url}/admin/chatbots/edit/${bot.id}?tab=conversations&conversation=${id}`);
  await page.getByRole("link", { name: "Replay", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/reports/conversation/replay/${id}$`));
  const { readers } = await client.call(analysis.review, { params: { id } });
  expect(readers.length).toBeGreaterThan(0);

  await client.call(conversations.remove, { params: { id } });
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Conversation not found");
  await context.close();
  await provider.stop();
});

test("a visitor's conversation with hostile texts is shown as text", { tag: "@long" }, async ({ browser, app }) => {
  const run = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>";
  const { provider, connectorId } = await addModel(app, "Model");
  const bot = await addBot(app, "Open desk", { connectorId, access: "public" });
  const chat = await openChat(browser, `${app.url}/chatbot/${bot.id}`, null);
  provider.next({ text: [run, " [x](javascript:window.hacked=1) ![y](http://foreign.example/leak.png)"] });
  await ask(chat.page, "Open desk", run);
  const { admin } = app;
  const find = async () => (await admin.call(conversations.all, { query: { chatbotId: bot.id } })).items[0];
  await expect.poll(async () => (await find())?.questions).toBe(1);
  const id = (await find())?.id as string;
  await expect
    .poll(async () => (await admin.call(conversations.transcript, { params: { id } })).turns.at(-1)?.state)
    .toBe("done");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.waitForURL(/dashboard/);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${app.url}/reports/conversation/replay/${id}?t=100`);
  await expect(page.getByText("Visitors have no account")).toBeVisible();
  await expect(pane(page, "Replay view")).toContainText("<script>window.hacked=1</script>");
  expect(await page.evaluate(() => ("hacked" in window ? "ran" : "inert"))).toBe("inert");
  expect(await page.locator("main img[src='x'], main a[href^='javascript:']").count()).toBe(0);
  expect(asked.filter((url) => url.includes("foreign.example"))).toEqual([]);
  await context.close();
  await chat.context.close();
  await provider.stop();
});
