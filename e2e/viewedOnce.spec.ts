import { audit } from "#shared/audit/audit.ts";
import { courses } from "#shared/courses/courses.ts";
import { ADMIN } from "#test/process.ts";
import { waitUntilLoaded } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, saved, test } from "./server.ts";

// A visit to a page about a person is one entry, in the audit log and in what that person sees of it

test("a learner finds one entry for each page that an admin has opened", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004", ["one", "two"]));
  const learner = await addLearner(app, "Runa Vik");
  const own = await openAs(browser, learner, course.launch);
  await expect(content(own.page).locator("body")).toBeVisible();
  await saved(own.page);
  const { items } = await app.admin.call(courses.enrolments, { query: { courseId: course.id, q: learner.email } });
  const id = items[0]?.userId as string;

  const { page, context } = await openAs(browser, ADMIN, `${app.url}/learners/report/${id}`);
  await page.getByRole("button", { name: course.title }).click();
  await waitUntilLoaded(page);
  await page.reload();
  await waitUntilLoaded(page);
  await page
    .getByRole("link", { name: /^Replay/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Session on");
  await waitUntilLoaded(page);
  await app.admin.call(audit.list, { query: { personId: id, kind: "administration" } }).then(({ items: entries }) => {
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith("reports."));
    expect(actions.toSorted()).toEqual(["reports.open", "reports.session"]);
  });
  await context.close();

  const log = own.page.getByRole("region", { name: "Who viewed my records" });
  await own.page.goto(`${app.url}/privacy-settings`);
  await expect(log.getByText("Opened a learner report")).toHaveCount(1);
  await expect(log.getByText("Opened a session")).toHaveCount(1);
  await own.context.close();
});
