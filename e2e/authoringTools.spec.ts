import type { Browser, Page } from "@playwright/test";
import { rawData } from "#shared/rawData/rawData.ts";
import { type VariableDraft, variables } from "#shared/variables/variables.ts";
import { captivatePackage, h5pPackage, storylinePackage } from "./toolPackages.ts";
import { ADMIN } from "#test/process.ts";
import {
  addCourse,
  addLearner,
  content,
  expect,
  openAs,
  openCourse,
  saved,
  type ServerFixture,
  test,
} from "./server.ts";

// Packages of authoring tools: what they show to the page around them, and the code that Lyceum generates for them

const define = (
  app: ServerFixture,
  key: string,
  courseId: string,
  path: string | null,
  input: Partial<VariableDraft> = {},
) =>
  app.admin.call(variables.create, {
    body: { key, label: key, type: "text", courses: [{ courseId, access: "both", path }], ...input },
  });
const storedOf = async (app: ServerFixture, courseId: string) =>
  (await app.admin.call(rawData.list, { query: { courseId } })).items
    .map(({ key, value, source }) => `${key} ${JSON.stringify(value)} ${source}`)
    .toSorted();
/** The page of an admin. */
async function openAdmin(browser: Browser, app: ServerFixture, path: string) {
  const { page, context } = await openAs(browser, ADMIN, app.url + path);
  return { page, context };
}
const ready = async (page: Page, element: string) => {
  await expect(content(page).locator(element)).toBeVisible();
  await saved(page);
};

test("a chosen variable of Storyline is recorded, and no other", async ({ browser, app }) => {
  const course = await addCourse(app, storylinePackage());
  const { page: adminPage, context: ofAdmin } = await openAdmin(browser, app, "/variables");
  await adminPage.getByRole("button", { name: "Add variable" }).first().click();
  const dialog = adminPage.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Self rating");
  await dialog.getByRole("combobox", { name: "Add a course" }).click();
  await adminPage.getByRole("option", { name: course.title }).click();
  await dialog.getByRole("combobox", { name: `What else of ${course.title} sets it` }).click();
  await adminPage.getByRole("option", { name: "SelfRating" }).click();
  await dialog.getByRole("button", { name: "Add variable" }).click();
  await expect(adminPage.getByText("“Self rating” added")).toBeVisible();
  await ofAdmin.close();

  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page, "#seven");
  await content(page).locator("#seven").click();
  await expect.poll(() => storedOf(app, course.id)).toEqual(["self_rating 7 package"]);
  // A value that changes at the last moment is read as well.
  await content(page)
    .locator("body")
    .evaluate(() =>
      (window as never as { GetPlayer: () => { SetVar: (name: string, value: unknown) => void } })
        .GetPlayer()
        .SetVar("SelfRating", 3),
    );
  await page.close({ runBeforeUnload: false });
  await expect.poll(() => storedOf(app, course.id)).toEqual(["self_rating 3 package", "self_rating 7 package"]);
  await context.close();
});

test(
  "values that Storyline sets between reads, or before the first, are stored once",
  { tag: "@long" },
  async ({ browser, app }) => {
    // Like a timeline that begins with a trigger, and later restores what it has stored itself.
    const course = await addCourse(
      app,
      storylinePackage("values.SelfRating = Number(localStorage.getItem('rating') ?? 4); show()"),
    );
    await define(app, "rating", course.id, "storyline[SelfRating]", { type: "number" });
    await define(app, "comment", course.id, "storyline[Comment]");
    const { page, context } = await openAs(browser, await addLearner(app), course.launch);
    await ready(page, "#seven");
    await expect.poll(() => storedOf(app, course.id)).toEqual(["rating 4 package"]);
    await content(page)
      .locator("body")
      .evaluate(() => {
        const { SetVar } = (
          window as never as { GetPlayer: () => { SetVar: (name: string, value: unknown) => void } }
        ).GetPlayer();
        for (const rating of [5, 6, 5]) SetVar("SelfRating", rating);
        localStorage.setItem("rating", "5");
      });
    const all = [4, 5, 5, 6].map((rating) => `rating ${rating} package`);
    await expect.poll(() => storedOf(app, course.id)).toEqual(all);
    await saved(page);
    await page.reload();
    await ready(page, "#seven");
    await expect(content(page).locator("#rating")).toHaveText("5");
    await content(page).locator("#seven").click();
    await expect.poll(() => storedOf(app, course.id)).toEqual([...all, "rating 7 package"]);
    await context.close();
  },
);

test("chosen variables of Captivate and results of H5P are recorded", async ({ browser, app }) => {
  const captivate = await addCourse(app, captivatePackage());
  await define(app, "mood", captivate.id, "captivate[v_mood]");
  const h5p = await addCourse(app, h5pPackage());
  const { items } = await app.admin.call(variables.sentValues, { query: { courseId: h5p.id } });
  expect(items.map(({ path, question }) => `${path} ${question}`)).toContain("h5p[a1].response Choose two");
  await define(app, "chosen", h5p.id, "h5p[a1].response", { type: "multi" });
  await define(app, "score", h5p.id, "h5p[main].score", { type: "number" });

  const { page, context } = await openAs(browser, await addLearner(app), captivate.launch);
  await ready(page, "#answer");
  await content(page).locator("#answer").click();
  await expect.poll(() => storedOf(app, captivate.id)).toEqual(['mood "calm" package']);
  await openCourse(page, h5p.launch);
  const quiz = content(page).frameLocator("iframe");
  await expect(quiz.locator("#answer")).toBeVisible();
  await saved(page);
  // The player looks for the dispatcher twice a second.
  await expect(async () => {
    await quiz.locator("#answer").click();
    expect(await storedOf(app, h5p.id)).toEqual(['chosen ["1","2"] package', "score 4 package"]);
  }).toPass({ timeout: 15_000 });
  await context.close();
});

test("the code for authors sets and follows a variable in Storyline", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, storylinePackage());
  await define(app, "self_rating", course.id, null, { type: "number" });
  const { page: adminPage, context: ofAdmin } = await openAdmin(browser, app, `/courses/${course.id}?tab=code`);
  await adminPage.getByText("Storyline", { exact: true }).click();
  const codeOf = (title: string) => adminPage.getByRole("region", { name: title }).locator("pre").innerText();
  const code = {
    set: await codeOf("Set the variable"),
    get: await codeOf("Read the variable"),
    change: await codeOf("React to changes"),
  };
  await ofAdmin.close();

  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  const author = (given: typeof code) =>
    content(page)
      .locator("body")
      .evaluate((_, { set, get, change }) => {
        const story = window as never as {
          onVariable: (name: string, code: string) => void;
          onTimeline: (code: string) => void;
        };
        story.onVariable("SelfRating", set);
        story.onTimeline(get);
        story.onTimeline(change);
      }, given);
  await ready(page, "#seven");
  await author(code);
  await content(page).locator("#seven").click();
  await expect.poll(() => storedOf(app, course.id)).toEqual(["self_rating 7 content"]);
  await saved(page);
  await page.reload();
  await ready(page, "#seven");
  await expect(content(page).locator("#rating")).toHaveText("0");
  await author(code);
  await expect(content(page).locator("#rating")).toHaveText("7");
  await content(page)
    .locator("body")
    .evaluate(() =>
      (window.parent as never as { Lyceum: { set: (key: string, value: unknown) => boolean } }).Lyceum.set(
        "self_rating",
        9,
      ),
    );
  await expect(content(page).locator("#rating")).toHaveText("9");
  await context.close();
});
