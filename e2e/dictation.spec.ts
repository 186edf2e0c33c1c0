import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { addBot, addModel, field, openChat } from "./chatFixture.ts";
import { setColorScheme } from "./layout.ts";
import { addLearner, expect, test } from "./server.ts";

// Spoken messages. The recognition of the browser is replaced: that of Chromium asks a server of its maker.

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const shoot = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png` }) : null;

type TestWindow = { listening?: EventTarget; starts: number };

/** A recognition that hears what the test says. */
const replaceRecognition = (page: Page) =>
  page.addInitScript(() => {
    const own = globalThis as unknown as TestWindow & { webkitSpeechRecognition: unknown; SpeechRecognition: unknown };
    own.starts = 0;
    own.SpeechRecognition = undefined;
    own.webkitSpeechRecognition = class extends EventTarget {
      start() {
        own.starts++;
        own.listening = this;
      }
      abort() {
        delete own.listening;
      }
    };
  });
const hear = (page: Page, ...parts: string[]) =>
  page.evaluate((said) => {
    const results = said.map((transcript) => [{ transcript }]);
    const event = Object.assign(new Event("result"), { results });
    (globalThis as unknown as TestWindow).listening?.dispatchEvent(event);
  }, parts);
const startsOf = (page: Page) => page.evaluate(() => (globalThis as unknown as TestWindow).starts);

test("a learner speaks a message after reading that the voice leaves the device", async ({ browser, app }) => {
  const { connectorId } = await addModel(app, "Model of the listener");
  const bot = await addBot(app, "Listener", { connectorId, dictation: true });
  const silent = await addBot(app, "Typist", { connectorId });
  const learner = await addLearner(app);
  const { page, context } = await openChat(browser, `${app.url}/chatbot/${silent.id}`, learner, PHONE);
  await replaceRecognition(page);
  await page.goto(`${app.url}/chatbot/${silent.id}`);
  await expect(field(page, "Typist")).toBeVisible();
  await expect(page.getByRole("button", { name: "Speak" })).toHaveCount(0);

  await page.goto(`${app.url}/chatbot/${bot.id}`);
  const speak = page.getByRole("button", { name: "Speak" }).last();
  await field(page, "Listener").fill("Hello,");
  await speak.click();
  await expect(page.getByText("What you say leaves this device", { exact: false })).toBeVisible();
  expect(await startsOf(page)).toBe(0);
  await expectAccessible(page, "notice before speaking");
  await shoot(page, "phone-dictation-notice");
  await page.getByRole("button", { name: "Speak" }).first().click();
  await expect(speak).toHaveAttribute("aria-pressed", "true");
  await expect(speak).toBeFocused();
  await hear(page, "how are");
  await expect(field(page, "Listener")).toHaveValue("Hello, how are");
  await hear(page, "how are you", " today?");
  await expect(field(page, "Listener")).toHaveValue("Hello, how are you today?");
  await expectAccessible(page, "listening");
  await shoot(page, "phone-dictation");
  await setColorScheme(page, "dark");
  await shoot(page, "phone-dictation-dark");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("region", { name: "Conversation" })).toContainText("Hello, how are you today?");
  await expect(speak).toHaveAttribute("aria-pressed", "false");
  await hear(page, "not for anybody");
  await expect(field(page, "Listener")).toHaveValue("");
  await speak.click();
  await page.evaluate(() => {
    const event = Object.assign(new Event("error"), { error: "not-allowed" });
    (globalThis as unknown as TestWindow).listening?.dispatchEvent(event);
  });
  await expect(page.getByText("The browser is not allowed to use the microphone.", { exact: false })).toBeVisible();
  await context.close();
});
