import { readFileSync } from "node:fs";
import { learners } from "#shared/learners/learners.ts";
import { ADMIN } from "#test/process.ts";
import { expectNoHorizontalScroll } from "./layout.ts";
import { addLearner, expect, openAs, test } from "./server.ts";

test("edits and exports a learner, and keeps both sides of a conflict", async ({ browser, app }) => {
  const person = await addLearner(app, "Liv Aune");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.getByRole("link", { name: "Learners", exact: true }).click();
  await page.getByRole("searchbox").fill(person.email);
  const edit = async (name: string) => {
    await page.getByRole("row", { name: person.email }).getByRole("button").last().click();
    await page.getByRole("menuitem", { name: "Edit name or email" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
  };
  const save = page.getByRole("button", { name: "Save learner" });

  await edit(" ");
  await save.click();
  await expect(page.getByText("Enter a name.")).toBeVisible();
  await page.getByRole("textbox", { name: "Name" }).fill("Liv Berg");
  await save.click();
  await expect(page.getByRole("row", { name: "Liv Berg" })).toBeVisible();

  await edit("Liv Dahl");
  const [row] = (await app.admin.call(learners.list, { query: { q: person.email } })).items;
  const { id, version } = row as NonNullable<typeof row>;
  await app.admin.call(learners.update, { params: { id }, body: { name: "Liv Eide", version } });
  await save.click();
  await expect(page.getByRole("cell", { name: "Liv Eide", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Keep mine" }).click();
  await expect(page.getByRole("row", { name: "Liv Dahl" })).toBeVisible();

  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const [head, line] = readFileSync(await (await saved).path(), "utf8").split("\r\n");
  expect(head).toContain("Name,Email,Company,Status");
  expect(line).toContain(`Liv Dahl,${person.email},Norrvik Energi,Active`);
  await context.close();
});

test(
  "says before and after inviting who is skipped, and that nothing was sent",
  { tag: "@long" },
  async ({ browser, app }) => {
    const person = await addLearner(app, "Sif Skip");
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/learners`);
    await page.getByRole("button", { name: "Invite learners" }).click();
    await page.getByRole("combobox", { name: "Company" }).click();
    await page.getByRole("option", { name: "Norrvik Energi" }).click();
    await page.getByRole("textbox", { name: "People" }).fill(`new-${Date.now()}@example.com\n${person.email}`);
    await expect(page.getByText("Skipped, already active")).toBeVisible();
    await expect(page.getByText("1 person ready, 1 will be skipped")).toBeVisible();
    await page.getByRole("button", { name: "Invite 1 person" }).click();
    await expect(page.getByRole("dialog", { name: "Invitations not sent yet" })).toBeVisible();
    await expect(page.getByText("1 person invited, 1 skipped")).toBeVisible();
    await context.close();
  },
);

test("on a phone, an admin selects learners by tapping their rows", async ({ browser, app }) => {
  const [first, second] = [await addLearner(app, "Una Strand"), await addLearner(app, "Ulf Strand")];
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/learners?q=Strand`);
  await page.getByRole("button", { name: "Select rows" }).click();
  for (const { name } of [first, second]) await page.getByText(name).click();
  await expect(page.getByText("All 2 selected")).toBeVisible();
  await expectNoHorizontalScroll(page, "selected learners");
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByText("Suspended", { exact: true })).toHaveCount(2);
  await context.close();
});

test(
  "the filters and tools of the learners are one row beside the sidebar at 1280",
  { tag: "@long" },
  async ({ browser, app }) => {
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(page).toHaveURL(/dashboard/);
    await page.goto(`${app.url}/learners`);
    const topOf = async (name: string) =>
      (await page.getByRole("button", { name, exact: true }).first().boundingBox())?.y;
    expect(await topOf("Export as CSV")).toBe(await topOf("Company"));
    expect(await topOf("Views")).toBe(await topOf("Company"));
    await context.close();
  },
);
