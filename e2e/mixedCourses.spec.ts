import type { Page } from "@playwright/test";
import { variables } from "#shared/variables/variables.ts";
import { sampled, scaled } from "#test/long.ts";
import { ADMIN } from "#test/process.ts";
import { choiceQuestion, newId, paragraph, words } from "#test/lessons.ts";
import { expectAccessible } from "./axe.ts";
import { addMixedCourse } from "./mixedFixture.ts";
import { closingPackage, probePackage, variablePackage } from "./packages.ts";
import { addLearner, content, expect, openAs, saved, type ServerFixture, test } from "./server.ts";

// Courses with packages among their lessons: the page numbers the events of lessons, the shell those of packages

const press = (page: Page, name: string) => page.locator("footer").getByRole("button", { name, exact: true }).click();
const inPackage = <T>(page: Page, run: (given: T) => void, given: T) =>
  content(page)
    .locator("body")
    .evaluate((_, [source, value]) => new Function("given", `(${source})(given)`)(value), [
      String(run),
      given,
    ] as const);
type Probe = { go: (place: string) => void; finish: (status: string) => void };

/** The events of a course as the server has them: type and part, in order, without gaps. */
async function storedEvents(app: ServerFixture, courseId: string) {
  const rows = await app.query<{ events: { seq: number; type: string; sco?: string; value?: string }[] }>(
    `select session_events.events
     from session_events
     join sessions on sessions.id = session_events.session_id
     join attempts on attempts.id = sessions.attempt_id
     where attempts.course_id = $1
     order by sessions.started_at, session_events.first_seq`,
    [courseId],
  );
  return rows.flatMap(({ events }) => events);
}
const reading = (title: string) => ({ title, blocks: [paragraph(`${title} in one sentence.`)] });

test("a learner goes from a lesson into a package and on; all of it has one numbering", async ({ browser, app }) => {
  const question = choiceQuestion("Where do you hook on?");
  const course = await addMixedCourse(app, [
    reading("Before you climb"),
    { title: "The ladder", bytes: probePackage("2004", ["up", "down"]).bytes },
    { title: "Last question", blocks: [question.block] },
  ]);
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect(page.getByText("Before you climb in one sentence.")).toBeVisible();
  await press(page, "Next lesson");
  await expect(content(page).locator("#entry")).toHaveText("ab-initio");
  await expect(page.locator("main")).not.toContainText("Before you climb in one sentence.");
  await inPackage(page, () => (window as never as Probe).go("rung 4"), null);
  await inPackage(page, () => (window as never as Probe).finish("completed"), null);
  await expect(page.getByRole("heading", { name: "Part up" })).toBeVisible();
  await page
    .locator("main")
    .getByRole("button", { name: /Part down/ })
    .click();
  await expect(content(page).locator("#entry")).toHaveText("ab-initio");
  await inPackage(page, () => (window as never as Probe).finish("completed"), null);
  await page
    .locator("main")
    .getByRole("button", { name: /Last question/ })
    .click();
  await page.getByRole("radio", { name: /An anchor ring/ }).check();
  await press(page, "Check answer");
  await expect(page.getByText("Right", { exact: true })).toBeVisible();
  await expect(page.locator("iframe")).toHaveCount(0);
  await press(page, "Finish");
  await expect(page.getByRole("heading", { name: "Course completed" })).toBeVisible();
  await expectAccessible(page, "end of a mixed course");
  await saved(page);
  const events = await storedEvents(app, course.id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const visits = events.filter(({ type }) => type === "nav").map(({ sco }) => sco);
  const [before, ladder, last] = course.ids;
  expect(visits).toEqual([before, `${ladder}.up`, `${ladder}.down`, last]);
  const parts = await app.query<{ completion: string; place: string | null }>(
    `select part_states.completion, cmi->>'cmi.location' as place
     from part_states
     join attempts on attempts.id = part_states.attempt_id
     where course_id = $1
     order by sco = $2 desc`,
    [course.id, `${ladder}.up`],
  );
  expect(parts[0]).toEqual({ completion: "completed", place: "rung 4" });
  expect(parts.map(({ completion }) => completion)).toEqual(Array(4).fill("completed"));
  await context.close();
});

test(
  "lessons and packages see the values that the other has just written",
  { tag: "@long" },
  async ({ browser, app }) => {
    const course = await addMixedCourse(app, [
      {
        title: "How sure",
        blocks: [
          {
            kind: "rating",
            id: newId("block"),
            text: words("How sure are you?"),
            variable: "rating",
            steps: 10,
            lowLabel: "Not",
            highLabel: "Very",
            required: false,
          },
        ],
      },
      { title: "The package", bytes: variablePackage().bytes },
      {
        title: "Your answer",
        blocks: [
          {
            kind: "paragraph",
            id: newId("block"),
            text: { id: newId("text"), runs: [{ kind: "variable", key: "rating", fallback: "nothing" }] },
          },
        ],
      },
    ]);
    await app.admin.call(variables.create, {
      body: {
        key: "rating",
        label: "Rating",
        type: "number",
        constraints: { min: 1, max: 10 },
        courses: [{ courseId: course.id, access: "both" }],
      },
    });
    const { page, context } = await openAs(browser, await addLearner(app), course.launch);
    await page.getByRole("radio", { name: "8" }).check({ force: true });
    await press(page, "Next lesson");
    await expect(content(page).locator("#rating")).toHaveText("8");
    await inPackage(
      page,
      () => (window as never as { Lyceum: { set: (...a: unknown[]) => void } }).Lyceum.set("rating", 3),
      null,
    );
    await press(page, "Next lesson");
    await expect(page.locator("main")).toContainText("3");
    await page.getByRole("button", { name: "The package" }).first().click();
    await expect(content(page).locator("#rating")).toHaveText("3");
    await saved(page);
    await context.close();
  },
);

test(
  "an author adds a package, replaces it and publishes; a learner opens it",
  { tag: "@long" },
  async ({ browser, app }) => {
    const course = await addMixedCourse(app, [reading("Before you climb")]);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/courses/${course.id}/edit`);
    await page.getByRole("button", { name: "Add package" }).click();
    const dialog = page.getByRole("dialog");
    const give = (name: string, bytes: Uint8Array) =>
      dialog
        .locator("input[type=file]")
        .setInputFiles({ name, mimeType: "application/zip", buffer: Buffer.from(bytes) });
    await give("notes.zip", new Uint8Array([1, 2, 3]));
    await expect(dialog.getByRole("alert")).toContainText("notes.zip");
    await give("probe.zip", probePackage("1.2").bytes);
    await expect(page.getByRole("heading", { name: "Probe 1.2", level: 2 })).toBeVisible();
    await expect(page.getByText("probe.zip")).toBeVisible();
    await expectAccessible(page, "a package in the contents");
    await page.getByRole("button", { name: "Replace package" }).click();
    await give("probe-2.zip", probePackage("2004", ["one", "two"]).bytes);
    await expect(page.getByText("SCORM 2004 · 2 parts")).toBeVisible();
    await page.getByRole("button", { name: "Publish version 2" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish version 2" }).click();
    await expect(page.getByText("Version 2 published")).toBeVisible();
    await context.close();
    const learner = await openAs(browser, await addLearner(app), course.launch);
    await press(learner.page, "Next lesson");
    await expect(content(learner.page).locator("#entry")).toHaveText("ab-initio");
    await expect(learner.page.getByRole("navigation").getByText("Probe 1.2")).toBeVisible();
    await learner.context.close();
  },
);

const closings = {
  "tab close": (page: Page) => page.close({ runBeforeUnload: false }),
  "navigating away": (page: Page, app: ServerFixture) => page.goto(`${app.url}/api/health`),
};
for (const [name, close] of sampled("mixed", Object.entries(closings), 1))
  test(`what is said while the page closes is kept on both sides: ${name}`, async ({ browser, app }) => {
    const practice = choiceQuestion("Where do you hook on?", { graded: false, tries: null });
    const later = choiceQuestion("And the second hook?", { graded: false, tries: null });
    const course = await addMixedCourse(app, [
      { title: "Practice", blocks: [practice.block, later.block] },
      { title: "The ladder", bytes: closingPackage().bytes },
    ]);
    const { page, context } = await openAs(browser, await addLearner(app), course.launch);
    // The answer is not acknowledged yet when the shell takes over.
    await page
      .getByRole("radio", { name: /An anchor ring/ })
      .first()
      .check();
    await press(page, "Check answer");
    await page.getByRole("button", { name: "The ladder" }).first().click();
    await expect(content(page).locator("#entry")).not.toHaveText("");
    const speak = (given: string) =>
      (window as never as { speakOn: (type: string, place: string, manner: object) => void }).speakOn(
        "pagehide",
        given,
        {},
      );
    await inPackage(page, speak, "said by the package");
    await close(page, app);
    const text = async () => JSON.stringify(await storedEvents(app, course.id));
    await expect.poll(text, { timeout: 10_000 }).toContain("said by the package");
    expect(await text()).toContain(practice.right);
    // Back in a lesson, the page numbers again: its last answer is kept too.
    const again = page.isClosed() ? await context.newPage() : page;
    await again.goto(course.launch);
    await expect(content(again).locator("#place")).toHaveText("said by the package");
    await again.getByRole("button", { name: "Practice" }).first().click();
    await again
      .getByRole("radio", { name: /A handrail/ })
      .last()
      .check();
    await press(again, "Check answer");
    await close(again, app);
    await expect.poll(async () => (await text()).split(later.wrong).length, { timeout: 10_000 }).toBe(2);
    const events = await storedEvents(app, course.id);
    const gaps = events.filter(({ seq }, index) => seq !== 1 && seq !== (events[index - 1]?.seq ?? 0) + 1);
    expect(gaps).toEqual([]);
    await context.close();
  });

test("nothing is lost when the server dies on the way between a lesson and a package", async ({ browser, app }) => {
  const rounds = scaled(1, 100);
  test.setTimeout(60_000 + rounds * 20_000);
  const choices = Array.from({ length: rounds }, (_, n) =>
    choiceQuestion(`Where, ${n}?`, { graded: false, tries: null }),
  );
  const course = await addMixedCourse(app, [
    { title: "Practice", blocks: choices.map(({ block }) => block) },
    { title: "The ladder", bytes: probePackage("2004").bytes },
  ]);
  const { page: first, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect(first.getByRole("group", { name: /Where, 0/ })).toBeVisible();
  await first.close();
  const go = (page: Page, place: string) =>
    inPackage(page, (given: string) => (window as never as Probe).go(given), place);
  for (const [round, { id }] of choices.entries()) {
    const page = await context.newPage();
    await page.goto(course.launch);
    if (round > 0) await expect(content(page).locator("#place")).toHaveText(`after ${round - 1}`);
    await page.getByRole("button", { name: "Practice" }).first().click();
    await page
      .locator(`[data-block="${id}"]`)
      .getByRole("radio", { name: /A handrail/ })
      .check();
    await press(page, "Check answer");
    await page.getByRole("button", { name: "The ladder" }).first().click();
    await expect(content(page).locator("#entry")).not.toHaveText("");
    await go(page, `before ${round}`);
    await page.waitForTimeout(Math.random() * 1500);
    await app.kill();
    await go(page, `after ${round}`);
    await page.waitForTimeout(Math.random() * 100);
    await page.close({ runBeforeUnload: false });
    await app.start();
  }
  const last = await context.newPage();
  await last.goto(course.launch);
  await expect(content(last).locator("#place")).toHaveText(`after ${rounds - 1}`);
  await saved(last);
  const events = await storedEvents(app, course.id);
  const text = JSON.stringify(events);
  expect(choices.filter(({ wrong }) => text.split(wrong).length !== 2)).toEqual([]);
  const gaps = events.filter(({ seq }, index) => seq !== 1 && seq !== (events[index - 1]?.seq ?? 0) + 1);
  expect(gaps).toEqual([]);
  await context.close();
});
