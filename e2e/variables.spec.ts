import type { Page } from "@playwright/test";
import { courses } from "#shared/courses/courses.ts";
import { type VariableDraft, variables } from "#shared/variables/variables.ts";
import { probePackage, variablePackage } from "./packages.ts";
import { addCourse, addLearner, chip, content, expect, openAs, saved, type ServerFixture, test } from "./server.ts";

// Variables: content reads and sets them through window.Lyceum

type Bridge = {
  get: (key: string) => unknown;
  set: (key: string, value: unknown) => boolean;
  setMany: (values: object) => boolean;
};
const setValue = (page: Page, key: string, value: unknown) =>
  content(page)
    .locator("body")
    .evaluate((_, [k, v]) => (window as never as { Lyceum: Bridge }).Lyceum.set(k as string, v), [key, value]);
const rating = (page: Page) => content(page).locator("#rating");

const define = (app: ServerFixture, courseId: string, input: Partial<VariableDraft> = {}) =>
  app.admin.call(variables.create, {
    body: {
      key: "rating",
      label: "Rating",
      type: "number",
      constraints: { min: 1, max: 10 },
      courses: [{ courseId, access: "both" }],
      ...input,
    },
  });

test("a value that content has set is there at the next launch", async ({ browser, app }) => {
  const course = await addCourse(app, variablePackage());
  await define(app, course.id, { defaultValue: 5 });
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect(rating(page)).toHaveText("5");
  expect(await setValue(page, "rating", "7")).toBe(true);
  expect(await setValue(page, "rating", 70)).toBe(false);
  expect(await setValue(page, "rating", "many")).toBe(false);
  await expect(rating(page)).toHaveText("7");
  await expect(content(page).locator("#changes")).toHaveText("rating:5>7 ");
  await saved(page);
  await page.reload();
  await expect(rating(page)).toHaveText("7");
  await context.close();
});

test("a value survives a tab that is closed immediately after it", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, variablePackage());
  await define(app, course.id);
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect(rating(page)).toHaveText("null");
  await saved(page);
  await setValue(page, "rating", 8);
  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await again.goto(course.launch);
  await expect(rating(again)).toHaveText("8");
  await context.close();
});

test("values set while offline are stored once, in order, when the network is back", async ({ browser, app }) => {
  const course = await addCourse(app, variablePackage());
  const variable = await define(app, course.id);
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect(rating(page)).toHaveText("null");
  await saved(page);
  await context.setOffline(true);
  for (const value of [3, 9, 4]) expect(await setValue(page, "rating", value)).toBe(true);
  await expect(chip(page)).toContainText("Not saved");
  await context.setOffline(false);
  await saved(page);
  const read = () => app.admin.call(variables.values, { params: { id: variable.id } });
  await expect
    .poll(async () => (await read()).items[0])
    .toMatchObject({ current: 4, first: 3, count: 3, recent: [3, 9, 4] });
  await context.close();
});

test("a SCORM package finds the variables in the frame around it", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect(content(page).locator("#entry")).not.toHaveText("");
  const result = await content(page)
    .locator("body")
    .evaluate(() => {
      const { Lyceum } = window.parent as never as { Lyceum: Bridge };
      return [Lyceum.setMany({ SelfRating: 6, mood: "calm" }), Lyceum.get("self_rating"), Lyceum.set("!", 1)];
    });
  expect(result).toEqual([true, 6, false]);
  await saved(page);
  const keys = async () => (await app.admin.call(variables.newKeys, { query: { courseId: course.id } })).items;
  await expect.poll(async () => (await keys()).map(({ key }) => key).toSorted()).toEqual(["mood", "self_rating"]);
  await context.close();
});

test("a web page says that it is completed, as the completion rule allows", async ({ browser, app }) => {
  const course = await addCourse(app, variablePackage());
  const complete = (page: Page, options?: { score: number }) =>
    content(page)
      .locator("body")
      .evaluate(
        (_, given) => (window as never as { Lyceum: { complete: (o?: object) => boolean } }).Lyceum.complete(given),
        options,
      );
  const learner = await addLearner(app);
  const { page, context } = await openAs(browser, learner, course.launch);
  await expect(rating(page)).toHaveText("null");
  expect(await complete(page)).toBe(false);
  const { version } = await app.admin.call(courses.get, { params: { id: course.id } });
  const completionRule = { kind: "score" as const, percent: 80 };
  await app.admin.call(courses.update, { params: { id: course.id }, body: { completionRule, version } });
  await page.reload();
  await expect(rating(page)).toHaveText("null");
  expect([await complete(page, { score: 79 }), await complete(page, { score: 85 })]).toEqual([false, true]);
  const enrolment = async () => (await app.admin.call(courses.enrolments, { query: { courseId: course.id } })).items;
  await expect
    .poll(async () => (await enrolment()).find(({ email }) => email === learner.email))
    .toMatchObject({ status: "completed", scorePercent: 85 });
  await context.close();
});

test("a learner corrects an own value on the page of the course", async ({ browser, app }) => {
  const course = await addCourse(app, variablePackage());
  const variable = await define(app, course.id, { learnerEditable: true });
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect(rating(page)).toHaveText("null");
  await setValue(page, "rating", 4);
  await saved(page);
  await page.goto(`${app.url}/courses/${course.id}`);
  const answers = page.getByRole("region", { name: "Your answers and results" });
  await expect(answers.getByRole("listitem")).toContainText("4");
  await answers.getByRole("button", { name: "Correct “Rating”" }).click();
  const dialog = page.getByRole("dialog", { name: "Correct “Rating”" });
  await dialog.getByRole("textbox", { name: "New value" }).fill("40");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Above the maximum.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "New value" }).fill("6");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(answers.getByRole("listitem")).toContainText("6");
  const current = async () =>
    (await app.admin.call(variables.values, { params: { id: variable.id } })).items.map((item) => item.current);
  await expect.poll(current).toEqual([6]);
  await context.close();
});
