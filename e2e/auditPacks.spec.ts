import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { completions } from "#shared/completions/completions.ts";
import { courses } from "#shared/courses/courses.ts";
import { requirements, requirementTerms } from "#shared/requirements/requirements.ts";
import { ADMIN } from "#test/process.ts";
import { unpack } from "#test/unpackedAudit.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, viewports } from "./layout.ts";
import { titledPackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// An admin makes an audit pack and gives an auditor a link, who draws a sample and opens records without an account

test("an auditor draws a sample by a link and opens records", async ({ browser, app }) => {
  test.setTimeout(180_000);
  const { id: courseId } = await addCourse(app, titledPackage("Harness"));
  const learner = await addLearner(app, "Ada Audited");
  await addLearner(app, "Bo Behind");
  const company = `${app.url}/companies/${app.company.id}`;
  const { page, context } = await openAs(browser, ADMIN, `${company}/audit-packs`);
  await expect(page.getByText("Nothing is required yet")).toBeVisible();
  await expectAccessible(page, "audit packs without requirements");

  const body = { courseId, terms: requirementTerms.parse({ months: 12 }) };
  await app.admin.call(requirements.create, { params: { id: app.company.id }, body });
  const { items } = await app.admin.call(courses.enrolments, { query: { courseId, q: learner.email } });
  await app.admin.call(completions.set, {
    params: { id: items[0]?.id as string },
    body: { reason: "Done on paper", attemptNo: 0, status: "assigned" },
  });
  // A pack of now is of five seconds ago.
  await sleep(7000);

  await test.step("the admin makes a pack, downloads it and has it compared", async () => {
    await page.goto(`${company}/compliance`);
    await page.getByRole("link", { name: "Audit packs" }).click();
    await page.getByRole("button", { name: "New audit pack" }).click();
    const dialog = page.getByRole("dialog");
    await expectAccessible(page, "the dialog of an audit pack");
    await dialog.getByRole("button", { name: "Make audit pack" }).click();
    await expect(page.getByRole("button", { name: "Download ZIP" })).toBeVisible({ timeout: 30_000 });
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download ZIP" }).click(),
    ]);
    const files = unpack(readFileSync(await file.path()));
    expect(files.rows("matrix.csv").map((row) => [row["Person"], row["Harness: Status"]])).toEqual([
      ["Ada Audited", "Valid"],
      ["Bo Behind", "Missing"],
    ]);
    expect(files.verify()).toMatchObject({ status: 0 });
    await page.getByRole("button", { name: "Make again and compare" }).click();
    await expect(page.getByText("All files have the same bytes as the first time.")).toBeVisible({ timeout: 30_000 });
  });

  const address = await test.step("the admin gives an auditor a link", async () => {
    await page.getByRole("button", { name: "New link" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Create link" }).click();
    await expect(dialog.getByText("Enter a name.")).toBeVisible();
    await dialog.getByLabel("Auditor", { exact: true }).fill("Veritas");
    await expectAccessible(page, "the dialog of a link");
    await dialog.getByRole("button", { name: "Create link" }).click();
    await expect(dialog).toHaveCount(0);
    await expectAccessible(page, "an audit pack");
    return page.getByRole("listitem").locator("code").innerText();
  });

  await test.step("the auditor draws and opens records, on a phone too", async () => {
    const guest = await (await browser.newContext({ viewport: viewports.phone })).newPage();
    await guest.goto(address);
    await expect(guest.getByRole("row", { name: /^Harness/ })).toBeVisible();
    await expectNoHorizontalScroll(guest, "an audit on a phone");
    await guest.getByLabel("Sample size").fill("1");
    await guest.getByRole("combobox", { name: "Status" }).click();
    await guest.getByRole("option", { name: "Valid" }).click();
    await guest.getByRole("button", { name: "Draw a sample" }).click();
    await expect(guest.getByRole("heading", { name: "Sample 1", level: 1 })).toBeVisible();
    await expect(guest.getByText("Bo Behind")).toHaveCount(0);
    await guest.getByRole("button", { name: /Open records/ }).click();
    await expect(guest.getByText("Set complete by an admin").first()).toBeVisible();
    await expectNoHorizontalScroll(guest, "a sample on a phone");
    await expectAccessible(guest, "a sample");
    await guest.setViewportSize(viewports.desktop);
    await setColorScheme(guest, "dark");
    await expectAccessible(guest, "a sample in the dark");
    await guest.getByRole("link", { name: "Back to the overview" }).click();
    await expect(guest.getByRole("link", { name: "Sample 1" })).toBeVisible();
    await expectAccessible(guest, "an audit in the dark");
    await guest.context().close();
  });

  await test.step("the company sees what was opened, and ends the link", async () => {
    await page.reload();
    await page.getByRole("button", { name: "What was opened" }).click();
    await expect(page.getByText("Records of Ada Audited, sample 1")).toBeVisible();
    await page.setViewportSize(viewports.phone);
    await expectNoHorizontalScroll(page, "an audit pack on a phone");
    await page.getByRole("button", { name: "End link" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End link" }).click();
    await expect(page.getByText("Ended", { exact: false }).first()).toBeVisible();
    const late = await (await browser.newContext()).newPage();
    await late.goto(address);
    await expect(late.getByText("This link does not work")).toBeVisible();
    await late.context().close();
  });
  await context.close();
});
