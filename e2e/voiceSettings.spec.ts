import { chatbots } from "#shared/chatbots/chatbots.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { addBot, addModel, openChat } from "./chatFixture.ts";
import { addLearner, expect, openAs, test } from "./server.ts";
import { listening, shoot, talk, transcript, withMicrophone } from "./voiceFixture.ts";

test.use({ launchOptions: withMicrophone });

test(
  "an admin sets models and voices, turns voice on, and sees spoken messages",
  { tag: "@long" },
  async ({ browser, app }) => {
    const { provider, connectorId } = await addModel(app, "Plain model");
    const bot = await addBot(app, "Trainer", { connectorId });
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/admin/connectors`);
    await page.getByRole("button", { name: "Actions for Plain model" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const form = page.getByRole("dialog");
    for (const [at, use, id] of [
      [1, "Speech to text", "stand-in-ears"],
      [2, "Text to speech", "stand-in-mouth"],
    ] as const) {
      await form.getByRole("button", { name: "Add model" }).click();
      await form.getByRole("combobox", { name: "Model" }).nth(at).fill(id);
      await page.keyboard.press("Escape");
      await form.getByRole("combobox", { name: "For" }).nth(at).click();
      await page.getByRole("option", { name: use }).click();
      await form.getByLabel("Input price").nth(at).fill("0.5");
    }
    await form.getByRole("combobox", { name: "Voices" }).fill("alma");
    await page.keyboard.press("Enter");
    await expectAccessible(page, "models for speech");
    await shoot(page, "voice-connector");
    await form.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("rowgroup").filter({ hasText: "Plain model" })).toContainText(
      "speech to text, text to speech",
    );

    await page.goto(`${app.url}/admin/chatbots/edit/${bot.id}`);
    await page.getByRole("button", { name: "Voice", exact: true }).click();
    await page.getByRole("switch", { name: "Voice conversations" }).check();
    await page.getByRole("combobox", { name: "Voice" }).fill("alma");
    await page.keyboard.press("Escape");
    await expectAccessible(page, "voice of a chatbot");
    await shoot(page, "voice-settings");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Draft saved", { exact: false })).toBeVisible();

    const learner = await addLearner(app);
    await app.admin.call(chatbots.publish, {
      params: { id: bot.id },
      body: { version: (await app.admin.call(chatbots.get, { params: { id: bot.id } })).version, note: "" },
    });
    const chat = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner);
    await chat.page.getByRole("button", { name: "Speak" }).click();
    provider.next({ heard: "How do I give feedback?" });
    await talk(chat.page).click();
    await listening(chat.page);
    await talk(chat.page).click();
    await expect(transcript(chat.page)).toContainText("five.");
    await chat.context.close();
    const { items } = await app.admin.call(conversations.all, { query: { chatbotId: bot.id } });
    await page.goto(`${app.url}/admin/chatbots/edit/${bot.id}?tab=conversations&conversation=${items[0]?.id}`);
    await expect(page.getByText("Spoken", { exact: true })).toBeVisible();
    await shoot(page, "voice-transcript");
    await context.close();
    await provider.stop();
  },
);
