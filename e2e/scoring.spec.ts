import { expectAccessible } from "./axe.ts";
import { addBot, addModel, ask, openChat } from "./chatFixture.ts";
import { addLearner, expect, openAs, test } from "./server.ts";
import { analysis } from "#shared/analysis/analysis.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { ADMIN } from "#test/process.ts";

// An admin scores a conversation before they see what the model says about it

test("an admin scores a conversation, then sees the model's scores next to their own", async ({ browser, app }) => {
  const { provider, connectorId } = await addModel(app, "Model");
  const rubric = [{ id: "facts", name: "Starts with facts", description: "" }];
  const bot = await addBot(app, "Per", { connectorId, rubric });
  const chat = await openChat(browser, `${app.url}/chatbot/${bot.id}`, await addLearner(app));
  await ask(chat.page, "Per", "On Monday it came after four.");
  const query = { chatbotId: bot.id };
  const findConversation = async () => (await app.admin.call(conversations.all, { query })).items[0];
  await expect.poll(async () => (await findConversation())?.id).toBeDefined();
  const { id } = (await findConversation())!;
  await expect
    .poll(async () => (await app.admin.call(analysis.review, { params: { id } })).turns.at(-1)?.state)
    .toBe("done");
  const scores = [{ id: "facts", value: 2, turns: [1] }];
  provider.next({ structured: JSON.stringify({ summary: "Too general.", scores, wentWell: [], tryNext: [] }) });
  await app.admin.call(analysis.giveFeedback, { params: { id } });

  const { page } = await openAs(browser, ADMIN, `${app.url}/reports/conversation-analytics?tab=scores`);
  await expect(page.getByText("Needs 20 scores")).toBeVisible();
  await expectAccessible(page, "agreement");
  await page.getByRole("link", { name: "Score a conversation" }).click();
  const card = page.getByRole("complementary", { name: "Feedback" });
  await expect(card.getByRole("button", { name: "Save scores" })).toBeDisabled();
  await expect(page.getByText("Too general.")).toHaveCount(0);
  await card.getByText("4", { exact: true }).click();
  await expectAccessible(page, "scoring");
  await card.getByRole("button", { name: "Save scores" }).click();
  await expect(card.getByText("Too general.")).toBeVisible();
  await expect(card.getByText("You: 4")).toBeVisible();
  await card.getByRole("link", { name: "All scores" }).click();
  await expect(page.getByText("You have scored all of them.")).toBeVisible();
  await provider.stop();
});
