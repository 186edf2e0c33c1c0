import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Frame, FrameLocator, Page } from "@playwright/test";
import { sampled } from "#test/long.ts";
import { expectAccessible } from "./axe.ts";
import { exportCourse, serve, unpack, writeCourse } from "./exportFixture.ts";
import { expectNoHorizontalScroll, inEveryLook } from "./layout.ts";
import { addMedia, arches } from "./lessonsFixture.ts";
import { addCourse, addLearner, content, expect, openAs, test, type ServerFixture } from "./server.ts";
import { newQuizSettings } from "#shared/lessons/quiz.ts";
import { bareRuntime } from "#test/bareRuntime.ts";
import { choiceQuestion, courseOf, newId, paragraph, words } from "#test/lessons.ts";

// Courses that are written here, in other learning platforms

type Place = Page | Frame | FrameLocator;
const press = (place: Place, name: string) =>
  place.locator("footer").getByRole("button", { name, exact: true }).click();

/** Two graded questions, a picture, a variable that a later lesson shows, a chatbot, and a quiz with a pool. */
async function ropes(app: ServerFixture) {
  const picture = await addMedia(app, "Harness (1).PNG", "image/png", arches(320, 180));
  const [first, second] = [choiceQuestion("Where do you hook on?"), choiceQuestion("What holds a fall?")];
  const asked = [choiceQuestion("Which one is tested?"), choiceQuestion("Which one is rated?")];
  const pool = newId("pool");
  const course = courseOf(
    {
      id: newId("lesson"),
      title: "Ropes",
      blocks: [
        paragraph("Check the rope before each use."),
        {
          kind: "image",
          id: newId("block"),
          file: picture,
          alt: "A harness",
          isDecorative: false,
          caption: words(""),
          width: "text",
        },
        { kind: "reflection", id: newId("block"), text: words("What will you do?"), variable: "plan", required: false },
        { kind: "chatbot", id: newId("block"), chatbotId: null, text: words("Ask the trainer.") },
        first.block,
        second.block,
      ],
    },
    {
      id: newId("lesson"),
      title: "Your plan",
      blocks: [
        {
          kind: "paragraph",
          id: newId("block"),
          text: {
            id: newId("text"),
            runs: [
              { kind: "text", text: "You wrote: " },
              { kind: "variable", key: "plan", fallback: "nothing yet" },
            ],
          },
        },
      ],
    },
    {
      id: newId("lesson"),
      title: "Final check",
      blocks: asked.map(({ block }, n) => (n === 0 ? block : { ...block, pool }) as typeof block),
    },
  );
  const quiz = course.modules[0]!.lessons[2]!;
  if ("document" in quiz)
    quiz.document.quiz = {
      ...newQuizSettings(),
      shuffleQuestions: false,
      pools: [{ key: pool, title: "Tests", draw: 1 }],
    };
  return writeCourse(app, course, { title: "Ropes & harnesses" });
}

const answer = async (place: Place, question: RegExp, choice: string) => {
  await place
    .getByRole("group", { name: question })
    .getByRole("radio", { name: new RegExp(choice) })
    .check();
};

/** The same answers everywhere: one of two right, then a quiz with one of two right, handed in. */
async function take(place: Place, isOurs = false) {
  await answer(place, /Where do you hook on/, "An anchor ring");
  await press(place, "Check answer");
  await expect(place.getByText("Well seen.")).toBeVisible();
  const other = place.getByRole("group", { name: /What holds a fall/ });
  for (const isLast of [false, true]) {
    await other.getByRole("radio", { name: /An anchor ring/ }).check();
    await other.getByRole("radio", { name: /A handrail/ }).check();
    await press(place, "Check answer");
    if (!isLast) await expect(place.getByText("You can answer once more.")).toBeVisible();
  }
  await expect(place.getByRole("heading", { name: "One more point" })).toBeVisible();
  await place.getByRole("textbox", { name: "What will you do?" }).fill("Check twice");
  await place
    .getByRole("button", { name: /Your plan/ })
    .first()
    .click();
  await expect(place.getByText("You wrote: Check twice")).toBeVisible();
  await press(place, "Next lesson");
  await press(place, "Start");
  await answer(place, /Which one is tested/, "An anchor ring");
  await press(place, "Next question");
  await answer(place, /Which one is rated/, "A handrail");
  await press(place, "To the end");
  await press(place, "Hand in");
  await expect(place.getByRole("heading", { name: /more point/ })).toBeVisible();
  if (isOurs) await expect(place.locator("header").getByRole("status")).toContainText(/Saved \d\d:\d\d/);
}

type Bare = { values: Record<string, string>; refused: string[]; kept: Record<string, string> };
const bare = (page: Page) =>
  page.evaluate(() => {
    const { values, refused, kept } = window as unknown as Bare;
    return { values, refused, kept };
  });

/** Opens an exported package in the bare platform. */
async function openBare(page: Page, app: ServerFixture, id: string, standard: "scorm12" | "scorm2004") {
  const folder = await unpack(await exportCourse(app, id, { format: standard, from: "live" }));
  await writeFile(join(folder, "platform.html"), bareRuntime(standard, "index.html"));
  const server = await serve(folder);
  const elsewhere: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => !request.url().startsWith(server.url) && elsewhere.push(request.url()));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${server.url}/platform.html`);
  return { folder, server, elsewhere, errors, course: page.frameLocator("iframe") };
}

for (const standard of sampled("exported", ["scorm12", "scorm2004"] as const, 1))
  test(`an exported course runs and resumes in a bare ${standard} platform`, async ({ browser, app }) => {
    test.setTimeout(120_000);
    const { id } = await ropes(app);
    const page = await browser.newPage();
    const { course, server, elsewhere, errors } = await openBare(page, app, id, standard);
    await expect(course.getByRole("heading", { name: "Ropes", exact: true })).toBeVisible();
    await expect(course.getByRole("img", { name: "A harness" })).toBeVisible();
    expect(
      await course.getByRole("img", { name: "A harness" }).evaluate((img: HTMLImageElement) => img.naturalWidth),
    ).toBe(320);
    await expect(course.getByText("Ask the trainer.")).toHaveCount(0);
    await take(course);
    await course.getByRole("button", { name: "Try again" }).click();
    await answer(course, /Which one is tested/, "An anchor ring");
    await page.reload();
    await expect(course.getByText("Question 2 of 2")).toBeVisible();
    await course.getByRole("button", { name: /^Ropes/ }).click();
    await expect(course.getByRole("textbox", { name: "What will you do?" })).toHaveValue("Check twice");
    await expect(
      course.getByRole("group", { name: /Where do you hook on/ }).getByRole("radio", { name: /An anchor ring/ }),
    ).toBeChecked();
    const { values, refused } = await bare(page);
    expect(refused).toEqual([]);
    expect(elsewhere).toEqual([]);
    expect(errors).toEqual([]);
    const interactions = Object.entries(values).filter(([key]) => /interactions\.\d+\.result/.test(key));
    expect(interactions.length).toBe(6);
    if (standard === "scorm12")
      expect(values).toMatchObject({ "cmi.core.lesson_status": "incomplete", "cmi.core.score.raw": "50" });
    else
      expect(values).toMatchObject({
        "cmi.completion_status": "incomplete",
        "cmi.success_status": "failed",
        "cmi.score.scaled": "0.5",
      });
    await page.close();
    await server.close();
  });

type Attempt = { completion: string; success: string; score: number | null; warnings: unknown[] };
const attemptOf = async (app: ServerFixture, courseId: string) => {
  const [row] = await app.query<Attempt>(
    `select a.completion, a.success, a.score_percent as score, v.warnings
     from attempts a
     join course_versions v on v.id = a.version_id
     where v.course_id = $1`,
    [courseId],
  );
  return row;
};

for (const standard of sampled("exported", ["scorm12", "scorm2004"] as const, 1))
  test(`${standard} passes our importer and reports the score of the original`, async ({ browser, app }) => {
    test.setTimeout(180_000);
    const original = await ropes(app);
    const own = await openAs(browser, await addLearner(app), original.launch);
    await take(own.page, true);
    await own.context.close();
    const bytes = await exportCourse(app, original.id, { format: standard, from: "live" });
    const imported = await addCourse(app, { name: "ropes.zip", bytes });
    const { page, context } = await openAs(browser, await addLearner(app), imported.launch);
    await take(content(page));
    await expect(page.locator("header").getByRole("status")).toContainText(/Saved \d\d:\d\d/);
    await context.close();
    const expected = { success: "failed", completion: "incomplete", score: 50, warnings: [] };
    await expect.poll(() => attemptOf(app, original.id)).toMatchObject(expected);
    // SCORM 1.2 has one status for both: what is not complete is neither passed nor failed.
    const success = standard === "scorm12" ? "unknown" : "failed";
    await expect.poll(() => attemptOf(app, imported.id)).toMatchObject({ ...expected, success });
  });

test(
  "a course that is done and passed is completed and passed in its platform",
  { tag: "@long" },
  async ({ browser, app }) => {
    const question = choiceQuestion("Where do you hook on?");
    const { id } = await writeCourse(
      app,
      courseOf(
        { id: newId("lesson"), title: "One", blocks: [question.block] },
        { id: newId("lesson"), title: "Two", blocks: [paragraph("The end.")] },
      ),
    );
    for (const standard of sampled("exported", ["scorm12", "scorm2004"] as const, 1)) {
      const page = await browser.newPage();
      const { course, server } = await openBare(page, app, id, standard);
      await answer(course, /Where do you hook on/, "An anchor ring");
      await press(course, "Check answer");
      await press(course, "Next lesson");
      await press(course, "Finish");
      await expect(course.getByRole("heading", { name: "Course completed" })).toBeVisible();
      await press(course, "Close the course");
      await expect(course.getByText("your results are stored")).toBeVisible();
      const { kept, refused } = await bare(page);
      expect(refused).toEqual([]);
      if (standard === "scorm12")
        expect(kept).toMatchObject({ "cmi.core.lesson_status": "passed", "cmi.core.score.raw": "100" });
      else
        expect(kept).toMatchObject({
          "cmi.completion_status": "completed",
          "cmi.success_status": "passed",
          "cmi.score.scaled": "1",
        });
      await page.close();
      await server.close();
    }
  },
);

test("an exported course opens from a disk and says that nothing is kept", async ({ browser, app }) => {
  const { id } = await ropes(app);
  const folder = await unpack(await exportCourse(app, id, { format: "scorm12", from: "draft" }));
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(pathToFileURL(join(folder, "index.html")).href);
  await expect(page.getByText("nothing is kept when you close it")).toBeVisible();
  const picture = page.getByRole("img", { name: "A harness" });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(320);
  // Axe reads style sheets in a way that the policy of the page refuses.
  expect(errors).toEqual([]);
  await inEveryLook(page, async (look) => {
    await expectNoHorizontalScroll(page, look);
    await expectAccessible(page, `exported course, ${look}`);
  });
  await page.close();
});
