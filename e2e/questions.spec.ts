import { auth } from "#shared/auth/auth.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";
import { createClient } from "#test/client.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

test("an admin finds who got a question wrong, and replays the second of the answer", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2", ["one"]));
  const answers = [
    ["Liv Aune", "Wait", "wrong"],
    ["Ola Strand", "Report it", "correct"],
  ] as const;
  for (const [name, response, result] of answers) {
    const client = createClient(app.url);
    client.useToken((await client.call(auth.signIn, { body: await addLearner(app, name) })).token);
    const params = { companyId: app.company.id, courseId: course.id };
    const launch = await client.call(player.launch, { params, body: { clientId: "first-window" } });
    const sco = launch.parts[0]?.sco as string;
    const fields = { id: "What do you do first?", student_response: response, result };
    const events = Object.entries(fields).map(([field, value], n) => {
      const key = `cmi.interactions.0.${field}`;
      return { seq: 3 + n, t: 4, type: "scorm.set", sco, key, value };
    });
    const opened = [
      { seq: 1, t: 0, type: "nav", sco },
      { seq: 2, t: 1, type: "scorm.init", sco },
    ];
    const reply = await fetch(`${app.url}/api/sessions/${launch.sessionId}/events`, {
      method: "POST",
      headers: { "content-type": "application/json", [SESSION_HEADER]: launch.token },
      body: JSON.stringify({ events: [...opened, ...events] }),
    });
    expect(reply.status).toBe(200);
  }

  const { page, context } = await openAs(browser, ADMIN, `${app.url}/reports/course/${course.id}`);
  const row = page.getByRole("row", { name: /What do you do first\?/ });
  await expect(row).toContainText("50 %");
  await expect(row).toContainText("Wait (1)");
  await expectAccessible(page, "a course report with questions");
  await row.getByRole("link", { name: /Wrong at first/ }).click();
  const panel = page.getByRole("dialog", { name: "What do you do first?" });
  await expect(panel).toContainText("Wrong at first: 1 person");
  await expect(panel.getByRole("listitem")).toHaveCount(1);
  await expect(panel).toContainText("Liv Aune");
  await expectAccessible(page, "the people behind a figure of a question");
  await panel.getByRole("link", { name: /^Replay from/ }).click();
  await expect(page).toHaveURL(/\/reports\/session\/replay\/.*t=0\.004$/);
  await page.goBack();
  await expect(panel).toContainText("Liv Aune");
  await page.setViewportSize({ width: 390, height: 844 });
  await panel.getByRole("button", { name: "Close" }).click();
  await expect(row).toBeVisible();
  await expectNoHorizontalScroll(page, "phone");
  await context.close();
});
