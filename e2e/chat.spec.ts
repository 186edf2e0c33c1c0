import { addBot, addDocument, addModel, ask, field, openChat } from "./chatFixture.ts";
import { expectAccessible } from "./axe.ts";
import { addLearner, expect, test } from "./server.ts";

// Conversations with chatbots: answers with sources, lost connections, limits, and hostile answers

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const HANDBOOK = `# Holidays

Every employee has thirty days of paid holiday a year. Ask for them four weeks before they begin.

# Sick leave

Tell your manager before nine in the morning when you are ill.`;

test("a learner gets a cited answer on a phone, leaves in mid-answer and goes on at a desk", async ({
  browser,
  app,
}) => {
  const { provider, connectorId } = await addModel(app, "Model of the tutor");
  const documentId = await addDocument(app, "Handbook", HANDBOOK);
  const bot = await addBot(app, "Tutor Tea", {
    connectorId,
    documentIds: [documentId],
    greeting: "Ask me about the handbook.",
    quickReplies: ["How many days of paid holiday do I have?"],
  });
  const learner = await addLearner(app);
  const address = `${app.url}/chatbot/${bot.id}`;
  const phone = await openChat(browser, address, learner, PHONE);
  await expect(phone.page.getByText("You are writing with an AI.")).toBeVisible();
  await expectAccessible(phone.page, "empty chat");
  await phone.page.screenshot({ path: "/tmp/shots/phone-empty.png" });
  provider.next({ text: ["You have **thirty ", "days** a year ", "[1]."] });
  await phone.page.getByRole("button", { name: "How many days of paid holiday do I have?" }).tap();
  const chip = phone.page.getByRole("button", { name: "Source 1: Handbook" });
  await expect(chip).toBeVisible();
  await phone.page.screenshot({ path: "/tmp/shots/phone-answer.png" });
  await chip.tap();
  await expect(phone.page.getByRole("dialog", { name: "Sources" }).getByRole("mark")).toContainText("thirty days");
  await expectAccessible(phone.page, "sources");
  await phone.page.screenshot({ path: "/tmp/shots/phone-sources.png" });
  await phone.page.keyboard.press("Escape");
  provider.next({ text: Array.from({ length: 150 }, (_, at) => `word${at} `), delay: 40 });
  await field(phone.page, "Tutor Tea").fill("Tell me more");
  await phone.page.getByRole("button", { name: "Send" }).tap();
  await expect(phone.page.getByText("word3", { exact: false })).toBeVisible();
  await phone.page.screenshot({ path: "/tmp/shots/phone-stream.png" });
  await phone.context.close();

  const desk = await openChat(browser, address, learner);
  await expect(desk.page.getByText("Tell me more")).toBeVisible();
  await expect(desk.page.getByRole("button", { name: "Stop the answer" })).toBeVisible();
  await desk.page.screenshot({ path: "/tmp/shots/desk-stream.png" });
  await expect(desk.page.getByText("word0 word1 word2 word3", { exact: false })).toContainText("word149");
  await desk.page.getByRole("button", { name: "Answer again" }).click();
  await expect(desk.page.getByText("2 of 2")).toBeVisible();
  await expect(desk.page.getByText("One, two, three, four, five.")).toBeVisible();
  await desk.page.getByRole("button", { name: "Previous version" }).click();
  await expect(desk.page.getByText("word149", { exact: false })).toBeVisible();
  await desk.page.screenshot({ path: "/tmp/shots/desk.png" });
  await expectAccessible(desk.page, "conversation");
  await desk.context.close();
  await provider.stop();
});
