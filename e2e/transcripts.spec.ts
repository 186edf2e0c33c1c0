import { readFileSync } from "node:fs";
import { completions } from "#shared/completions/completions.ts";
import { courses } from "#shared/courses/courses.ts";
import { readPdfFile } from "#test/pdf.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, sizesFor } from "./layout.ts";
import { plainPackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// A learner issues a transcript and shares it; a stranger reads it by its link

for (const [size, viewport] of sizesFor("transcripts")) {
  test(`a learner issues a transcript, shares it and stops sharing (${size})`, async ({ browser, app }) => {
    test.setTimeout(120_000);
    const course = await addCourse(app, plainPackage());
    const name = `Kari Record ${size}`;
    const kari = await addLearner(app, name);
    const { page, context } = await openAs(browser, kari, `${app.url}/certificates`, { viewport });
    await page.getByRole("link", { name: "Transcripts" }).click();
    await expect(page.getByText("No completed courses yet")).toBeVisible();
    await expectAccessible(page, `no transcripts, ${size}`);

    const { items } = await app.admin.call(courses.enrolments, { query: { courseId: course.id, q: kari.email } });
    await app.admin.call(completions.set, {
      params: { id: items[0]?.id as string },
      body: { reason: "Done on paper", attemptNo: 0, status: "assigned" },
    });
    await page.reload();
    await page.getByRole("button", { name: "Issue transcript" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Include scores").uncheck();
    await expectAccessible(page, `issuing a transcript, ${size}`);
    await dialog.getByRole("button", { name: "Issue transcript" }).click();
    await expect(page.getByText(/^Transcript [A-Z0-9-]+ issued$/)).toBeVisible();

    await page.getByRole("button", { name: /^Share/ }).click();
    await dialog.getByRole("radio", { name: "1 week" }).check();
    await dialog.getByRole("button", { name: "Create link" }).click();
    const link = page.getByRole("listitem").locator("code");
    await expect(link).toBeVisible();
    await expectAccessible(page, `transcripts, ${size}`);
    await expectNoHorizontalScroll(page, `transcripts, ${size}`);
    await page.getByRole("button", { name: /^View/ }).click();
    await expect(dialog.getByRole("rowheader")).toContainText("Set complete by an admin");
    await expectAccessible(page, `a transcript in a dialog, ${size}`);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Download/ }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "PDF", exact: true }).click(),
    ]);
    expect((await readPdfFile(readFileSync(await file.path()))).pages[0]).toContain(name);

    const guest = await (await browser.newContext({ viewport })).newPage();
    await guest.goto(await link.innerText());
    await expect(guest.getByRole("heading", { name, level: 1 })).toBeVisible();
    await expect(guest.getByRole("heading", { name: "Matches today's records" })).toBeVisible();
    await expectAccessible(guest, `a shared transcript, ${size}`);
    await expectNoHorizontalScroll(guest, `a shared transcript, ${size}`);
    await setColorScheme(guest, "dark");
    await expectAccessible(guest, `a shared transcript, dark, ${size}`, ["color-contrast"]);
    await page.getByRole("button", { name: /^Stop sharing/ }).click();
    await dialog.getByRole("button", { name: "Stop sharing" }).click();
    await expect(page.getByText(/^Transcript [A-Z0-9-]+ is no longer shared$/)).toBeVisible();
    await guest.reload();
    await expect(guest.getByRole("heading", { name: "This link does not work" })).toBeVisible();
    await guest.context().close();
    await context.close();
  });
}
