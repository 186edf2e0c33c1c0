import { expectAccessible } from "./axe.ts";
import { addDocument, ask, openChat } from "./chatFixture.ts";
import { expectNoHorizontalScroll } from "./layout.ts";
import { addLearner, expect, openAs, test } from "./server.ts";
import { ADMIN } from "#test/process.ts";

// Chatbots as admins build them: from a template to the transcript of what a learner asked

const HANDBOOK = [
  "# Holidays",
  "Every employee has thirty days of paid holiday a year.",
  "# Sick leave",
  "Tell your manager before nine.",
].join("\n\n");

test("an admin builds a tutor, a learner asks it, and the admin reads why it said so", async ({ browser, app }) => {
  await addDocument(app, "Handbook", HANDBOOK);
  const learner = await addLearner(app);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.waitForURL(/dashboard/);
  await page.getByRole("link", { name: "Chatbots" }).click();
  await page.getByRole("link", { name: "New chatbot" }).first().click();
  await page.getByRole("radio", { name: "Course tutor" }).click();
  await page.getByRole("button", { name: "Create chatbot" }).click();
  await expect(page.getByLabel("Name")).toHaveAccessibleDescription("Enter a name.");
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.getByLabel("Name").fill("Holiday tutor");
  await page.getByRole("combobox", { name: "Documents it quotes" }).click();
  await page.getByRole("option", { name: "Handbook" }).click();
  await page.getByRole("button", { name: "Create chatbot" }).click();
  await expect(page.getByText("Choose at least one company, or all.")).toBeVisible();
  await page.getByRole("radio", { name: "All companies" }).check();
  await page.getByRole("button", { name: "Create chatbot" }).click();
  await expect(page.getByText("Not published yet: nobody can talk to it.")).toBeVisible();

  const preview = page.getByRole("complementary", { name: "Preview of your draft" });
  await preview
    .getByRole("textbox", { name: "Write to Holiday tutor" })
    .fill("How many days of paid holiday do I have?");
  await page.keyboard.press("Enter");
  await expect(preview.getByText("thirty days of paid holiday", { exact: false }).first()).toBeVisible();

  await page.getByLabel("Description").fill("Answers about holidays");
  await expect(page.getByText("Not saved")).toBeVisible();
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Draft saved", { exact: false })).toBeVisible();
  await expect(preview.getByText("thirty days", { exact: false })).toHaveCount(0);
  await expect(page.getByLabel("Description")).toBeFocused();
  await page.getByRole("button", { name: "Publish version 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish version 1" }).click();
  await expect(page.getByText("Version 1 is live. You have no unpublished changes.")).toBeVisible();
  const id = /edit\/([^?#]+)/.exec(page.url())?.[1] as string;

  const chat = await openChat(browser, `${app.url}/chatbot/${id}`, learner);
  await ask(chat.page, "Holiday tutor", "How many days of paid holiday do I have?");
  await expect(chat.page.getByText("thirty days of paid holiday", { exact: false }).first()).toBeVisible();
  await chat.context.close();

  await page.getByRole("tab", { name: "Conversations" }).click();
  await expect(page.getByText("1 of 1", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "How many days of paid holiday do I have?", exact: true }).click();
  const transcript = page.getByRole("dialog", { name: "How many days of paid holiday do I have?" });
  await expect(transcript.getByRole("link", { name: learner.name })).toBeVisible();
  await transcript.getByText("Why this answer?").click();
  await expect(transcript.getByRole("row", { name: /Handbook/ }).first()).toBeVisible();
  await expect(transcript.getByText("You are Holiday tutor", { exact: false })).toBeVisible();
  await expectAccessible(page, "transcript");
  await context.close();
});

test("a scene that leads nowhere is named and not published until it is repaired", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/admin/chatbots/create`);
  await page.getByRole("radio", { name: "Empty chatbot" }).click();
  await page.getByLabel("Name").fill("Shift handover");
  await page.getByRole("radio", { name: "All companies" }).check();
  await page.getByRole("button", { name: "Create chatbot" }).click();
  await page.getByRole("navigation", { name: "Sections" }).getByRole("button", { name: "Behaviour" }).click();
  await page.getByRole("combobox", { name: "How it answers" }).click();
  await page.getByRole("option", { name: "Follows a scripted scene" }).click();
  await page.getByRole("button", { name: "Add step" }).click();
  const steps = page.getByRole("listitem").filter({ has: page.getByLabel("What it says") });
  await steps.nth(0).getByLabel("What it says").fill("The shift begins.");
  await steps.nth(0).getByRole("button", { name: "Add answer" }).click();
  await steps.nth(0).getByLabel("Answer 1", { exact: true }).fill("I greet everybody");
  await expect(page.getByText("An answer in “The shift begins.” leads nowhere.")).toBeVisible();
  await steps.nth(0).getByRole("combobox", { name: "Leads to" }).click();
  await page.getByRole("option", { name: "1. The shift begins." }).click();
  await expect(page.getByText("After “The shift begins.”, the scene never ends.")).toBeVisible();
  await page.getByRole("button", { name: "Publish version 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish version 1" });
  await expect(dialog.getByText("Behaviour: after one of its steps, the scene never ends.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Publish version 1" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await steps.nth(0).getByRole("combobox", { name: "Leads to" }).click();
  await page.getByRole("option", { name: "A new step" }).click();
  await steps.nth(1).getByLabel("What it says").fill("Everybody greets you.");
  await steps.nth(1).getByLabel("The goal is reached here").check();
  await page.getByRole("button", { name: "Save and try" }).click();
  const preview = page.getByRole("complementary", { name: "Preview of your draft" });
  // Saving begins the preview anew.
  await expect(page.getByText("Draft saved", { exact: false })).toBeVisible();
  await preview.getByRole("button", { name: "I greet everybody" }).click();
  await expect(preview.getByText("Everybody greets you.").first()).toBeVisible();
  await page.getByRole("button", { name: "Publish version 1" }).click();
  await dialog.getByRole("button", { name: "Publish version 1" }).click();
  await expect(page.getByText("Version 1 is live. You have no unpublished changes.")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page, "edit phone");
  await expectAccessible(page, "edit phone");
  await context.close();
});
