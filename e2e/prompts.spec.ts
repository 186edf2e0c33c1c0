import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { ADMIN } from "#test/process.ts";
import type { Contract, Sent } from "#shared/core/route.ts";
import { prompts } from "#shared/prompts/prompts.ts";
import { variables } from "#shared/variables/variables.ts";
import { variablePackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, type ServerFixture, test } from "./server.ts";

// Prompts: written once, tried, made live after a look at the difference

const asBoss =
  (app: ServerFixture) =>
  async <C extends Contract>(contract: C, sent: Sent<C>) => ({
    status: 200,
    body: await app.admin.call(contract, sent as never),
  });

test("an admin writes a prompt, compares two versions, publishes and restores", async ({ browser, app }) => {
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

test("content runs a button prompt that fills a variable", async ({ browser, app }) => {
  const provider = await startProvider("openai");
  await connect(asBoss(app), provider, { name: "Second server", isDefault: true });
  const course = await addCourse(app, variablePackage());
  await app.admin.call(variables.create, {
    body: {
      key: "rating",
      label: "Rating",
      type: "number",
      constraints: { min: 1, max: 10 },
      courses: [{ courseId: course.id, access: "both" }],
    },
  });
  const { id, draft, version } = await app.admin.call(prompts.create, {
    body: { key: "rate-plan", name: "Rate a plan", purpose: "button", body: "Rate this plan: {{input}}" },
  });
  await app.admin.call(prompts.setLive, { params: { id }, body: { versionId: draft.id, version } });

  const admin = await openAs(browser, ADMIN, `${app.url}/login`);
  await admin.page.getByRole("link", { name: "Prompts" }).click();
  await admin.page.getByRole("tab", { name: "Button prompts" }).click();
  await admin.page.getByRole("button", { name: "New button prompt" }).first().click();
  const form = admin.page.getByRole("dialog");
  await form.getByLabel("Label").fill("Rate my plan");
  await expect(form.getByLabel("Key")).toHaveValue("rate-my-plan");
  await form.getByRole("combobox", { name: "Prompt" }).click();
  await admin.page.getByRole("option", { name: "Rate a plan" }).click();
  await form.getByRole("combobox", { name: "Courses" }).fill(course.title);
  await admin.page.getByRole("option", { name: course.title }).click();
  await form.getByRole("combobox", { name: "Variables it sets" }).fill("rating");
  await admin.page.getByRole("option", { name: "rating" }).click();
  await form.getByRole("button", { name: "Add button prompt" }).click();
  const row = admin.page.getByRole("row").filter({ hasText: "Rate my plan" });
  await expect(row).toContainText("Draft");
  await row.getByRole("button").last().click();
  await admin.page.getByRole("menuitem", { name: "Activate" }).click();
  await expect(row).toContainText("Active");
  await admin.context.close();

  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  const rating = content(page).locator("#rating");
  await expect(rating).toHaveText("null");
  provider.always({ structured: '{"answer": "Clear.", "rating": 8}' });
  const run = (key: string) =>
    content(page)
      .locator("body")
      .evaluate(
        (_, name) =>
          (
            window as never as { Lyceum: { runPrompt: (key: string, input: string) => Promise<object> } }
          ).Lyceum.runPrompt(name, "My plan").catch((error: { code: string }) => error.code),
        key,
      );
  expect(await run("rate-my-plan")).toEqual({ isAnswered: true, text: "Clear.", values: { rating: 8 }, left: 9 });
  await expect(rating).toHaveText("8");
  expect(await run("no-such-button")).toBe("core.notFound");
  await page.reload();
  await expect(rating).toHaveText("8");
  await context.close();
  await provider.stop();
});
