import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";
import { createClient } from "#test/client.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, sizesFor } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

// A completion rule is tried over what is stored, applied, and undone

/** A course with learners who have these scores, none of whom is complete. */
async function courseWithScores(server: ServerFixture, scores: number[]) {
  const company = await server.admin.call(companies.create, { body: { name: `Company ${randomUUID().slice(0, 8)}` } });
  const app = { ...server, company };
  const course = await addCourse(app, probePackage("1.2"));
  for (const score of scores) {
    const learner = await addLearner(app, `Learner with ${score}`);
    const client = createClient(app.url);
    const { token } = await client.call(auth.signIn, { body: learner });
    client.useToken(token);
    const session = await client.call(player.launch, {
      params: { companyId: company.id, courseId: course.id },
      body: { clientId: randomUUID() },
    });
    const sco = session.parts[0]?.sco as string;
    const events = [
      { seq: 1, t: 0, type: "nav", sco },
      { seq: 2, t: 1, type: "scorm.init", sco },
      { seq: 3, t: 2, type: "scorm.set", sco, key: "cmi.core.score.raw", value: `${score}` },
    ];
    const saved = await fetch(`${app.url}${player.commit.path.replace(":id", session.sessionId)}`, {
      method: "POST",
      headers: { "content-type": "application/json", [SESSION_HEADER]: session.token },
      body: JSON.stringify({ events, activeMs: 1000, failed: 0 }),
    });
    expect(saved.status).toBe(200);
  }
  return course;
}

const figure = (page: Page, label: string) => page.getByRole("listitem").filter({ hasText: label });

for (const [size, viewport] of sizesFor("completionRules"))
  test(`an admin tries a rule, applies it and undoes it (${size})`, async ({ browser, app }) => {
    test.setTimeout(120_000);
    const course = await courseWithScores(app, [90, 75, 40]);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/courses/${course.id}`, { viewport });
    await page.getByRole("link", { name: "Change", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Completion rule", level: 1 })).toBeVisible();
    await expect(page.getByText("This rule is in use.")).toBeVisible();

    await page.getByRole("button", { name: "Add an alternative" }).click();
    await page.getByRole("menuitem", { name: "Score of the course" }).click();
    const value = page.getByLabel("Condition 2: value");
    await value.fill("");
    await expect(page.getByText("Fill in the empty fields")).toBeVisible();
    await value.fill("70");
    await expect(figure(page, "Newly complete")).toContainText("2");
    await expect(figure(page, "Complete then")).toContainText("2");
    await expect(page.getByText("2 of 3")).toBeVisible();
    const rows = page.getByRole("main").locator("tbody tr");
    await expect(rows).toHaveCount(2);
    await expect(rows.filter({ hasText: "Learner with 75" })).toContainText("Score 75 %");
    await expectAccessible(page, "a completion rule");
    await expectNoHorizontalScroll(page, "a completion rule");
    await setColorScheme(page, "dark");
    await expectAccessible(page, "a completion rule, dark", ["color-contrast"]);
    await setColorScheme(page, "light");

    // The page is left only on purpose while something is unsaved.
    await page.getByRole("link", { name: course.title }).first().click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Stay|Keep editing/ })
      .click();

    await page.getByRole("button", { name: "Apply to 3 learners" }).click();
    await expect(page.getByRole("dialog")).toContainText("2 learners become complete");
    await page.getByRole("button", { name: "Apply rule" }).click();
    await expect(page.getByText("The rule was applied. 2 learners became complete.")).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText("2 of 3 learners are complete today")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Condition 2: value")).toHaveValue("70");

    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("0 of 3 learners are complete today")).toBeVisible({ timeout: 20_000 });
    await expect(page.getByLabel("Condition 2: value")).toBeHidden();
    await page.getByRole("button", { name: "2 earlier rules" }).click();
    await page.getByRole("button", { name: /Try it .*score is 70 %/ }).click();
    await expect(figure(page, "Newly complete")).toContainText("2");
    await context.close();
  });
