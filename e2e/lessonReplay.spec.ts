import type { Page } from "@playwright/test";
import { answerEvent, choiceQuestion, choose, courseOf, paragraph } from "#test/lessons.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme } from "./layout.ts";
import { addLessons } from "./lessonsFixture.ts";
import { addSession } from "./replayFixture.ts";
import { expect, openAs, test } from "./server.ts";

// The replay of a session in lessons shows what the learner saw

const stage = (page: Page) => page.getByRole("region", { name: "Replay view" });
const lesson = (page: Page) => stage(page).getByRole("article");

test("a replay shows the lesson as it was, answer by answer", async ({ browser, app }) => {
  const question = choiceQuestion("Where does the second hook go?");
  const long = Array.from({ length: 30 }, (_, n) => paragraph(`Rule ${n + 1}: look before you climb.`));
  const course = courseOf(
    { id: "lesson-read", title: "Before you climb", blocks: long },
    { id: "lesson-quiz", title: "Hooks", blocks: [question.block] },
  );
  const { id } = await addLessons(app, course);
  const answered = (seq: number, t: number, choice: string) => {
    const { value, ...event } = answerEvent(question.id, choose(choice));
    return { ...event, seq, t, sco: "lesson-quiz", value: JSON.stringify(value) };
  };
  const sessionId = await addSession(app, id, () => [
    { seq: 1, t: 0, type: "nav", sco: "lesson-read" },
    { seq: 2, t: 30_000, type: "block.seen", sco: "lesson-read", key: long[24]!.id },
    { seq: 3, t: 60_000, type: "nav", sco: "lesson-quiz" },
    answered(4, 90_000, question.wrong),
    answered(5, 120_000, question.right),
  ]);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  const open = (second: number) => page.goto(`${app.url}/reports/session/replay/${sessionId}?t=${second}`);

  await open(10);
  await expect(lesson(page).getByRole("heading", { name: "Before you climb" })).toBeVisible();
  await expect(lesson(page).getByText("Rule 1:")).toBeInViewport();
  // By then the learner had read on.
  await open(35);
  await expect(lesson(page).getByText("Rule 25:")).toBeInViewport();
  await page.keyboard.press("n");
  await expect(lesson(page).getByText("Where does the second hook go?")).toBeVisible();
  await expect(lesson(page).getByRole("radio", { checked: true })).toHaveCount(0);
  await page.keyboard.press("n");
  await expect(lesson(page).getByText("Look again.")).toBeVisible();
  await expect(lesson(page).getByRole("radio", { name: /A handrail/ })).toBeChecked();
  await expectAccessible(page, "replay of a lesson");
  await page.keyboard.press("n");
  await expect(lesson(page).getByText("Well seen.")).toBeVisible();
  await expect(lesson(page).getByRole("radio", { name: /An anchor ring/ })).toBeChecked();
  // Nothing can be answered, and the summary is a click away.
  for (const radio of await lesson(page).getByRole("radio").all()) await expect(radio).toBeDisabled();
  await stage(page).getByText("Summary").click();
  await expect(stage(page).getByText("Well seen.")).toBeHidden();
  await stage(page).getByText("Course page").click();
  await expect(lesson(page).getByText("Well seen.")).toBeVisible();

  await setColorScheme(page, "dark");
  await page.setViewportSize({ width: 390, height: 844 });
  await open(95);
  await expect(lesson(page).getByText("Look again.")).toBeVisible();
  await expectNoHorizontalScroll(page, "replay of a lesson");
  await expectAccessible(page, "replay of a lesson, dark, on a phone");
  await context.close();
});
