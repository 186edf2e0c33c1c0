import type { Page } from "@playwright/test";
import { cmi5Zip, tinCanZip } from "./activityPackages.ts";
import { expectAccessible } from "./axe.ts";
import { ADMIN } from "#test/process.ts";
import { addCourse, addLearner, content, expect, openAs, saved, type ServerFixture, test } from "./server.ts";

// Packages of cmi5 and xAPI: what they report goes from the content to the record store, and not through the shell

const press = (page: Page, name: string) => content(page).getByRole("button", { name, exact: true }).click();
const answer = (page: Page, text: string) => expect(content(page).locator("#answer")).toHaveText(text);

const listVerbs = async (app: ServerFixture, courseId: string) => {
  const rows = await app.query<{ verb: string }>(
    `select statements.verb
     from statements
     join attempts on attempts.id = statements.attempt_id
     where attempts.course_id = $1
     order by statements.position`,
    [courseId],
  );
  return rows.map(({ verb }) => verb.split("/").at(-1));
};
const readResult = async (app: ServerFixture, courseId: string, { email }: { email: string }) =>
  (
    await app.query<{ status: string; success: string; score: number }>(
      `select enrolments.status, success, score_percent as score
       from enrolments
       join users on users.id = enrolments.user_id
       where course_id = $1 and email = $2`,
      [courseId, email],
    )
  )[0];

test("a learner suspends, resumes and passes a cmi5 course, which is reported", async ({ browser, app }) => {
  const course = await addCourse(app, cmi5Zip());
  const learner = await addLearner(app);
  const { page, context } = await openAs(browser, learner, course.launch, { viewport: { width: 390, height: 844 } });
  await answer(page, "initialized 204");
  await expect(content(page).locator("#mode")).toHaveText("Normal");
  await press(page, "Next page");
  await press(page, "Next page");
  await expect(content(page).locator("#place")).toHaveText("Page 3");
  await saved(page);
  await page.getByRole("button", { name: "Exit" }).click();
  await expect(page.getByRole("heading", { name: "Safety" }).first()).toBeVisible();

  await page.goto(course.launch);
  await expect(content(page).locator("#place")).toHaveText("Page 3");
  await press(page, "Finish quiz");
  await answer(page, "completed 204");
  await press(page, "Close");
  await expect(page.getByRole("heading", { name: "Evacuation" })).toBeVisible();
  await expectAccessible(page, "end of a cmi5 part");
  expect(await readResult(app, course.id, learner)).toEqual({ status: "completed", success: "passed", score: 80 });
  expect(await listVerbs(app, course.id)).toEqual([
    "launched",
    "initialized",
    "abandoned",
    "launched",
    "initialized",
    "passed",
    "completed",
    "satisfied",
    "terminated",
  ]);

  const [session] = await app.query<{ id: string }>(
    `select sessions.id
     from sessions
     join attempts on attempts.id = sessions.attempt_id
     where attempts.course_id = $1
     order by sessions.started_at desc
     limit 1`,
    [course.id],
  );
  const admin = await openAs(browser, ADMIN, `${app.url}/reports/session/replay/${session?.id}`);
  await expect(admin.page.getByText("Reported status: passed").first()).toBeVisible();
  await expect(admin.page.getByText(/Score 80\s%/).first()).toBeVisible();
  await admin.page.goto(`${app.url}/courses/${course.id}`);
  await expect(admin.page.getByText("cmi5, 1 part")).toBeVisible();
  await admin.context.close();
  await context.close();
});

test("the answer to a statement is lost and the server killed: it counts once", async ({ browser, app }) => {
  const course = await addCourse(app, cmi5Zip("killed.zip"));
  const learner = await addLearner(app);
  const { page, context } = await openAs(browser, learner, course.launch);
  await answer(page, "initialized 204");
  let isLost = false;
  await page.route("**/xapi/statements*", async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    // The server stores it; its answer never arrives.
    await route.fetch();
    await app.kill();
    await route.abort();
    await app.start();
  });
  await press(page, "Finish quiz");
  await expect(content(page).locator("#answer")).toHaveText("completed 204", { timeout: 60_000 });
  expect(isLost).toBe(true);
  expect(await readResult(app, course.id, learner)).toEqual({ status: "completed", success: "passed", score: 80 });
  expect(await listVerbs(app, course.id)).toEqual(["launched", "initialized", "passed", "completed", "satisfied"]);
  await context.close();
});

test("a Tin Can package reports with the credentials in its address", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, tinCanZip());
  const learner = await addLearner(app);
  const { page, context } = await openAs(browser, learner, course.launch);
  await press(page, "Finish");
  await answer(page, "passed 204");
  expect(await readResult(app, course.id, learner)).toEqual({ status: "completed", success: "passed", score: 90 });
  await context.close();
});
