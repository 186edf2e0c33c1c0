import { expectAccessible } from "./axe.ts";
import { addBot, addDocument, addModel, ask, openChat } from "./chatFixture.ts";
import { expectNoHorizontalScroll, inEveryLook } from "./layout.ts";
import { addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { ADMIN } from "#test/process.ts";

// An admin asks the published version of a chatbot what a learner has asked an earlier one

const HANDBOOK =
  "# Holidays\n\nEvery employee has thirty days of paid holiday a year. Ask your team lead two weeks ahead.";
const QUESTION = "How many days of paid holiday do I have?";

/** The conversation of a chatbot, once its answer is there. */
async function findConversation({ admin }: ServerFixture, chatbotId: string) {
  const read = async () => {
    const [found] = (await admin.call(conversations.all, { query: { chatbotId } })).items;
    return found && (await admin.call(conversations.transcript, { params: { id: found.id } }));
  };
  await expect.poll(async () => (await read())?.turns.at(-1)?.state).toBe("done");
  return (await read())!;
}

test("an admin compares a recorded answer with that of today's version", { tag: "@long" }, async ({ browser, app }) => {
  const { provider, connectorId } = await addModel(app, "Model");
  const documentId = await addDocument(app, "Handbook", HANDBOOK);
  const bot = await addBot(app, "Holiday desk", { connectorId, documentIds: [documentId] });
  const chat = await openChat(browser, `${app.url}/chatbot/${bot.id}`, await addLearner(app));
  provider.next({ text: ["You have twenty days of paid holiday a year. ", "Ask your team lead two weeks ahead [1]."] });
  await ask(chat.page, "Holiday desk", QUESTION);
  const { id, turns } = await findConversation(app, bot.id);
  const params = { id: bot.id };
  const changed = await app.admin.call(chatbots.update, {
    params,
    body: { version: bot.version, name: bot.name, settings: { ...bot.settings, persona: "Speak as Nora." } },
  });
  await app.admin.call(chatbots.publish, { params, body: { version: changed.version, note: "" } });

  const { page } = await openAs(browser, ADMIN, `${app.url}/reports/chatbots?conversation=${id}`);
  provider.next({
    text: ["You have thirty days of paid holiday a year [1]. ", "Ask your team lead two weeks ahead."],
    delay: 200,
  });
  await page.getByRole("button", { name: "Ask the current version" }).click();
  const dialog = page.getByRole("dialog", { name: "The same question, asked today" });
  const recorded = dialog.getByRole("region", { name: "Recorded answer" });
  const today = dialog.getByRole("region", { name: "Current version of Holiday desk" });
  await expect(recorded).toContainText("You have twenty days");
  await expect(today).toContainText("You have thirty days");
  await expect(recorded).toContainText("Version 1");
  await expect(today).toContainText("Version 2");
  await expect(recorded.locator("mark").first()).toContainText("twenty");
  await expect(today.locator("mark").first()).toContainText("thirty");
  await expect(today.getByRole("link", { name: "Handbook" })).toBeVisible();
  await expectAccessible(page, "comparison");
  await inEveryLook(page, async (name) => {
    await expectNoHorizontalScroll(page, name);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/comparison-${name}.png` });
  });
  provider.next({ status: 500 });
  provider.next({ status: 500 });
  await dialog.getByRole("button", { name: "Ask again" }).click();
  await expect(today).toContainText("Model did not answer; Built-in");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("button", { name: "Ask the current version" })).toBeFocused();
  await inEveryLook(page, async (name) => {
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/review-${name}.png` });
  });

  await app.admin.call(chatbots.setStatus, { params, body: { status: "archived" } });
  await page.goto(`${app.url}/admin/chatbots/edit/${bot.id}?tab=conversations&conversation=${id}`);
  await page.getByRole("button", { name: "Ask the current version" }).click();
  await expect(dialog).toContainText("This chatbot is archived. There is no version to ask.");
  await expect(recorded).toContainText("You have twenty days");
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/archived.png` });
  expect((await findConversation(app, bot.id)).turns).toEqual(turns);
  await provider.stop();
});
