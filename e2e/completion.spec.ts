import { randomUUID } from "node:crypto";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { managers } from "#shared/managers/managers.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";
import { createClient } from "#test/client.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, sizesFor, viewports } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

// Why a course is not complete: what its learner has still to do, and what an admin sees and decides

/** A learner with a score of 65 % in a course that asks for 70 % and for both parts. */
async function addStuckLearner(app: ServerFixture) {
  const course = await addCourse(app, probePackage("1.2", ["one", "two"]));
  const { version } = await app.admin.call(courses.get, { params: { id: course.id } });
  const tests = [{ kind: "opened" as const }, { kind: "score" as const, percent: 70 }];
  await app.admin.call(courses.update, {
    params: { id: course.id },
    body: { completionRule: { match: "all", tests }, version },
  });
  const learner = await addLearner(app, "Jonas Hagen");
  const client = createClient(app.url);
  const { token, user } = await client.call(auth.signIn, { body: learner });
  client.useToken(token);
  const session = await client.call(player.launch, {
    params: { companyId: app.company.id, courseId: course.id },
    body: { clientId: randomUUID() },
  });
  const [first, second] = session.parts.filter(({ href }) => href !== null);
  const sco = first?.sco as string;
  const events = [
    { seq: 1, t: 0, type: "nav", sco },
    { seq: 2, t: 1, type: "scorm.init", sco },
    { seq: 3, t: 4000, type: "scorm.set", sco, key: "cmi.core.score.raw", value: "65" },
  ];
  const saved = await fetch(`${app.url}${player.commit.path.replace(":id", session.sessionId)}`, {
    method: "POST",
    headers: { "content-type": "application/json", [SESSION_HEADER]: session.token },
    body: JSON.stringify({ events, activeMs: 4000, failed: 0 }),
  });
  expect(saved.status).toBe(200);
  return { course, learner, userId: user.id, left: second?.title as string };
}

for (const [size, viewport] of sizesFor("completion"))
  test(`a learner sees what is left, an admin sets it complete and undoes it (${size})`, async ({ browser, app }) => {
    test.setTimeout(120_000);
    const { course, learner, userId, left } = await addStuckLearner(app);
    const own = await openAs(browser, learner, `${app.url}/courses/${course.id}`, { viewport });
    const todo = own.page.getByRole("region", { name: "2 things are left" });
    // 65 of 70 % is nearer than one of two parts.
    await expect(todo.getByRole("listitem").first()).toContainText("You have 65 %.");
    await expect(todo.getByRole("link", { name: `Open “${left}”` })).toBeVisible();
    await expect(todo).not.toContainText(/rule/i);
    await expectAccessible(own.page, `what is left, ${size}`);
    await expectNoHorizontalScroll(own.page, `what is left, ${size}`);

    const { page, context } = await openAs(browser, ADMIN, `${app.url}/learners/report/${userId}`, { viewport });
    await page
      .getByRole("row", { name: /In progress/ })
      .getByRole("button", { name: /Why not/ })
      .click();
    const drawer = page.getByRole("dialog", { name: `Why “${course.title}” is not complete` });
    await expect(drawer).toContainText("0 of 2 conditions are met. All are needed.");
    await expect(drawer).toContainText("65 %, the limit is 70 %");
    await expect(drawer).toContainText(`Missing: ${left}`);
    await expect(drawer).toContainText("Nothing was lost: 3 steps sent, 3 stored.");
    await expect(drawer.getByRole("link", { name: /Replay from .*score is 70/ })).toHaveAttribute(
      "href",
      /replay\/.*t=/,
    );
    await expectAccessible(page, `why a course is not complete, ${size}`);
    await setColorScheme(page, "dark");
    await expectAccessible(page, `why a course is not complete, dark, ${size}`, ["color-contrast"]);
    await setColorScheme(page, "light");
    await expectNoHorizontalScroll(page, `why a course is not complete, ${size}`);

    await drawer.getByRole("button", { name: "Set complete" }).click();
    const dialog = page.getByRole("dialog", { name: /Set “.*” complete for Jonas Hagen\?/ });
    await dialog.getByRole("button", { name: "Set complete" }).click();
    await expect(dialog).toContainText("Write 3 to 300 characters.");
    await dialog.getByLabel("Reason").fill("Took the test on paper");
    await expectAccessible(page, `the reason of a completion, ${size}`);
    await dialog.getByRole("button", { name: "Set complete" }).click();
    const since = page.getByRole("dialog", { name: `“${course.title}” is complete` });
    await expect(since).toContainText("Set by an admin");
    await expect(since).toContainText("“Took the test on paper”");
    await expect(page.getByText("Completed, set by an admin").first()).toBeAttached();

    await own.page.reload();
    await expect(own.page.getByText(/An admin set this course complete on .*“Took the test on paper”/)).toBeVisible();
    await expect(todo).toBeHidden();

    await since.getByRole("button", { name: "Undo: Set complete" }).click();
    await expect(drawer).toContainText("0 of 2 conditions are met.");
    await own.page.reload();
    await expect(todo).toBeVisible();
    await todo.getByRole("link", { name: `Open “${left}”` }).click();
    await expect(own.page).toHaveURL(/launch/);
    await context.close();
    await own.context.close();
  });

test(
  "an admin takes back and starts over, and a manager sees what is met",
  { tag: "@long" },
  async ({ browser, app }) => {
    test.setTimeout(120_000);
    const { course, learner, userId } = await addStuckLearner(app);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/learners/report/${userId}`);
    await page
      .getByRole("row", { name: /In progress/ })
      .getByRole("button", { name: /Why not/ })
      .click();
    const drawer = page.getByRole("dialog", { name: new RegExp(`“${course.title}” is`) });
    const decide = async (what: string, reason: string) => {
      await drawer.getByRole("button", { name: what, exact: true }).click();
      const dialog = page.getByRole("dialog").filter({ has: page.getByLabel("Reason") });
      await dialog.getByLabel("Reason").fill(reason);
      await expectAccessible(page, `the reason of “${what}”`);
      await dialog.getByRole("button", { name: what, exact: true }).click();
      await expect(dialog).toHaveCount(0);
    };
    await decide("Set complete", "Took the test on paper");
    await expect(drawer).toContainText("Set by an admin");
    await decide("Take back", "It was another test");
    await expect(drawer).toContainText("“It was another test”");
    await expect(drawer).toContainText("0 of 2 conditions are met.");
    await decide("Start over", "The course has changed");
    await expect(drawer).toContainText("attempt 2");
    await expectAccessible(page, "a course that was started over");

    const own = await openAs(browser, learner, `${app.url}/courses/${course.id}`);
    const decision = /An admin opened this course again on .*“The course has changed”/;
    await expect(own.page.getByText(decision)).toBeVisible();
    await own.context.close();

    await drawer.getByRole("button", { name: "Undo: Started over" }).click();
    await expect(drawer).toContainText("attempt 1");
    await context.close();

    const boss = await addLearner(app, "Bea Boss");
    const { items } = await app.admin.call(learners.list, { query: { q: "Bea Boss" } });
    await app.admin.call(managers.allow, { params: { id: app.company.id }, body: { seePeople: true } });
    await app.admin.call(learners.setManager, { body: { ids: [userId], managerId: items[0]?.id ?? "" } });
    const lead = await openAs(browser, boss, `${app.url}/login`, { viewport: viewports.phone });
    await expect(lead.page).toHaveURL(/team|my-courses/);
    await lead.page.goto(`${app.url}/team/people/${userId}`);
    await lead.page
      .locator("tr")
      .filter({ hasText: course.title })
      .filter({ hasText: /progress/i })
      .getByRole("button", { name: "Why not complete?" })
      .click();
    const seen = lead.page.getByRole("dialog", { name: /is not complete/ });
    await expect(seen.getByRole("listitem")).toHaveCount(2);
    await expect(seen).not.toContainText("65");
    await expectAccessible(lead.page, "what a manager sees of a completion");
    await lead.context.close();
  },
);
