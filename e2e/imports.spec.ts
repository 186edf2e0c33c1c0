import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { learners } from "#shared/learners/learners.ts";
import { ADMIN } from "#test/process.ts";
import { personOf, toCsv } from "#test/peopleFile.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme } from "./layout.ts";
import { titledPackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// Importing people from a file: from the list of learners to people who are there, and back

const choose = async (page: Page, name: string, content: string) => {
  await page.getByRole("combobox", { name: "Company" }).click();
  await page.getByRole("option", { name: "Norrvik Energi" }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /Choose/ }).click();
  await (await chooser).setFiles({ name, mimeType: "text/csv", buffer: Buffer.from(content) });
};

test("imports a file, corrects a cell, answers for leavers, and undoes it", async ({ browser, app }) => {
  test.setTimeout(120_000);
  const missing = await addLearner(app, "Per Missing");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/learners`);
  await page.getByRole("link", { name: "Import from file" }).click();
  await expectAccessible(page, "imports, empty");
  const people = [0, 1, 2].map((n) => personOf(n, "import.example"));
  await choose(page, "ansatte.csv", toCsv([...people, personOf(3).with(1, "ola.strand@norrvik")]));

  await expect(page.getByRole("heading", { level: 1, name: "ansatte.csv" })).toBeVisible();
  await expect(page.getByText("Format: semicolon-separated, UTF-8.")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("Email: Has no ending such as .com")).toBeVisible();
  await expectAccessible(page, "import, checked");
  for (const width of [1440, 1180, 820, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoHorizontalScroll(page, `import ${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await setColorScheme(page, "dark");
  await expectAccessible(page, "import, checked, dark", ["color-contrast"]);
  await setColorScheme(page, "light");

  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export rejected rows (1)" }).click();
  expect(readFileSync(await (await saved).path(), "utf8")).toContain("ola.strand@norrvik");

  const cell = page.getByRole("textbox", { name: "E-Mail-Adresse, row 5" });
  await cell.fill("ola.strand@norrvik.example");
  // Without a connection, what was typed stays.
  await page.route("**/api/imports/*/rows/*", (route) => route.abort());
  await cell.press("Enter");
  await expect(page.getByText("Network error.")).toBeVisible();
  await expect(cell).toHaveValue("ola.strand@norrvik.example");
  await page.unroute("**/api/imports/*/rows/*");
  await cell.press("Enter");
  await expect(page.getByText("Row 5 corrected")).toBeVisible();

  const run = page.getByRole("button", { name: "Import 4 rows" });
  await run.click();
  await expect(page.getByText("Decide what happens to the people missing from the file.")).toBeVisible();
  await expect(page.getByText("Per Missing")).toBeVisible();
  await page.getByRole("radio", { name: "Suspend them" }).check();
  await run.click();
  const dialog = page.getByRole("dialog", { name: "Suspend 1 person?" });
  await dialog.getByRole("textbox").fill("1");
  await dialog.getByRole("button", { name: "Import and suspend" }).click();
  await expect(page.getByText("4 rows imported")).toBeVisible({ timeout: 20_000 });
  const list = async () => (await app.admin.call(learners.list, { query: {} })).items;
  const statusOf = async (email: string) => (await list()).find((person) => person.email === email)?.status;
  expect(await statusOf(missing.email)).toBe("suspended");
  expect(await statusOf("ola.strand@norrvik.example")).toBe("invited");

  await page.getByRole("button", { name: "Undo import" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo import" }).click();
  await expect(page.getByText("The import was undone.")).toBeVisible({ timeout: 20_000 });
  expect(await statusOf(missing.email)).toBe("active");
  expect(await statusOf("ola.strand@norrvik.example")).toBe(undefined);
  await context.close();
});

test("imports past completions, with dates as the file writes them", async ({ browser, app }) => {
  test.setTimeout(120_000);
  const learner = await addLearner(app, "Tora Then");
  const course = await addCourse(app, titledPackage("Working at heights 1998"));
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/learners/imports`);
  await page.getByText("Past completions", { exact: true }).click();
  const rows = [
    `${learner.email},${course.title},03/04/2024,88,TÜV 17`,
    `${learner.email},Juggling,24/12/2023,,`,
    `nobody@norrvik.example,${course.title},2024-01-02,,`,
  ];
  await choose(page, "history.csv", ["Email,Course,Completed on,Score,Certificate number", ...rows].join("\n"));
  await expect(page.getByText("Completed on: Day and month are not clear; write it as 2026-03-29")).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.getByText("Course: Is neither the title nor the code of a course")).toBeVisible();
  await expect(page.getByText("Email: No such person in the company")).toBeVisible();
  await page.getByText("Day first: 3 April", { exact: true }).click();
  await page.getByText("Keep in transcripts", { exact: true }).click();
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("Completed on: Day and month are not clear")).toHaveCount(0);
  await expectAccessible(page, "import of completions, checked");
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoHorizontalScroll(page, `import of completions ${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await expect(page.getByText("2 rows imported")).toBeVisible({ timeout: 20_000 });
  await context.close();

  const own = await openAs(browser, learner, `${app.url}/transcripts`);
  await own.page.getByRole("button", { name: "Issue transcript" }).click();
  await own.page.getByRole("dialog").getByRole("button", { name: "Issue transcript" }).click();
  await own.page.getByRole("button", { name: /^View/ }).click();
  await expect(own.page.getByRole("dialog").getByText("Completed elsewhere: TÜV 17")).toBeVisible();
  await expect(own.page.getByRole("dialog").getByRole("rowheader", { name: "Juggling" })).toBeVisible();
  await own.context.close();
});
