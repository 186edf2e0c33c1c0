import { readFileSync } from "node:fs";
import { certificates } from "#shared/certificates/certificates.ts";
import { paths } from "#shared/paths/paths.ts";
import { readPdfFile } from "#test/pdf.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll } from "./layout.ts";
import { titledPackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, saved, test } from "./server.ts";

// The certificate of a learning path, from its design to a stranger who checks it

test("a learner who completes a path earns its certificate", async ({ browser, app }) => {
  test.setTimeout(180_000);
  const course = await addCourse(app, titledPackage("Ladders"));
  const who = await addLearner(app, "Kari Nordmann");
  const steps = [{ id: crypto.randomUUID(), courseIds: [course.id] }];
  const { id, version } = await app.admin.call(paths.create, { body: { title: "Ready for the tower", steps } });
  await app.admin.call(paths.publish, { params: { id }, body: { people: "keep", version } });
  const { page: admin } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(admin).toHaveURL(/dashboard/);

  await test.step("an admin gives the path a certificate", async () => {
    await admin.goto(`${app.url}/courses/paths/${id}`);
    await admin.getByRole("tab", { name: "Certificate" }).click();
    await expect(admin.getByText("This path has no certificate")).toBeVisible();
    await admin.getByRole("button", { name: "Add a certificate" }).click();
    await expect(admin.getByRole("img", { name: "Preview" })).toContainText("Ready for the tower");
    await expect(admin.getByRole("checkbox", { name: "Score" })).toHaveCount(0);
    await admin.getByLabel(/^Months/).fill("24");
    await expectAccessible(admin, "certificate of a path");
    await admin.getByRole("button", { name: "Save", exact: true }).click();
    await expect(admin.getByText("0 certificates issued")).toBeVisible();
    await admin.setViewportSize({ width: 390, height: 844 });
    await expectNoHorizontalScroll(admin, "certificate of a path 390");
    await admin.setViewportSize({ width: 1440, height: 900 });
  });

  await app.admin.call(paths.assign, { params: { id }, body: { companyIds: [app.company.id] } });
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const { page: learner } = await openAs(browser, who, `${app.url}/login`, phone);
  await expect(learner).toHaveURL(/my-courses/);
  await test.step("the learner completes the path on a phone and finds the certificate on its page", async () => {
    await learner.goto(`${app.url}/paths/${id}`);
    await expect(learner.getByText("Ready the moment you complete the path. Valid for 24 months.")).toBeVisible();
    await learner.getByRole("link", { name: "Start “Ladders”" }).click();
    const body = content(learner).locator("body");
    await body.waitFor();
    await body.evaluate(() => (window as unknown as { finish: (status: string) => void }).finish("completed"));
    await saved(learner);
    await learner.goto(`${app.url}/paths/${id}`);
    await expect(learner.getByText(/^Complete since /)).toBeVisible({ timeout: 20_000 });
    await expect(learner.getByText("You have earned your certificate")).toBeVisible();
    await expectAccessible(learner, "a completed path");
    await expectNoHorizontalScroll(learner, "a completed path");
    const [file] = await Promise.all([
      learner.waitForEvent("download"),
      learner.getByRole("button", { name: "Download PDF" }).click(),
    ]);
    const { pages } = await readPdfFile(readFileSync(await file.path()));
    expect(pages[0]).toContain("Ready for the tower");
    expect(pages[0]).toContain("Kari Nordmann");
    await learner.getByRole("link", { name: "My certificates" }).click();
    await expect(learner.getByRole("heading", { name: "Ready for the tower" })).toBeVisible();
  });

  const { items } = await app.admin.call(certificates.list, { query: { pathId: id } });
  const number = items[0]?.number as string;
  await test.step("a stranger reads what was completed", async () => {
    const guest = await (await browser.newContext()).newPage();
    await guest.goto(`${app.url}/verify/${number}`);
    await expect(guest.getByRole("heading", { name: "Unchanged since issue", level: 1 })).toBeVisible();
    await expect(guest.getByText("Ready for the tower, version 1")).toBeVisible();
    await expect(guest.getByText("Every step is completed: “Ladders”.")).toBeVisible();
    await expectAccessible(guest, "public page of a path certificate");
  });

  await test.step("an admin finds it by its path", async () => {
    await admin.goto(`${app.url}/certificates?pathId=${id}`);
    await admin.getByRole("button", { name: number, exact: true }).click();
    await expect(admin.getByRole("dialog")).toContainText("Ready for the tower, version 1");
    await expectAccessible(admin, "details of a path certificate");
  });
});
