import { strToU8, zipSync } from "fflate";
import { flows } from "#shared/flows/flows.ts";
import { variables } from "#shared/variables/variables.ts";
import { ADMIN } from "#test/process.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, openCourse, saved, test } from "./server.ts";

// One value on its way: set by a SCORM package, read by another course, seen by an admin at once, found, replayed,
// deleted and restored

/** A page that says what it knows, and branches on it. */
const branchPage = `<!doctype html>
<title>Second course</title>
<script src="/lyceum.js"></script>
<h1 id="level"></h1>
<p id="branch"></p>
<script>
const level = Lyceum.get('level')
document.getElementById('level').textContent = 'Your level: ' + level
document.getElementById('branch').textContent = level === 'expert' ? 'Skip the basics.' : 'Begin with the basics.'
</script>`;

test("a value of one course changes another, a chart, and leads to its second", async ({ browser, app }) => {
  const first = await addCourse(app, probePackage("2004", ["one"]));
  const bytes = zipSync({ "index.html": strToU8(branchPage) });
  const second = await addCourse(app, { name: "second.zip", bytes });
  const rating = await app.admin.call(variables.create, {
    body: {
      key: "rating",
      label: "I speak up early",
      type: "number",
      courses: [{ courseId: first.id, access: "both" }],
    },
  });
  const level = await app.admin.call(variables.create, {
    body: { key: "level", label: "Level", type: "text", courses: [{ courseId: second.id, access: "read" }] },
  });
  await app.admin.call(flows.create, {
    body: {
      sourceVariableId: rating.id,
      target: { kind: "variable", variableId: level.id },
      transform: { kind: "threshold", at: 7, reached: "expert", below: "beginner" },
    },
  });
  const admin = await openAs(browser, ADMIN, `${app.url}/variables/${rating.id}`);
  await expect(admin.page.getByRole("heading", { name: "I speak up early" })).toBeVisible();
  await expect(admin.page.getByText("Mia Berg")).toHaveCount(0);

  const { page, context } = await openAs(browser, await addLearner(app, "Mia Berg"), first.launch);
  await expect(content(page).locator("#entry")).not.toHaveText("");
  await content(page)
    .locator("body")
    .evaluate(() =>
      (window.parent as never as { Lyceum: { set: (...given: unknown[]) => boolean } }).Lyceum.set("rating", 8),
    );
  await saved(page);
  await expect(admin.page.getByText("Mia Berg").first()).toBeVisible();
  await expect.poll(async () => (await app.admin.call(variables.values, { params: { id: level.id } })).total).toBe(1);
  await openCourse(page, second.launch);
  await expect(content(page).locator("#level")).toHaveText("Your level: expert");
  await expect(content(page).locator("#branch")).toHaveText("Skip the basics.");
  await context.close();

  await admin.page.goto(`${app.url}/admin/learner-data?variableId=${rating.id}`);
  await admin.page.getByRole("button", { name: "8: history of I speak up early, Mia Berg" }).click();
  const panel = admin.page.getByRole("dialog", { name: "I speak up early", exact: true });
  const address = await panel.getByRole("link", { name: /^Replay session from/ }).getAttribute("href");
  await panel.getByRole("button", { name: "Delete value" }).click();
  const dialog = admin.page.getByRole("dialog", { name: /^Delete this value/ });
  await dialog.getByRole("button", { name: "Delete value" }).click();
  const copies = () => app.admin.call(variables.values, { params: { id: level.id } });
  await expect.poll(async () => (await copies()).items.length).toBe(0);
  await admin.page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await copies()).items.map(({ current }) => current)).toEqual(["expert"]);
  await admin.page.goto(app.url + address);
  await expect(admin.page.getByRole("region", { name: "Variables", exact: true })).toContainText("I speak up early");
  await admin.context.close();
});
