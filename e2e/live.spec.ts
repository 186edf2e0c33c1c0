import type { Page } from "@playwright/test";
import { addValueCourse } from "./rawDataFixture.ts";
import { expect, openAs, test } from "./server.ts";
import { ADMIN } from "#test/process.ts";

// Changes reach every tab of a browser without a reload

test("tabs share one stream; a new tab, and one that takes over, miss nothing", async ({ browser, app }) => {
  const course = await addValueCourse(app, "live");
  await course.answer("Ada One", [["rating", 3]]);
  const { page: first, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await first.waitForURL(/dashboard/);
  const streams: string[] = [];
  context.on("request", (request) => {
    if (request.url().includes("/api/live")) streams.push(request.url());
  });
  const address = `${app.url}/variables?courseId=${course.id}`;
  const learnersIn = (page: Page, count: number) =>
    expect(
      page
        .getByRole("row", { name: /I speak up early/ })
        .getByRole("cell")
        .nth(4),
    ).toHaveText(String(count), {
      timeout: 20_000,
    });
  await first.goto(address);
  await learnersIn(first, 1);
  await expect.poll(() => streams.length, { timeout: 10_000 }).toBe(1);

  const second = await context.newPage();
  await second.goto(address);
  await learnersIn(second, 1);
  // Its channel to the other tab opens a moment later.
  await course.answer("Ben Two", [["rating", 4]]);
  await learnersIn(second, 2);
  await learnersIn(first, 2);
  expect(streams).toHaveLength(1);

  await first.close();
  await course.answer("Cleo Three", [["rating", 5]]);
  await learnersIn(second, 3);
  expect(streams).toHaveLength(2);
  await context.close();
});
