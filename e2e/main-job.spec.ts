import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { packDemo } from "#server/demo/demoPackages.ts";
import { ADMIN } from "#test/process.ts";
import { content, expect, PASSWORD, saved, signIn, test } from "./server.ts";

/**
 * The main journey of the product from end to end: an admin creates a company and uploads a package; a learner
 * registers with the access code, starts the course, closes the tab halfway through, resumes exactly there and
 * finishes; the admin reads the report. Unlike the other journeys, it runs with animations.
 */
test.use({ contextOptions: { reducedMotion: "no-preference" } });
test("from a new company to the report of a learner", async ({ browser, app }) => {
  test.setTimeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), "lyceum-e2e-"));
  const zip = join(folder, "phishing.zip");
  await packDemo("phishing", zip);
  const adminContext = await browser.newContext();
  const admin = await adminContext.newPage();

  await test.step("an admin adds a company and gets its access code", async () => {
    await admin.goto(`${app.url}/companies`);
    await expect(admin).toHaveURL(/\/login\?redirect=%2Fcompanies/);
    await signIn(admin, ADMIN);
    await expect(admin).toHaveURL(/dashboard/);
    await admin.getByRole("link", { name: "Companies", exact: true }).first().click();
    await admin.getByRole("button", { name: "Add company" }).first().click();
    const dialog = admin.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Halden Marine");
    await dialog.getByRole("button", { name: "Add company" }).click();
    await expect(admin.getByRole("heading", { name: "Halden Marine", level: 1 })).toBeVisible();
  });
  const code = (
    (await admin
      .getByText(/^[A-HJKMNP-Z2-9]{4} [A-HJKMNP-Z2-9]{4}$/)
      .first()
      .textContent()) ?? ""
  ).replace(" ", "");
  expect(code).toHaveLength(8);

  await test.step("uploads a course, publishes it and assigns it to the company", async () => {
    await admin.getByRole("link", { name: "Courses", exact: true }).first().click();
    await admin.getByRole("button", { name: "Upload package" }).first().click();
    await admin.locator('input[type="file"]').setInputFiles(zip);
    await expect(admin.getByText("Package imported")).toBeVisible();
    await admin
      .getByRole("button", { name: "Open course" })
      .or(admin.getByRole("link", { name: "Open course" }))
      .click();
    await expect(admin.getByRole("heading", { name: "Phishing: see it, report it", level: 1 })).toBeVisible();
    await admin.getByRole("button", { name: "Publish" }).first().click();
    const confirmDialog = admin.getByRole("dialog");
    if (await confirmDialog.isVisible().catch(() => false))
      await confirmDialog.getByRole("button", { name: "Publish" }).click();
    // The toast covers the button for a moment, and stays while the mouse is over it.
    await admin.mouse.move(400, 600);
    await expect(admin.getByText(/” published$/)).toBeHidden();
    await admin.getByRole("button", { name: "Assign", exact: true }).first().click();
    const dialog = admin.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Companies" }).or(dialog.getByLabel("Companies")).first().click();
    await admin.getByRole("option", { name: /Halden Marine/ }).click();
    await admin.keyboard.press("Escape");
    await admin.getByRole("button", { name: "Assign course" }).click();
    await expect(dialog).toBeHidden();
  });

  const learnerContext = await browser.newContext();
  let learner = await learnerContext.newPage();
  const course = () => content(learner);
  const next = async (page: Page, steps: number) => {
    for (let i = 0; i < steps; i++) await content(page).locator("#next").click();
  };

  await test.step("a learner registers with the code and starts the course", async () => {
    await learner.goto(`${app.url}/register?code=${code}`);
    await expect(learner.getByText("Halden Marine")).toBeVisible();
    await learner.getByLabel("Name", { exact: true }).fill("Liv Aune");
    await learner.getByLabel("Email", { exact: true }).fill("liv.aune@halden.example");
    await learner.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await learner.getByRole("button", { name: /Create/ }).click();
    await expect(learner).toHaveURL(/\/login\?registered=true/);
    await signIn(learner, { email: "liv.aune@halden.example", password: PASSWORD });
    await expect(learner).toHaveURL(/my-courses/);
    await learner
      .getByRole("link", { name: /^Start/ })
      .first()
      .click();
    await expect(course().locator("#place")).toContainText("1 of 17");
  });

  await test.step("reaches question two and closes the tab", async () => {
    await next(learner, 11);
    await course().locator('input[value="b"]').check({ force: true });
    await course().getByRole("button", { name: "Check answer" }).click();
    await next(learner, 1);
    await expect(course().locator("#place")).toContainText("13 of 17");
    await course().locator('input[value="a"]').check({ force: true });
    await saved(learner);
    await learner.close({ runBeforeUnload: false });
  });

  await test.step("resumes exactly there, including the unfinished answer", async () => {
    learner = await learnerContext.newPage();
    await learner.goto(`${app.url}/my-courses`);
    await learner
      .getByRole("link", { name: /^Continue/ })
      .first()
      .click();
    await expect(course().locator("#place")).toContainText("13 of 17");
    await expect(course().locator('input[value="a"]')).toBeChecked();
  });

  await test.step("finishes and sees the result immediately", async () => {
    for (const value of ["c", "d"]) await course().locator(`input[value="${value}"]`).check({ force: true });
    await course().getByRole("button", { name: "Check answer" }).click();
    await next(learner, 1);
    await course().locator('input[value="f"]').check({ force: true });
    await course().getByRole("button", { name: "Check answer" }).click();
    await next(learner, 1);
    await course().getByRole("textbox", { name: "Minutes" }).fill("5");
    await course().getByRole("button", { name: "Check answer" }).click();
    await next(learner, 1);
    await course().locator('input[value="b"]').check({ force: true });
    await course().getByRole("button", { name: "Check answer" }).click();
    await next(learner, 1);
    await expect(course().getByRole("heading", { name: /Passed/ })).toBeVisible();
    await saved(learner);
    await learner.locator("header").getByRole("button", { name: "Exit" }).click();
    await expect(learner).toHaveURL(/my-courses/);
    await expect(learner.getByText(/80\s%/).first()).toBeVisible();
  });

  await test.step("the admin reads the report with all answers", async () => {
    await admin.getByRole("link", { name: "Learners", exact: true }).first().click();
    await admin
      .getByRole("link", { name: /Liv Aune/ })
      .first()
      .click();
    await expect(admin.getByRole("heading", { name: "Liv Aune", level: 1 })).toBeVisible();
    await expect(admin.getByText("1 of 1").first()).toBeVisible();
    await expect(admin.getByText("Passed").first()).toBeVisible();
    await admin
      .getByRole("button", { name: /Phishing: see it, report it/ })
      .first()
      .click();
    await expect(admin.getByText("You typed your password into a page that now looks wrong.").first()).toBeVisible();
  });
  await adminContext.close();
  await learnerContext.close();
  rmSync(folder, { recursive: true, force: true });
});
