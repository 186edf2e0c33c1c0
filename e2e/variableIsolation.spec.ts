import type { Page } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { variables } from "#shared/variables/variables.ts";
import { ADMIN } from "#test/process.ts";
import { variablePackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, saved, type ServerFixture, test } from "./server.ts";

// Attacks of packages on `window.Lyceum`: values of other companies, courses and people

type Bridge = { get: (key: string) => unknown; set: (key: string, value: unknown) => boolean };
const run = <R>(page: Page, work: (bridge: Bridge) => R) =>
  content(page)
    .locator("body")
    .evaluate(
      (_, code) =>
        new Function("bridge", `return (${code})(bridge)`)((window as never as { Lyceum: Bridge }).Lyceum) as R,
      String(work),
    );

const loaded = (page: Page) => content(page).locator("#rating").waitFor({ state: "attached" });
const define = (app: ServerFixture, courseId: string, key: string, scope: "company" | "learner") =>
  app.admin.call(variables.create, {
    body: { key, label: key, type: "text", scope, courses: [{ courseId, access: "both" }] },
  });

test("a learner who was moved finds no value of the former company in the same course", async ({ browser, app }) => {
  const course = await addCourse(app, variablePackage());
  await define(app, course.id, "motto", "company");
  const learner = await addLearner(app);
  const { page, context } = await openAs(browser, learner, course.launch);
  await loaded(page);
  expect(await run(page, ({ set }) => set("motto", "secret of the first company"))).toBe(true);
  await saved(page);
  await context.close();

  const other = await app.admin.call(companies.create, { body: { name: "Fjord Kraft" } });
  await app.admin.call(courses.assign, { params: { id: course.id }, body: { companyIds: [other.id] } });
  const [{ id } = { id: "" }] = (await app.admin.call(learners.list, { query: { q: learner.email } })).items;
  await app.admin.call(learners.move, { body: { ids: [id], companyId: other.id } });
  const second = await openAs(browser, learner, `${app.url}/launch/${other.id}/${course.id}`);
  await loaded(second.page);
  expect(await run(second.page, ({ get }) => get("motto"))).toBeNull();
  expect(await run(second.page, ({ set }) => set("motto", "of the second"))).toBe(true);
  await saved(second.page);
  // The previous address leads nowhere, and the colleagues in the first company still have their own value.
  expect((await second.page.request.get(course.launch)).status()).toBe(200);
  await second.page.goto(course.launch);
  await expect(second.page.locator('iframe[title="Course content"][data-open]')).toHaveCount(0);
  await second.context.close();
  const colleague = await openAs(browser, await addLearner(app, "Kari Kollega"), course.launch);
  await loaded(colleague.page);
  expect(await run(colleague.page, ({ get }) => get("motto"))).toBe("secret of the first company");
  await colleague.context.close();
});

test("a package neither reads nor writes variables of another course", async ({ browser, app }) => {
  const [mine, theirs] = [await addCourse(app, variablePackage()), await addCourse(app, variablePackage("other.zip"))];
  const foreign = await define(app, theirs.id, "diary", "learner");
  const learner = await addLearner(app);
  const first = await openAs(browser, learner, theirs.launch);
  await loaded(first.page);
  await run(first.page, ({ set }) => set("diary", "what I think"));
  await saved(first.page);
  await first.context.close();

  const { page, context } = await openAs(browser, learner, mine.launch);
  await loaded(page);
  const found = await run(page, (bridge) => {
    const keys = ["diary", "DIARY", " diary ", "__proto__", "constructor", "toString"];
    return keys.map((key) => {
      try {
        const value = bridge.get(key);
        return typeof value === "function" ? "function" : value;
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  expect(found.filter((value) => value !== null && value !== undefined)).toEqual([]);
  // A key of the same name becomes one of this course, and the page of the player ignores messages from the package.
  await run(page, ({ set }) => set("diary", "overwritten"));
  await content(page)
    .locator("body")
    .evaluate(() => {
      for (const target of [window.top, window.parent])
        target?.postMessage({ type: "variable.set", key: "diary", value: '"forged"', sco: "i1" }, "*");
    });
  await saved(page);
  await context.close();
  app.admin.useToken((await app.admin.call(auth.signIn, { body: ADMIN })).token);
  await expect
    .poll(async () =>
      (await app.admin.call(variables.values, { params: { id: foreign.id } })).items.map(({ current }) => current),
    )
    .toEqual(["what I think"]);
});
