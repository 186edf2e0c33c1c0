import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { strToU8, zipSync } from "fflate";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { ENOUGH_SESSIONS } from "#shared/courses/packageChecks.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";
import { createClient } from "#test/client.ts";
import { ADMIN } from "#test/process.ts";
import { manifest12 } from "#test/samplePackage.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, sizesFor } from "./layout.ts";
import { addCourse, addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

// Before learners see a package, an admin sees what it will report, and afterwards what came

const page12 = (code: string) =>
  `<!doctype html><html lang="en"><title>Quiz</title><script src="https://cdn.example.com/quiz.js"></script>
<img src="gone.png" alt=""><script>${code}</script></html>`;
const scoring = (name = "agency.zip") => ({
  name,
  bytes: zipSync({
    "imsmanifest.xml": strToU8(manifest12()),
    "index.html": strToU8(
      page12(`API.LMSInitialize("")
API.LMSSetValue("cmi.core.lesson_location", place)
API.LMSSetValue("cmi.core.score.raw", score)
onunload = () => window.close()`),
    ),
  }),
});

async function checkPath(app: ServerFixture, courseId: string) {
  const { versions } = await app.admin.call(courses.get, { params: { id: courseId } });
  return `/courses/${courseId}/packages/${versions[0]?.id}/check`;
}

/** Sessions of one learner, in which the package sends a place, a time and no score. */
async function addSessions(app: ServerFixture, courseId: string, count: number) {
  const client = createClient(app.url);
  const { token } = await client.call(auth.signIn, { body: await addLearner(app) });
  client.useToken(token);
  for (let n = 0; n < count; n++) {
    const session = await client.call(player.launch, {
      params: { companyId: app.company.id, courseId },
      body: { clientId: randomUUID(), takeOver: true },
    });
    const sco = session.parts[0]?.sco as string;
    const events = [
      { seq: 1, t: 0, type: "nav", sco },
      { seq: 2, t: 1, type: "scorm.set", sco, key: "cmi.core.lesson_location", value: "3" },
      { seq: 3, t: 2, type: "scorm.set", sco, key: "cmi.core.session_time", value: "0000:01:00" },
    ];
    const saved = await fetch(`${app.url}${player.commit.path.replace(":id", session.sessionId)}`, {
      method: "POST",
      headers: { "content-type": "application/json", [SESSION_HEADER]: session.token },
      body: JSON.stringify({ events, activeMs: 1000, failed: 0, end: "exit" }),
    });
    expect(saved.status).toBe(200);
  }
}

for (const [size, viewport] of sizesFor("packageCheck"))
  test(`an admin sees what a package will report, and uses the rule (${size})`, async ({ browser, app }) => {
    const course = await addCourse(app, scoring());
    await addLearner(app);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/courses/${course.id}?tab=versions`, {
      viewport,
    });
    await page.getByRole("link", { name: "Check of version 1" }).click();
    await expect(page.getByRole("heading", { name: "Package check", level: 1 })).toBeVisible();
    await expect(page.getByText("It works, but it never says “completed” or “passed”.")).toBeVisible();
    await expect(page.getByText(/With the rule in use .*“in progress”/)).toBeVisible();
    const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
    await expect(row("Score")).toContainText("Yes");
    await expect(row("Score")).toContainText("index.html, line 4");
    await expect(row("Completed")).toContainText("No");
    await expect(page.getByRole("listitem").filter({ hasText: "1 foreign host" })).toContainText("cdn.example.com");
    await expect(page.getByRole("listitem").filter({ hasText: "1 file is missing" })).toContainText("gone.png");
    await expect(page.getByRole("listitem").filter({ hasText: "Closes its own window" })).toContainText("line 5");
    await expectAccessible(page, `package check ${size}`);
    await expectNoHorizontalScroll(page, `package check ${size}`);
    await setColorScheme(page, "dark");
    await expectAccessible(page, `package check ${size} dark`, ["color-contrast"]);
    await setColorScheme(page, "light");

    await page.getByRole("button", { name: "Check again" }).click();
    await expect(page.getByText("Prediction 2")).toBeVisible();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Report" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("Package check agency.txt");
    const report = await readFile(await file.path(), "utf8");
    expect(report).toContain("Score: Yes. Sends cmi.core.score.raw\n  index.html, line 4");
    expect(report).toContain("Proposed completion rule: The score is 80 % or more");

    await page.getByRole("link", { name: "Use this rule" }).click();
    await expect(page.getByRole("heading", { name: "Completion rule", level: 1 })).toBeVisible();
    await page.getByRole("button", { name: /^Apply to/ }).click();
    await page.getByRole("button", { name: "Apply rule" }).click();
    await expect
      .poll(async () => (await app.admin.call(courses.get, { params: { id: course.id } })).completionRule)
      .toEqual({ kind: "score", percent: 80 });
    await context.close();
  });

test("after ten sessions it shows what came, and names the difference", { tag: "@long" }, async ({ browser, app }) => {
  test.setTimeout(90_000);
  const course = await addCourse(app, scoring("seen.zip"));
  const path = await checkPath(app, course.id);
  const { page, context } = await openAs(browser, ADMIN, app.url + path);
  await expect(page.getByText(/Nobody has opened it yet/)).toBeVisible();
  await addSessions(app, course.id, ENOUGH_SESSIONS);
  await page.reload();
  await expect(page.getByRole("columnheader", { name: "Seen" })).toBeVisible();
  const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
  await expect(row("Opens and resumes")).toContainText("In 10 of 10 sessions");
  await expect(row("Score")).toContainText("Never in 10 sessions");
  await expect(row("Score")).toContainText("Other than predicted");
  await expect(row("Time")).toContainText("Other than predicted");
  await expect(row("Completed")).not.toContainText("Other than predicted");
  await expectAccessible(page, "package check with sessions");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page, "package check with sessions");
  await context.close();
});
