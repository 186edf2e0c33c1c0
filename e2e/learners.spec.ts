import { readFileSync } from "node:fs";
import { learners } from "#shared/learners/learners.ts";
import { ADMIN } from "#test/process.ts";
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
