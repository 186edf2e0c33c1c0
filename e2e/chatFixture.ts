import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { botSettings, type BotSettingsInput } from "#shared/chatbots/botSettings.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { documents } from "#shared/documents/documents.ts";
import type { Contract, Sent } from "#shared/core/route.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { expect, type ServerFixture, signIn } from "./server.ts";

// Chatbots for journeys, prepared over HTTP

export async function addBot({ admin }: ServerFixture, name: string, settings: BotSettingsInput) {
  const { id, version } = await admin.call(chatbots.create, { body: { name, settings: botSettings.parse(settings) } });
  return admin.call(chatbots.publish, { params: { id }, body: { version, note: "" } });
}

/** A document that is ready to be quoted. */
export async function addDocument({ admin }: ServerFixture, title: string, text: string) {
  const { id } = await admin.call(documents.addText, { body: { title, text } });
  await expect.poll(async () => (await admin.call(documents.get, { params: { id } })).live).not.toBeNull();
  return id;
}

/** A stand-in for a provider of a language model, and a connector to it; with `speaks` also for speech. */
export async function addModel({ admin }: ServerFixture, name: string, speaks = false) {
  const provider = await startProvider("openai");
  const boss = async <C extends Contract>(contract: C, sent: Sent<C>) => ({
    status: 200,
    body: await admin.call(contract, sent as never),
  });
  const connector = await connect(boss, provider, { name, speaks });
  return { provider, connectorId: connector.id };
}

export const field = (page: Page, name: string) => page.getByRole("textbox", { name: `Write to ${name}` });
export async function ask(page: Page, name: string, text: string) {
  await field(page, name).fill(text);
  await page.keyboard.press("Enter");
}

/** A browser of a learner on the page of a chatbot. */
export async function openChat(
  browser: Browser,
  address: string,
  who: { email: string; password: string } | null,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  if (who) {
    await page.goto(`${new URL(address).origin}/login`);
    await signIn(page, who);
    await expect(page).toHaveURL(/my-courses|dashboard/);
  }
  await page.goto(address);
  return { context, page };
}
