import { expectAccessible } from "./axe.ts";
import { addBot, addDocument, ask, openChat } from "./chatFixture.ts";
import { expectNoHorizontalScroll } from "./layout.ts";
import { addLearner, expect, openAs, test } from "./server.ts";
import { ADMIN } from "#test/process.ts";

// A question that a chatbot could not answer, until it can

const QUESTION = "Is the canteen open on Sundays?";

test("an admin answers an unanswered question, and the chatbot answers it from then on", async ({ browser, app }) => {
  const document = await addDocument(app, "Handbook", "# Gloves\n\nUp to 1,000 volts, wear gloves of class 0.");
  const bot = await addBot(app, "Tutor", { documentIds: [document], answerPolicy: "documentsOnly" });
  const learner = await addLearner(app);
  const chat = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner);
  await ask(chat.page, "Tutor", QUESTION);

  const { page, context } = await openAs(browser, ADMIN, `${app.url}/reports/conversation-analytics`);
  await page.getByRole("tab", { name: "Unanswered questions" }).click();
  // Questions are grouped once a minute.
  await expect(page.getByRole("button", { name: QUESTION })).toBeVisible({ timeout: 80_000 });
  await expectAccessible(page, "list of questions");
  await page.getByRole("button", { name: QUESTION }).click();
  const panel = page.getByRole("dialog", { name: QUESTION });
  await panel.getByRole("combobox", { name: "Owner" }).click();
  await page.getByRole("option").first().click();
  await expect(page.getByText("Owner saved")).toBeVisible();
  await panel.getByRole("button", { name: "Write answer" }).click();
  const dialog = page.getByRole("dialog", { name: "Write an answer" });
  await dialog.getByRole("textbox", { name: "Answer" }).fill("The canteen is closed on Sundays. Hall 2 sells snacks.");
  await expectAccessible(page, "answer dialog");
  await dialog.getByRole("button", { name: "Save answer" }).click();
  await expect(panel.getByText("The test question finds it as passage 1.")).toBeVisible({ timeout: 30_000 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page, "question on a phone");
  await context.close();

  const again = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner);
  await ask(again.page, "Tutor", QUESTION);
  await expect(again.page.getByText("closed on Sundays", { exact: false }).first()).toBeVisible();
});
