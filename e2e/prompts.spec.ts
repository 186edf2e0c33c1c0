import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { ADMIN } from "#test/process.ts";
import type { Contract, Sent } from "#shared/route.ts";
import { expect, openAs, type ServerFixture, test } from "./server.ts";

// Prompts: written once, tried, made live after a look at the difference

const asBoss =
  (app: ServerFixture) =>
  async <C extends Contract>(contract: C, sent: Sent<C>) => ({
    status: 200,
    body: await app.admin.call(contract, sent as never),
  });

test("an admin writes a prompt, tries two versions side by side, publishes and restores", async ({ browser, app }) => {
  const provider = await startProvider("openai");
  await connect(asBoss(app), provider, { name: "Plant server", isDefault: true });
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.getByRole("link", { name: "Prompts" }).click();
  await page.getByRole("button", { name: "New prompt" }).first().click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("Explain it simply");
  await expect(form.getByLabel("Key")).toHaveValue("explain-it-simply");
  await form.getByLabel("Text").fill("Explain {{nothing_like_this}} simply.");
  await form.getByRole("button", { name: "Write prompt" }).click();
  await expect(form).toContainText("No variable that prompts may use has this key: nothing_like_this.");
  await form.getByLabel("Text").fill("Explain {{course.title}} simply.\nUse short sentences.");
  await form.getByRole("button", { name: "Write prompt" }).click();
  await expect(page.getByText("No version is live.")).toBeVisible();
  await page.getByRole("button", { name: "Make version 1 live" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make version 1 live" }).click();
  await expect(page.getByText("Version 1 is live.")).toBeVisible();

  const text = page.getByRole("textbox", { name: "Text" });
  await text.fill("Explain {{course.title}} simply.\nUse at most three sentences.");
  await page.getByRole("textbox", { name: "Message" }).fill("What is a pallet?");
  await page.getByRole("button", { name: "Send to both" }).click();
  const logs = page.getByRole("log");
  for (const at of [0, 1]) await expect(logs.nth(at)).toContainText("One, two, three, four, five.");
  await expect(page.getByText("50 tokens").first()).toBeVisible();

  await page.getByRole("button", { name: "Save as version 2" }).click();
  await page.getByRole("button", { name: "Make version 2 live" }).click();
  const difference = page.getByRole("dialog").getByRole("list", { name: "Difference" });
  await expect(difference).toContainText("Removed:Use short sentences.");
  await expect(difference).toContainText("Added:Use at most three sentences.");
  await page.getByRole("dialog").getByRole("button", { name: "Make version 2 live" }).click();
  await expect(page.getByText("Version 2 is live.")).toBeVisible();

  await page.getByRole("button", { name: "Add question" }).click();
  await page.getByRole("dialog").getByLabel("Expected").fill("Counts to five");
  await page.getByRole("dialog").getByLabel("Message").fill("Count");
  await page.getByRole("dialog").getByLabel("Answer contains").fill("five");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Add question" }).click();
  await page.getByRole("button", { name: "Run all" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Counts to five" })).toContainText("Passes");

  await page.getByRole("button", { name: "Versions" }).click();
  const panel = page.getByRole("dialog", { name: "Versions" });
  await panel.getByRole("button", { name: /Version 1/ }).click();
  await panel.getByRole("button", { name: "Restore this text" }).click();
  await expect(text).toHaveValue("Explain {{course.title}} simply.\nUse short sentences.");
  await expect(page.getByText("Version 2 is live. Version 3 is not live yet.")).toBeVisible();
  await context.close();
  await provider.stop();
});
