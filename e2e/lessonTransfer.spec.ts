import { readFile } from "node:fs/promises";
import { strFromU8, unzipSync } from "fflate";
import { expectAccessible } from "./axe.ts";
import { writeCourse } from "./exportFixture.ts";
import { expectNoHorizontalScroll, inEveryLook } from "./layout.ts";
import { expect, openAs, test } from "./server.ts";
import { courseOf, newId, paragraph, words } from "#test/lessons.ts";
import { ADMIN } from "#test/process.ts";
import { quizCourse } from "#test/quizzes.ts";

// Lessons into the editor and out of it

const MARKDOWN = `# Harness

Check the **webbing**.

![far](https://example.com/far.png)

# Lanyard

- Hook one
- Hook two
`;

test("an author imports a document after a preview, and exports the course", async ({ browser, app }) => {
  test.setTimeout(120_000);
  const { course } = quizCourse({}, { always: 1, pooled: 3, draw: 1 });
  course.modules[0]!.lessons.push(
    ...courseOf({
      id: newId("lesson"),
      title: "Ask",
      blocks: [
        paragraph("Ask somebody."),
        { kind: "chatbot", id: newId("block"), chatbotId: null, text: words("Ask the trainer.") },
      ],
    }).modules[0]!.lessons,
  );
  const { id } = await writeCourse(app, course);
  const { page } = await openAs(browser, ADMIN, `${app.url}/courses/${id}/edit`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Import lessons" }).click();
  const importing = page.getByRole("dialog", { name: "Import lessons" });
  await importing
    .locator("input[type=file]")
    .setInputFiles({ name: "ropes.md", mimeType: "text/markdown", buffer: Buffer.from(MARKDOWN) });
  await expect(importing.getByText("Harness: 1 block")).toBeVisible({ timeout: 30_000 });
  await expect(importing.getByText("1 picture that is not in the document", { exact: false })).toBeVisible();
  await inEveryLook(page, async (look) => {
    await expectNoHorizontalScroll(page, `import, ${look}`);
    await expectAccessible(page, `import of lessons, ${look}`);
  });
  await importing.getByRole("button", { name: "Add 2 lessons" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Harness" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Lanyard" }).first()).toBeVisible();
  await expect(page.getByRole("textbox", { name: /^Text of/ })).toContainText("Check the webbing.");

  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Export" }).click();
  const exporting = page.getByRole("dialog", { name: "Export the course" });
  await expect(exporting.getByText("contains the solutions of 4 questions")).toBeVisible();
  await expect(exporting.getByText("Ask: a chatbot")).toBeVisible();
  await exporting.getByRole("checkbox", { name: "With the questions of pools" }).uncheck();
  await expect(exporting.getByText("Final check: 3 questions of pools")).toBeVisible();
  await exporting.getByRole("radio", { name: "The draft as it is now" }).check();
  await exporting.getByRole("radio", { name: "Markdown with files" }).check();
  await inEveryLook(page, async (look) => {
    await expectNoHorizontalScroll(page, `export, ${look}`);
    await expectAccessible(page, `export of a course, ${look}`);
  });
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    exporting.getByRole("button", { name: "Download" }).click(),
  ]);
  const files = unzipSync(new Uint8Array(await readFile(await saved.path())));
  expect(strFromU8(files["course.md"]!)).toContain("# Lanyard\n\n- Hook one\n- Hook two");
  await page.close();
});

test(
  "a course is duplicated from its page on a phone, and the copy is written on",
  { tag: "@long" },
  async ({ browser, app }) => {
    const lesson = { id: newId("lesson"), title: "Harness", blocks: [paragraph("Both hooks hold.")] };
    const { id } = await writeCourse(app, courseOf(lesson), { title: "Ropes" });
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/courses/${id}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "More actions for Ropes" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    const dialog = page.getByRole("dialog", { name: "Duplicate the course" });
    const title = dialog.getByRole("textbox", { name: "Title of the copy" });
    await expect(title).toHaveValue("Ropes (copy)");
    await expectAccessible(page, "duplicating a course");
    await title.fill("");
    await dialog.getByRole("button", { name: "Duplicate course" }).click();
    await expect(dialog.getByText("Enter a title.")).toBeVisible();
    await title.fill("Ropes, north");
    await page.keyboard.press("Enter");
    await expect(page.getByText("“Ropes, north” was created.")).toBeVisible();
    await expect(page).not.toHaveURL(new RegExp(id));
    await expect(page.getByText("Both hooks hold.")).toBeVisible();
    await context.close();
  },
);
