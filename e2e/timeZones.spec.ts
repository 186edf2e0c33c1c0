import { ADMIN } from "#test/process.ts";
import { addValueCourse } from "./rawDataFixture.ts";
import { addSession } from "./replayFixture.ts";
import { expect, openAs, test } from "./server.ts";

/** Noon in summer in UTC: 20:00 in Perth, 06:00 in Managua. */
const STARTED = "2026-07-01T12:00:00Z";

test("a report, its sessions and their replay show times of the company in any zone", async ({ app, browser }) => {
  await app.query(`update companies set timezone = 'Australia/Perth' where id = '${app.company.id}'`);
  const course = await addValueCourse(app, "zones");
  const sessionId = await addSession(app, course.id, () => [{ seq: 1, t: 0, type: "exit" }]);
  await app.query(`update sessions set started_at = '${STARTED}' where id = '${sessionId}'`);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/reports/session/replay/${sessionId}`, {
    timezoneId: "America/Managua",
  });
  await expect(page.getByRole("heading", { level: 1 })).toContainText("1 Jul 2026, 20:00");
  await expect(page.getByText("Times in Australia/Perth")).toBeVisible();
  await page.getByRole("link", { name: "Jonas Hagen" }).click();
  await expect(page.getByText("time zone Australia/Perth")).toBeVisible();
  const session = page.getByRole("link", { name: "1 Jul 2026, 20:00", exact: true });
  await session.click();
  await expect(page.getByRole("dialog").getByText("1 Jul 2026, 20:00")).toBeVisible();
  await context.close();
});
