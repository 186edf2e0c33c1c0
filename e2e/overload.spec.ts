import { learners } from "#shared/learners/learners.ts";
import { ADMIN } from "#test/process.ts";
import { addLearner, expect, openAs, test } from "./server.ts";

// A server that has too much to do refuses pages and exports before anything has happened; the browser repeats them.

const refusal = {
  status: 503,
  contentType: "application/json",
  headers: { "retry-after": "1" },
  body: JSON.stringify({ code: "core.overloaded", error: "The server has too much to do right now." }),
};

test(
  "a refused list is loaded again, first silently, then from its place on the page",
  { tag: "@long" },
  async ({ browser, app }) => {
    const who = await addLearner(app, "Otto Overload");
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await expect(page).toHaveURL(/dashboard/);
    let refusals = 1;
    await page.route(`**${learners.list.path}?*`, (route) =>
      refusals-- > 0 ? route.fulfill(refusal) : route.continue(),
    );
    await page.goto(`${app.url}/learners?q=${encodeURIComponent(who.email)}`);
    await expect(page.getByText("Otto Overload").first()).toBeVisible();
    expect(refusals).toBeLessThan(0);

    refusals = 3;
    await page.reload();
    await expect(page.getByRole("alert")).toContainText("The server has too much to do right now.");
    await expect(page.getByText("Otto Overload").first()).toBeVisible({ timeout: 30_000 });
    await context.close();
  },
);

test("a refused export is downloaded after a pause", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  let refusals = 2;
  await page.route(`**${learners.export.path}*`, (route) =>
    refusals-- > 0 ? route.fulfill(refusal) : route.continue(),
  );
  await page.goto(`${app.url}/learners`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  expect((await downloading).suggestedFilename()).toBe("learners.csv");
  expect(refusals).toBeLessThan(0);
  await context.close();
});
