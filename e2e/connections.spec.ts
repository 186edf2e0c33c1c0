import type { Page } from "@playwright/test";
import { startProvider } from "#test/providers/provider.ts";
import { ADMIN } from "#test/process.ts";
import { expect, openAs, test } from "./server.ts";

// Connections: an admin connects a provider of language models

const row = (page: Page, name: string) => page.getByRole("rowgroup").filter({ hasText: name });

test("an admin adds a provider, sees the wrong key fail and the right one work", async ({ browser, app }) => {
  const provider = await startProvider("openai");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.getByRole("link", { name: "Connections" }).click();
  await expect(row(page, "Built-in")).toContainText("Always on");
  await page.getByRole("button", { name: "Add connection" }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("button", { name: "Add connection" }).click();
  await expect(form.getByText("OpenAI needs an API key.")).toBeVisible();
  await form.getByRole("combobox", { name: "Provider" }).click();
  await page.getByRole("option", { name: "Another OpenAI-compatible provider" }).click();
  await form.getByLabel("Name", { exact: true }).fill("Plant server");
  await form.getByLabel("Address").fill(provider.url);
  await form.getByLabel("API key").fill("sk-wrong-key-0987654321");
  await form.getByRole("combobox", { name: "Model" }).fill("stand-in-large");
  await form.getByLabel("Input price").fill("1");
  await form.getByRole("button", { name: "Add connection" }).click();
  const added = row(page, "Plant server");
  await expect(added).toContainText("The key was refused.");
  await expect(added).toContainText("Test failed");
  await expect(page.getByText("No language model is connected")).toBeVisible();
  await added.getByRole("button", { name: "Enter new key" }).click();
  await page.getByRole("dialog").getByLabel("API key").fill(provider.key);
  await page.getByRole("dialog").getByRole("button", { name: "Save changes" }).click();
  await expect(added).toContainText("Working: chat, streaming, tools, structured answers, token counts.");
  await expect(added).toContainText("key ends in abcd");
  await expect(page.getByText("No language model is connected")).toBeHidden();
  await page.getByRole("tab", { name: "Calls" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Plant server" }).first()).toContainText("Complete");
  await context.close();
  await provider.stop();
});

test("an admin creates an API key whose permissions are said in words", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/admin/settings?tab=integrations`);
  await page.getByRole("button", { name: "Create API key" }).first().click();
  const form = page.getByRole("dialog", { name: "Create API key" });
  await form.getByLabel("Name").fill("Data warehouse");
  await form.getByRole("checkbox", { name: "Read variables and their values" }).check();
  await form.getByRole("checkbox", { name: "Read courses, enrolments and reports" }).check();
  await form.getByRole("button", { name: "Create API key" }).click();
  await page.getByRole("button", { name: "I have copied it" }).click();
  await expect(page.getByRole("row", { name: /Data warehouse/ })).toContainText("Read variables and their values");
  await context.close();
});
