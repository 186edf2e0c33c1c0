import type { Page } from "@playwright/test";
import { courses } from "#shared/courses/courses.ts";
import { courseOf, newId, paragraph } from "#test/lessons.ts";
import { ADMIN } from "#test/process.ts";
import { gustScenario } from "#test/scenarios.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, sizesFor } from "./layout.ts";
import { addLessons } from "./lessonsFixture.ts";
import { addLearner, expect, openAs, saved, test } from "./server.ts";

// Scenarios: written as a list and a graph, and walked through by choices

const choose = async (page: Page, label: string | RegExp, option: string | RegExp) => {
  await page.getByRole("combobox", { name: label }).last().click();
  await page.getByRole("option", { name: option }).click();
};

test(
  "an author writes a scenario in the list and in the graph, and publishes it",
  { tag: "@long" },
  async ({ browser, app }) => {
    test.setTimeout(180_000);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/courses`);
    await page.getByRole("button", { name: "Add course" }).click();
    await page.getByRole("menuitem", { name: "Write a course" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("Wind at height");
    await page.getByRole("button", { name: "Start writing" }).click();
    const text = page.getByRole("textbox", { name: /^Text of/ });
    await text.click();
    await page.keyboard.type("/scenario");
    await page.keyboard.press("Enter");
    await page.keyboard.type("The needle is rising.");
    await page.getByRole("textbox", { name: "Title of the scenario" }).fill("The gust");
    await page.getByRole("textbox", { name: "Title of Start" }).fill("At the hatch");
    const empty = text.locator("[data-placeholder='A choice']");
    for (const words of ["Wait", "Climb"]) {
      await empty.first().click();
      await page.keyboard.type(words);
    }
    // A new choice by Enter leads nowhere until the author says where.
    await page.keyboard.press("Enter");
    await page.keyboard.type("Ask Sigrid");
    await expect(page.getByText("1 choice leads nowhere")).toBeVisible();
    await choose(page, "Where “Ask Sigrid” leads", "A new step");
    await expect(page.getByText("1 choice leads nowhere")).toBeHidden();
    await expect(page.getByText("2 steps")).toBeVisible();
    await page.getByRole("textbox", { name: "Title of Step 2" }).fill("Sigrid says no");
    await expectAccessible(page, "scenario, list");

    await page.getByRole("button", { name: "Graph" }).click();
    const graph = page.getByRole("dialog");
    await expect(graph.getByText("Nobody has taken this scenario yet.", { exact: false })).toBeVisible();
    const start = graph.getByRole("group", { name: "Step 1, At the hatch" });
    await start.focus();
    await page.keyboard.press("Enter");
    await expect(graph.getByRole("heading", { name: "Step 1, At the hatch" })).toBeVisible();
    await expectAccessible(page, "scenario, graph");
    await choose(page, "Where “Wait” leads", /Ending 3/);
    await graph.getByRole("textbox", { name: "Points for “Wait”" }).fill("2");
    const before = await start.boundingBox();
    await start.focus();
    for (let n = 0; n < 5; n++) await page.keyboard.press("ArrowDown");
    await expect.poll(async () => (await start.boundingBox())?.y).toBeGreaterThan((before?.y ?? 0) + 4);
    await graph.getByRole("button", { name: "Tidy up" }).click();
    await graph.getByRole("button", { name: "Done" }).click();
    await expect(graph).toBeHidden();
    await page.getByRole("textbox", { name: "Title of Ending 3" }).fill("Stopped in time");
    await expect(page.getByText(/^Saved/)).toBeVisible({ timeout: 20_000 });

    await page.getByRole("button", { name: "Publish version 1" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish version 1" });
    await dialog.getByRole("button", { name: "Publish version 1" }).click();
    await expect(page.getByText(/Version 1/).first()).toBeVisible({ timeout: 20_000 });
    const { items } = await app.admin.call(courses.list, { query: { q: "Wind at height" } as never });
    expect(items).toHaveLength(1);
    await context.close();
  },
);

for (const [size, viewport] of sizesFor("scenarios"))
  test(`a learner walks through a scenario by keyboard, also after a reload (${size})`, async ({ browser, app }) => {
    const gust = gustScenario({ mayGoBack: true });
    const course = courseOf({ id: newId("lesson"), title: "Wind", blocks: [paragraph("Read the wind."), gust.block] });
    const { launch } = await addLessons(app, course, { title: `Wind ${size}` });
    const { page, context } = await openAs(browser, await addLearner(app), launch, { viewport });
    const scenario = page.getByRole("region", { name: "The gust at the hatch" });
    await expect(scenario.getByRole("heading", { name: "11 m/s at the hatch" })).toBeVisible();
    await scenario.getByRole("button", { name: "Ask Sigrid" }).press("Enter");
    await expect(scenario.getByText("Choose something else.", { exact: false })).toBeVisible();
    await scenario.getByRole("button", { name: "Wait in the cabin" }).press("Enter");
    await expect(scenario.getByText("You looked at the average.")).toBeVisible();
    await expectAccessible(page, "feedback of a choice");
    await scenario.getByRole("button", { name: "See what happens" }).press("Enter");
    await expect(scenario.getByRole("heading", { name: "You wait in the cabin" })).toBeFocused();
    await saved(page);
    await page.reload();
    await expect(scenario.getByRole("heading", { name: "You wait in the cabin" })).toBeVisible();
    await scenario.getByRole("button", { name: "Back one step" }).click();
    await expect(scenario.getByRole("heading", { name: "11 m/s at the hatch" })).toBeFocused();
    await scenario.getByRole("button", { name: "Climb quickly" }).click();
    await expect(scenario.getByRole("heading", { name: "Hit by the hatch" })).toBeFocused();
    await expect(scenario.getByText("-1 point.")).toBeVisible();
    for (const scheme of ["light", "dark"] as const) {
      await setColorScheme(page, scheme);
      await expectAccessible(page, `ending, ${scheme}`);
    }
    await expectNoHorizontalScroll(page, "scenario");
    await scenario.getByRole("button", { name: "Play again" }).click();
    await scenario.getByRole("button", { name: "Wait in the cabin" }).click();
    await scenario.getByRole("button", { name: "See what happens" }).click();
    await scenario.getByRole("button", { name: "Call the control room" }).click();
    await expect(scenario.getByRole("heading", { name: "Work stopped in time" })).toBeVisible();
    await expect(scenario.getByText("You have seen 2 of 2 endings.")).toBeVisible();
    await page.locator("footer").getByRole("button", { name: "Finish", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Course completed" })).toBeVisible();
    const stored = await app.query<{ value: string }>(
      `select variable_values.value #>> '{}' as value
      from variable_values
      join variables on variables.id = variable_values.variable_id
      where variables.key = 'gust_choice'`,
    );
    expect(stored.map(({ value }) => value)).toContain("Wait in the cabin");
    await context.close();
  });
