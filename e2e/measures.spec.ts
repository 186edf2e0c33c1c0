import { CAREFUL, measures } from "#shared/measures/measures.ts";
import type { Page } from "@playwright/test";
import { setColorScheme } from "./layout.ts";
import { addLearner, expect, openAs, test } from "./server.ts";
import { ADMIN } from "#test/process.ts";

// What is measured: an admin chooses, another one was faster, and learners are told once

const look = async (page: Page, name: string) => {
  const folder = process.env.SHOTS;
  if (!folder) return;
  for (const scheme of ["light", "dark"] as const) {
    await setColorScheme(page, scheme);
    await page.screenshot({ path: `${folder}/${name}-${scheme}.png`, fullPage: true });
  }
  await setColorScheme(page, "light");
};

test("an admin saves the careful choice after its preview; the learner is told once", async ({ browser, app }) => {
  const learner = await addLearner(app);
  const { page } = await openAs(browser, ADMIN, `${app.url}/companies/${app.company.id}?tab=measured`);
  await expect(page.getByText("Never changed: admins see everything.")).toBeVisible();
  await look(page, "never-changed");
  await page.getByRole("button", { name: "Careful" }).click();
  await expect(page.getByText("Active time: no longer shown to admins")).toBeVisible();
  await page.getByLabel("Reason").fill("Agreed with the works council");
  await look(page, "preview");

  // Another admin is faster.
  const params = { id: app.company.id };
  await app.admin.call(measures.update, {
    params,
    body: { choices: { ...CAREFUL, lastActivity: "admins" }, version: 0 },
  });
  await page.getByRole("button", { name: /Save as version/ }).click();
  await expect(page.getByRole("alert")).toContainText("saved version 1 in the meantime");
  await expect(page.getByText("Last active: no longer shown to admins")).toBeVisible();
  await page.getByRole("button", { name: "Save as version 2" }).click();
  await expect(page.getByText("Version 2 saved")).toBeVisible();
  await expect(page.getByRole("row", { name: /Agreed with the works council/ })).toBeVisible();
  await look(page, "saved");
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "phone");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${app.url}/companies/${app.company.id}?tab=learners`);
  await expect(page.getByText(/Not shown: Active time, last active/)).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Last active" })).toBeHidden();
  await look(page, "learners");

  const own = await openAs(browser, learner, `${app.url}/login`);
  await expect(own.page.getByText("Your company has changed what it sees of you")).toBeVisible();
  await look(own.page, "notice");
  await own.page.getByRole("link", { name: "What your company measures" }).click();
  await expect(own.page.getByText(/Nobody but you sees: Replay of sessions/)).toBeVisible();
  await own.page.getByRole("button", { name: "Got it" }).click();
  await expect(own.page.getByText("Your company has changed what it sees of you")).toBeHidden();
  await look(own.page, "own");
});
