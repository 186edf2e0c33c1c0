import { existsSync } from "node:fs";
import type { Page } from "@playwright/test";
import { sampled } from "#test/long.ts";
import { strToU8, zipSync } from "fflate";
import { buildManifest, organizationsXml } from "#test/packages.ts";
import { closedUntil, objectives, ruledFiles, sequencing, setByContent } from "#test/ruledPackages.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, inEveryLook, waitForAnimations } from "./layout.ts";
import { addCourse, addLearner, content, expect, openAs, saved, test } from "./server.ts";

// Packages with the sequencing rules of SCORM 2004 in the player

const zip = (name: string, files: Record<string, string>) => ({
  name: `${name}.zip`,
  bytes: zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)]))),
});
const flow = (choice: boolean) => `<imsss:controlMode choice="${choice}" flow="true"/>`;
const forced = () =>
  zip(
    "forced",
    ruledFiles(
      "Safety at work",
      [
        ["a", sequencing(objectives("a") + setByContent)],
        ["b", sequencing(closedUntil("a") + objectives("b", "a") + setByContent)],
        ["c", sequencing(closedUntil("b") + objectives("c", "b") + setByContent)],
      ],
      sequencing(flow(true)),
    ),
  );

const open = async (page: Page, sco: string) =>
  expect(content(page).locator(`body[data-sco="${sco}"]`)).toBeVisible({ timeout: 15_000 });
const finish = (page: Page, status: string, request = "") =>
  content(page)
    .locator("body")
    .evaluate(
      (_, [what, asked]) =>
        (window as never as { finish: (...args: string[]) => void }).finish(what ?? "", asked ?? ""),
      [status, request],
    );
const part = (page: Page, name: string) => page.getByRole("navigation").getByRole("button", { name });
const shot = async (page: Page, name: string) => {
  if (!process.env.SHOTS) return;
  await inEveryLook(page, async (look) => {
    await waitForAnimations(page);
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${look}.png` });
  });
};

test("opens the parts in the order that the package demands, and completes it", async ({ browser, app }) => {
  const course = await addCourse(app, forced());
  const learner = await addLearner(app);
  const { page, context } = await openAs(browser, learner, course.launch);
  await open(page, "a");
  await expect(part(page, "Part b")).toHaveAttribute("aria-disabled", "true");
  await expect(part(page, "Part b")).toContainText("Closed by the rules of the course");
  await expectAccessible(page, "player with rules");
  await shot(page, "rules");
  await finish(page, "passed", "continue");
  await open(page, "b");
  await expect(part(page, "Part c")).toHaveAttribute("aria-disabled", "true");
  await page.reload();
  await open(page, "b");
  await content(page)
    .locator("body")
    .evaluate(() => {
      (window as never as { api: { SetValue: (name: string, value: string) => void } }).api.SetValue(
        "cmi.success_status",
        "passed",
      );
    });
  await expect(part(page, "Part c")).not.toHaveAttribute("aria-disabled");
  await page.getByRole("button", { name: "Continue" }).click();
  await open(page, "c");
  await finish(page, "passed");
  await expect(page.getByRole("heading", { name: "You have finished “Part c”" })).toBeVisible();
  await shot(page, "rules-choose");
  await page.getByRole("button", { name: "Continue", exact: true }).last().click();
  await expect(page.getByRole("heading", { name: "You have reached the end of “Safety at work”" })).toBeVisible();
  await expect(page.getByText("You have passed.")).toBeVisible();
  await shot(page, "rules-end");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page, "end of a course with rules");
  await page.getByRole("button", { name: "Exit course" }).click();
  await expect(page).toHaveURL(/my-courses/);
  await context.close();
});

const report = (page: Page, name: string, value: string) =>
  content(page)
    .locator("body")
    .evaluate(
      (_, [key, text]) =>
        (window as never as { api: { SetValue: (...args: string[]) => void } }).api.SetValue(key ?? "", text ?? ""),
      [name, value],
    );
const gated = () => {
  const items: [string, string][] = [
    ["a", sequencing(objectives("a") + setByContent)],
    ["b", sequencing(closedUntil("a") + objectives("b", "a") + setByContent)],
  ];
  return zip("gated", ruledFiles("Step by step", items, sequencing(flow(false))));
};

test("continues only when the part has been done, and opens a part again", async ({ browser, app }) => {
  const course = await addCourse(app, gated());
  const learner = await addLearner(app);
  const { page, context } = await openAs(browser, learner, course.launch);
  await open(page, "a");
  const next = page.getByRole("button", { name: "Continue", exact: true });
  await report(page, "cmi.completion_status", "incomplete");
  await next.click();
  await expect(page.getByText("The rules of the course do not let you continue yet.")).toBeVisible();
  await open(page, "a");
  await finish(page, "incomplete", "continue");
  await expect(page.getByText("The rules of the course do not let you continue yet.")).toBeVisible();
  await expectAccessible(page, "a part that the rules refuse to leave");
  await shot(page, "rules-refused");
  await saved(page);
  await page.reload();
  await open(page, "a");
  await finish(page, "incomplete");
  await page.getByRole("button", { name: "Open again" }).click();
  await open(page, "a");
  await report(page, "cmi.success_status", "passed");
  await next.click();
  await open(page, "b");
  await context.close();
});

test("assumes nothing of a part whose page never starts", { tag: "@long" }, async ({ browser, app }) => {
  const empty = '<!doctype html><title>b</title><body data-sco="b"><p>Nothing starts here</p></body>';
  const items: [string, string][] = [
    ["a", ""],
    ["b", ""],
  ];
  const files = { ...ruledFiles("Silent", items, sequencing(flow(false))), "a.html": empty, "b.html": empty };
  const course = await addCourse(app, zip("silent", files));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect(content(page).getByText("Nothing starts here")).toBeVisible();
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(part(page, "Part b")).toHaveAttribute("aria-current", "step");
  await expect(content(page).getByText("Nothing starts here")).toBeVisible();
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(page.getByText("The course is not complete.")).toBeVisible();
  await expect(part(page, "Part a")).not.toContainText("Done");
  await context.close();
});

test("keeps a random order over a reload, and hides what the package hides", async ({ browser, app }) => {
  const ids = [..."abcdefgh"];
  const hidden =
    "<adlnav:presentation><adlnav:navigationInterface><adlnav:hideLMSUI>previous</adlnav:hideLMSUI>" +
    "<adlnav:hideLMSUI>continue</adlnav:hideLMSUI></adlnav:navigationInterface></adlnav:presentation>";
  const order = '<imsss:randomizationControls randomizationTiming="once" reorderChildren="true"/>';
  const items = ids.map((id): [string, string] => [id, hidden]);
  const course = await addCourse(app, zip("random", ruledFiles("Random", items, sequencing(flow(true) + order))));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  const listed = async () =>
    (await page.getByRole("navigation").getByRole("button", { name: /^Part/ }).allInnerTexts()).map(
      (text) => text.split("\n")[0] ?? "",
    );
  await expect(part(page, "Part a")).toBeVisible();
  const before = await listed();
  await expect(page.getByRole("button", { name: "Continue" })).toHaveCount(0);
  await part(page, before[3] ?? "").click();
  await saved(page);
  await page.reload();
  await expect(part(page, "Part a")).toBeVisible();
  expect(await listed()).toEqual(before);
  await context.close();
});

test("continues in another browser where the learner has left", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, forced());
  const learner = await addLearner(app);
  const first = await openAs(browser, learner, course.launch);
  await open(first.page, "a");
  await finish(first.page, "passed", "continue");
  await open(first.page, "b");
  await content(first.page)
    .locator("body")
    .evaluate(() => {
      const { api } = window as never as { api: { SetValue: (name: string, value: string) => void } };
      api.SetValue("cmi.suspend_data", "half");
    });
  await first.page.getByRole("button", { name: "Exit" }).first().click();
  await expect(first.page).toHaveURL(/my-courses/);
  await first.context.close();

  const { page, context } = await openAs(browser, learner, course.launch);
  await open(page, "b");
  await expect(content(page).getByText("entry: resume")).toBeVisible();
  await expect(part(page, "Part c")).toHaveAttribute("aria-disabled", "true");
  await expect(part(page, "Part a")).not.toHaveAttribute("aria-disabled");
  await part(page, "Part a").click();
  await open(page, "a");
  await context.close();
});

const packages = `${process.env.SHARED ?? "../shared"}/packages/scorm2004`;
const others = [
  "SequencingForcedSequential_SCORM20043rdEdition.zip",
  "SequencingPostTestRollup4thEd_SCORM20044thEdition.zip",
];
for (const file of sampled("rules", others, 1))
  test(`closes parts of a package of another tool: ${file.slice(0, 28)}`, async ({ browser, app }) => {
    test.skip(!existsSync(`${packages}/${file}`), "the package is not there");
    const course = await addCourse(app, `${packages}/${file}`);
    const { page, context } = await openAs(browser, await addLearner(app), course.launch);
    await expect(page.getByRole("navigation").locator("[aria-disabled]").first()).toBeVisible();
    await context.close();
  });

test("closes a part of SCORM 1.2 until the part that it waits for is done", async ({ browser, app }) => {
  const page12 = `<!doctype html><title>Part</title><script>
    parent.API.LMSInitialize("");
    window.finish = (status) => { parent.API.LMSSetValue("cmi.core.lesson_status", status); parent.API.LMSFinish(""); };
  </script><h1>Part</h1>`;
  const item = (id: string, more = "") =>
    `<item identifier="${id}" identifierref="R"><title>Part ${id}</title>${more}</item>`;
  const waits = '<adlcp:prerequisites type="aicc_script">a</adlcp:prerequisites>';
  const manifest = buildManifest({ organizations: organizationsXml(item("a") + item("b", waits) + item("c")) });
  const course = await addCourse(app, zip("prerequisites", { "imsmanifest.xml": manifest, "a.html": page12 }));
  const learner = await addLearner(app);
  const { page, context } = await openAs(browser, learner, course.launch);
  const current = page.locator('nav [aria-current="step"]');
  await expect(content(page).getByRole("heading", { name: "Part" })).toBeVisible();
  await expect(part(page, "Part b")).toHaveAccessibleName(/Opens after: Part a/);
  await expect(part(page, "Part b")).toBeDisabled();
  await part(page, "Part b").click({ force: true });
  await expect(current).toHaveText(/^Part a/);
  await expectAccessible(page, "a closed part");
  await shot(page, "prerequisites");
  await finish(page, "completed");
  await page.getByRole("button", { name: "Continue with “Part b”" }).click();
  await expect(current).toHaveText(/^Part b/);
  await expect(part(page, "Part b")).toBeEnabled();
  await context.close();
});
