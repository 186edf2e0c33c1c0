import type { Browser, Page } from "@playwright/test";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { addBot, addModel, ask, openChat } from "./chatFixture.ts";
import { expectNoHorizontalScroll, inEveryLook } from "./layout.ts";
import { addLearner, expect, openAs, test } from "./server.ts";

// What providers of language models may read, as admins decide it

const shoot = async (page: Page, name: string) => {
  if (!process.env.SHOTS) return;
  await inEveryLook(page, async (look) => {
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${look}.png` });
  });
};

async function openAdmin(browser: Browser, address: string) {
  const { page, context } = await openAs(browser, ADMIN, `${new URL(address).origin}/login`);
  await page.waitForURL(/dashboard/);
  await page.goto(address);
  return { page, context };
}

test("an admin masks names: the provider reads none, the learner reads all", async ({ browser, app }) => {
  const { page, context } = await openAdmin(browser, `${app.url}/companies/${app.company.id}?tab=settings`);
  const choice = page.getByRole("switch", { name: "Mask names and email addresses for providers" });
  await choice.check({ force: true });
  await shoot(page, "mask-names");
  await expectAccessible(page, "settings of a company");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeDisabled();
  await page.reload();
  await expect(choice).toBeChecked();
  await context.close();

  const { provider, connectorId } = await addModel(app, "Model of the coach");
  const bot = await addBot(app, "Coach", { connectorId });
  const learner = await addLearner(app, "Jonas Hagen");
  const { page: chat, context: theirs } = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner);
  provider.next({ obeys: true, pieceChars: 3 });
  await ask(chat, "Coach", "I am Jonas Hagen, jonas@norrvik.example, +47 22 33 44 55.");
  const region = chat.getByRole("region", { name: "Conversation" });
  await expect(region.getByText("I am Jonas Hagen, jonas@norrvik.example, +47 22 33 44 55.")).toHaveCount(2);
  const asked = provider.chats().at(-1)?.asked?.text ?? "";
  expect(asked).toMatch(/I am Person\w{6}, Email\w{6}, Phone\w{6}\./);
  expect(asked).not.toMatch(/Jonas|Hagen|norrvik|22 33/);
  await theirs.close();
});

test(
  "a message with a blocked phrase gets the admin's text and reaches no model",
  { tag: "@long" },
  async ({ browser, app }) => {
    const { provider, connectorId } = await addModel(app, "Model of the guide");
    const bot = await addBot(app, "Guide", { connectorId });
    const { page, context } = await openAdmin(browser, `${app.url}/admin/chatbots/edit/${bot.id}`);
    const sections = page.getByRole("navigation", { name: "Sections" });
    await sections.getByRole("button", { name: "Limits and safety" }).click();
    await page.getByRole("combobox", { name: "Blocked phrases" }).fill("merger*");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Reply to a blocked phrase" }).fill("Ask the legal team about that.");
    await page.getByRole("combobox", { name: "Blocked phrases" }).scrollIntoViewIfNeeded();
    await shoot(page, "refused-phrases");
    await expectNoHorizontalScroll(page, "limits of a chatbot");
    await expectAccessible(page, "limits of a chatbot");
    await page.keyboard.press("Control+s");
    await expect(page.getByText("Draft saved", { exact: false })).toBeVisible();
    await page.getByRole("button", { name: "Publish version 2" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish version 2" }).click();
    await expect(page.getByText("Version 2 is live. You have no unpublished changes.")).toBeVisible();
    const learner = await addLearner(app);
    const { page: chat, context: theirs } = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner);
    const before = provider.chats().length;
    await ask(chat, "Guide", "Is there a Merger?");
    await expect(chat.getByRole("region", { name: "Conversation" })).toContainText("Ask the legal team about that.");
    await expect(chat.getByRole("button", { name: "Answer again" })).toHaveCount(0);
    expect(provider.chats()).toHaveLength(before);
    await theirs.close();

    await page.getByRole("tab", { name: "Conversations" }).click();
    await page.getByRole("button", { name: "Is there a Merger?", exact: true }).click();
    await expect(page.getByRole("dialog").getByText("Blocked phrase")).toBeVisible();
    await context.close();
  },
);
