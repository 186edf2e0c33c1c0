import { readFileSync } from "node:fs";
import { certificates } from "#shared/certificates/certificates.ts";
import { textInPng, verifyBadge } from "#test/badgeVerifier.ts";
import { readPdfFile } from "#test/pdf.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll } from "./layout.ts";
import { plainPackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, test } from "./server.ts";

// From the design of a certificate to a stranger who checks it

test("a learner earns a certificate that everybody can check", async ({ browser, app }) => {
  test.setTimeout(180_000);
  const course = await addCourse(app, plainPackage());
  const { page: admin } = await openAs(browser, ADMIN, `${app.url}/courses/${course.id}?tab=certificate`);

  await test.step("an admin adds a certificate by keyboard", async () => {
    const add = admin.getByRole("button", { name: "Add a certificate" });
    await add.focus();
    await admin.keyboard.press("Enter");
    await expect(admin.getByRole("img", { name: "Preview" })).toBeVisible();
    await admin.getByLabel(/^Months/).fill("24");
    await admin.getByLabel("Name", { exact: true }).first().fill("Hanne Dahl");
    await expectAccessible(admin, "design of a certificate");
    const save = admin.getByRole("button", { name: "Save", exact: true });
    await save.focus();
    await admin.keyboard.press("Enter");
    await expect(admin.getByText("0 certificates issued")).toBeVisible();
    await admin.setViewportSize({ width: 390, height: 844 });
    await expectNoHorizontalScroll(admin, "design of a certificate 390");
    await admin.setViewportSize({ width: 1440, height: 900 });
  });

  const { page: learner } = await openAs(
    browser,
    await addLearner(app, "Kari Nordmann"),
    `${app.url}/courses/${course.id}`,
  );
  await test.step("the learner sees it as soon as the course is completed", async () => {
    await expect(learner.getByText("Ready the moment you complete the course. Valid for 24 months.")).toBeVisible();
    await learner.goto(course.launch);
    await expect(content(learner).locator("body")).toBeVisible({ timeout: 20_000 });
    await learner.getByRole("button", { name: "Mark as complete" }).click();
    await expect(learner.locator("header").getByRole("status")).toContainText(/Saved/, { timeout: 20_000 });
    await learner.getByRole("button", { name: /^Exit/ }).click();
    await expect(learner.getByText("You have earned your certificate")).toBeVisible({ timeout: 20_000 });
    const [file] = await Promise.all([
      learner.waitForEvent("download"),
      learner.getByRole("button", { name: "Download PDF" }).click(),
    ]);
    const pdf = await readPdfFile(readFileSync(await file.path()));
    expect(pdf.isTagged).toBe(true);
    expect(pdf.pages[0]).toContain("Kari Nordmann");
  });

  const { items } = await app.admin.call(certificates.list, { query: { courseId: course.id } });
  const number = items[0]?.number as string;
  const guest = await (await browser.newContext()).newPage();
  await test.step("a stranger checks the number and compares the name", async () => {
    await guest.goto(`${app.url}/verify`);
    await guest.getByLabel("Certificate number").fill(number.toLowerCase().replaceAll("-", " "));
    await guest.getByRole("button", { name: "Check", exact: true }).click();
    await expect(guest.getByRole("heading", { name: "Unchanged since issue", level: 1 })).toBeVisible();
    await expect(guest.getByText("Not shown. The holder decides whether it is.")).toBeVisible();
    await expectAccessible(guest, "public page of a certificate");
    await expect(guest.getByLabel("Full name")).toHaveCount(0);
    const [proof] = await Promise.all([
      guest.waitForEvent("download"),
      guest.getByRole("link", { name: "Proof file" }).click(),
    ]);
    expect(JSON.parse(readFileSync(await proof.path(), "utf8"))).toMatchObject({ facts: { number }, disclosed: {} });
  });

  await test.step("the holder shows the name, and who has the code compares it", async () => {
    await learner.goto(`${app.url}/certificates`);
    await learner.getByRole("switch", { name: "My name" }).click();
    await expect(learner.getByText(`Public page of certificate ${number} changed`)).toBeVisible();
    await guest.goto(`${app.url}/verify/${number}`);
    await expect(guest.getByText("Kari Nordmann")).toBeVisible();
    const [file] = await Promise.all([
      learner.waitForEvent("download"),
      learner.getByRole("button", { name: /^Download proof/ }).click(),
    ]);
    const { disclosed } = JSON.parse(readFileSync(await file.path(), "utf8")) as {
      disclosed: { holder: { key: string } };
    };
    const key = Buffer.from(disclosed.holder.key, "hex").toString("base64url");
    const holderPage = await (await browser.newContext()).newPage();
    await holderPage.goto(`${app.url}/verify/${number}#${key}`);
    for (const [name, answer] of [
      ["kari  nordmann", "They match."],
      ["Ola Nordmann", "They do not match."],
    ] as const) {
      await holderPage.getByLabel("Full name").fill(name);
      await holderPage.getByRole("button", { name: "Compare" }).click();
      await expect(holderPage.getByText(answer)).toBeVisible();
    }
  });

  /** The text of an address of the server, as others fetch it. */
  const fetchText = async (url: string) => (await fetch(url)).text();
  const badge = await test.step("the holder downloads a badge, and finds LinkedIn's form filled in", async () => {
    await expectAccessible(learner, "certificates of a learner");
    await learner.getByRole("button", { name: /^Download badge/ }).click();
    const form = learner.getByRole("menuitem", { name: "Add to LinkedIn" });
    const address = new URL((await form.getAttribute("href")) ?? "");
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      certId: number,
      certUrl: `${app.url}/verify/${number}`,
      organizationName: app.company.name,
    });
    const [file] = await Promise.all([
      learner.waitForEvent("download"),
      learner.getByRole("menuitem", { name: "Picture, for portfolios" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`${number}.badge.png`);
    const credential = textInPng(readFileSync(await file.path()), "openbadgecredential");
    expect((await verifyBadge(credential, fetchText)).isRevoked).toBe(false);
    return credential;
  });

  await test.step("an admin revokes it, and the public page says so", async () => {
    await admin.goto(`${app.url}/certificates`);
    await admin.getByRole("button", { name: number, exact: true }).click();
    await admin.getByRole("button", { name: "Revoke", exact: true }).click();
    const dialog = admin.getByRole("dialog", { name: `Revoke certificate ${number}` });
    await dialog.getByLabel("Reason").fill("Issued by mistake");
    await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
    await expect(admin.getByText(`Certificate ${number} revoked`)).toBeVisible({ timeout: 20_000 });
    await guest.goto(`${app.url}/verify/${number}`);
    await expect(guest.getByRole("heading", { name: "This certificate was revoked", level: 1 })).toBeVisible();
    expect((await verifyBadge(badge, fetchText)).isRevoked).toBe(true);
    await guest.goto(`${app.url}/verify/NE-AAAA-BBBB`);
    await expect(guest.getByRole("heading", { name: "We have never issued this number", level: 1 })).toBeVisible();
  });
});
