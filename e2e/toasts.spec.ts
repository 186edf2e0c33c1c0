import { addLearner, expect, openAs, test } from "./server.ts";

// Notices at the top right: time, number and order

test("error notices close after 5 s, at most 20 are shown, and the newest is on top", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, await addLearner(app), `${app.url}/login`);
  await expect(page).toHaveURL(/my-courses/);
  let failures = 0;
  await page.route("**/api/exportUserData*", (route) =>
    route.fulfill({ status: 500, json: { code: "core.internal", error: `Failure ${++failures}` } }),
  );
  await page.goto(`${app.url}/privacy-settings`);
  const exportButton = page.getByRole("button", { name: "Export my data" });
  await expect(exportButton).toBeVisible();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const notices = page.getByRole("alert").filter({ hasText: /^Failure \d+$/ });
  for (let n = 1; n <= 22; n++) {
    // Not a click of the mouse: notices do not close below the pointer.
    await exportButton.dispatchEvent("click");
    await expect.poll(() => failures).toBe(n);
    await expect(async () => {
      await page.clock.runFor(20);
      await expect(notices.first()).toHaveText(`Failure ${n}`, { timeout: 100 });
    }).toPass();
  }
  // The notices above the limit fade out.
  await page.clock.runFor(500);
  await expect(notices).toHaveText(Array.from({ length: 20 }, (_, index) => `Failure ${22 - index}`));
  await expect(notices.first()).toBeInViewport({ ratio: 1 });
  await page.clock.runFor(3800);
  await expect(notices.first()).toHaveText("Failure 22");
  await page.clock.runFor(1500);
  await expect(notices.filter({ hasText: "Failure 22" })).toHaveCount(0);
  await page.clock.runFor(6000);
  await expect(notices).toHaveCount(0);
  await context.close();
});
