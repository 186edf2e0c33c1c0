import { deflateSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { courses } from "#shared/courses/courses.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme } from "./layout.ts";
import { addLearner, expect, openAs, test } from "./server.ts";

// Writing a course: from an idea to a lesson that a learner reads

const pageOf = (page: Page) => page.getByRole("textbox", { name: /^Text of/ });
const saved = (page: Page) => expect(page.getByText(/^Saved/)).toBeVisible({ timeout: 20_000 });

async function writeCourse(page: Page, url: string, title: string) {
  await page.goto(`${url}/courses`);
  await page.getByRole("button", { name: "Add course" }).click();
  await page.getByRole("menuitem", { name: "Write a course" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await page.getByRole("button", { name: "Start writing" }).click();
  await expect(pageOf(page)).toBeVisible({ timeout: 20_000 });
  return /courses\/([^/]+)\/edit/.exec(page.url())?.[1] ?? "";
}

async function addBlock(page: Page, name: string) {
  await page.getByRole("button", { name: "Add a block, or type /" }).click();
  await expect(page.getByRole("listbox", { name: "Add a block" })).toBeVisible();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("listbox", { name: "Add a block" })).toBeHidden();
}

/** A PNG of one colour. */
function picture() {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(640, 0);
  head.writeUInt32BE(240, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(640 * 3, 0x9c)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: 240 }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}
function crc(bytes: Buffer) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

test("a newcomer writes two lessons with a picture, and a learner takes them", async ({ browser, app }) => {
  test.setTimeout(240_000);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  const id = await writeCourse(page, app.url, "Working at heights");
  await expectAccessible(page, "editor, empty");

  await pageOf(page).click();
  await page.keyboard.type("Check the harness on the ground.");
  await page.keyboard.press("Enter");
  await page.keyboard.type("## Three steps");
  await page.keyboard.press("Enter");
  await page.keyboard.type("1. Straps");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Buckles");
  await addBlock(page, "image");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /Choose a file/ }).click();
  await (await chooser).setFiles({ name: "harness.png", mimeType: "image/png", buffer: picture() });
  await expect(pageOf(page).locator("img")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("No alternative text yet.", { exact: false })).toBeVisible();
  await page.getByRole("textbox", { name: "Alternative text" }).fill("A harness with a chest ring");
  await expect(page.getByText("No alternative text yet.", { exact: false })).toBeHidden();

  await page.getByRole("button", { name: "Add lesson" }).click();
  await page.getByRole("textbox", { name: "Name" }).first().fill("Where to hook in");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Where to hook in" })).toBeVisible();
  await addBlock(page, "single");
  await page.keyboard.type("Where may you hook in?");
  await page.keyboard.press("Enter");
  await page.keyboard.type("The anchor ring");
  await pageOf(page)
    .getByText("A choice")
    .first()
    .waitFor({ state: "detached" })
    .catch(() => {});
  const choices = pageOf(page).locator("[data-lesson='richText'][data-placeholder='A choice']");
  await choices.first().click();
  await page.keyboard.type("The handrail");
  await choices.first().click();
  await page.keyboard.type("The cable tray");
  await saved(page);
  await expectAccessible(page, "editor, question");

  // Without a right answer nothing is published.
  await pageOf(page).getByRole("button", { name: "Right", exact: true }).click();
  await page.getByRole("button", { name: "Publish version 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish version 1" });
  await expect(dialog.getByText("A question has no right answer", { exact: false })).toBeVisible({ timeout: 20_000 });
  await expect(dialog.getByRole("button", { name: "Publish version 1" })).toBeDisabled();
  await expectAccessible(page, "publish");
  await dialog.getByRole("button", { name: /A question has no right answer/ }).click();
  await expect(dialog).toBeHidden();
  await pageOf(page).getByRole("button", { name: "Mark as right" }).first().click();
  await saved(page);

  for (const width of [1440, 1180, 820, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoHorizontalScroll(page, `editor ${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await setColorScheme(page, "dark");
  await expectAccessible(page, "editor, dark", ["color-contrast"]);
  await setColorScheme(page, "light");

  await page.getByRole("link", { name: "Preview" }).click();
  await expect(page.getByText("Nothing you do here is stored.", { exact: false })).toBeVisible();
  await page.getByText("The handrail").click();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByRole("link", { name: "Back to writing" }).click();

  await expect(pageOf(page)).toContainText("The cable tray", { timeout: 20_000 });
  await page.getByRole("button", { name: "Publish version 1" }).click();
  await dialog.getByRole("button", { name: "Publish version 1" }).click();
  await expect(page.getByText("Version 1 published")).toBeVisible({ timeout: 20_000 });
  await context.close();

  await app.admin.call(courses.assign, { params: { id }, body: { companyIds: [app.company.id] } });
  const learner = await addLearner(app, "Lea Reader");
  const reader = await openAs(browser, learner, `${app.url}/launch/${app.company.id}/${id}`);
  await expect(reader.page.getByText("Check the harness on the ground.")).toBeVisible({ timeout: 30_000 });
  await expect(reader.page.getByRole("img", { name: "A harness with a chest ring" })).toBeVisible();
  await reader.context.close();
});

test("what is written without a connection is sent when the lesson is opened again", async ({ browser, app }) => {
  test.setTimeout(120_000);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  const id = await writeCourse(page, app.url, "Kept words");
  await saved(page);
  await page.route("**/api/lesson-drafts/*/updates", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await pageOf(page).click();
  await page.keyboard.type("Not a word is lost.");
  await expect(page.getByText("No connection.", { exact: false })).toBeVisible({ timeout: 20_000 });
  await page.close();
  const again = await context.newPage();
  await again.goto(`${app.url}/courses/${id}/edit`);
  await expect(pageOf(again)).toContainText("Not a word is lost.", { timeout: 20_000 });
  await saved(again);
  await again.reload();
  await expect(pageOf(again)).toContainText("Not a word is lost.", { timeout: 20_000 });
  await context.close();
});

test(
  "nothing is published, shown or exported without words that cannot be sent",
  { tag: "@long" },
  async ({ browser, app }) => {
    test.setTimeout(120_000);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await expect(page).toHaveURL(/dashboard/);
    await writeCourse(page, app.url, "Last words");
    await saved(page);
    const write = "**/api/lesson-drafts/*/updates";
    await page.route(write, (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
    await pageOf(page).click();
    await page.keyboard.type("The last words.");
    const notSaved = page.getByText("Your last changes are not saved yet", { exact: false });
    await page.getByRole("link", { name: "Preview" }).click();
    await expect(notSaved).toBeVisible({ timeout: 20_000 });
    await expect(page).toHaveURL(/\/edit/);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: /^Export/ }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Your last changes are not saved yet", { exact: false })).toBeVisible({
      timeout: 20_000,
    });
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Publish version 1" }).click();
    await expect(dialog.getByText("Your last changes are not saved yet", { exact: false })).toBeVisible({
      timeout: 20_000,
    });
    await expect(dialog.getByRole("button", { name: "Publish version 1" })).toBeHidden();
    await page.unroute(write);
    await dialog.getByRole("button", { name: "Try again" }).click();
    await dialog.getByRole("button", { name: "Publish version 1" }).click();
    await expect(page.getByText("Version 1 published")).toBeVisible({ timeout: 20_000 });
    await context.close();
  },
);

test(
  "two authors in the same paragraph keep both words, and undo only their own",
  { tag: "@long" },
  async ({ browser, app }) => {
    test.setTimeout(120_000);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await expect(page).toHaveURL(/dashboard/);
    const id = await writeCourse(page, app.url, "Two at once");
    await pageOf(page).click();
    await page.keyboard.type("Middle");
    await saved(page);
    const second = await context.newPage();
    await second.goto(`${app.url}/courses/${id}/edit`);
    await expect(pageOf(second)).toContainText("Middle", { timeout: 20_000 });
    await pageOf(second).click();
    await second.keyboard.press("Control+Home");
    await second.keyboard.type("Start ");
    await page.bringToFront();
    await page.keyboard.press("End");
    await page.keyboard.type(" end");
    for (const one of [page, second]) {
      await one.bringToFront();
      await expect(pageOf(one)).toContainText("Start Middle end", { timeout: 20_000 });
    }
    await second.keyboard.press("Control+z");
    await expect(pageOf(second)).toContainText("Middle end");
    await expect(pageOf(second)).not.toContainText("Start");
    await context.close();
  },
);

test("text from a word processor keeps its structure and no scripts", async ({ browser, app }) => {
  test.setTimeout(120_000);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  await writeCourse(page, app.url, "Pasted");
  const alerts: string[] = [];
  page.on("dialog", (alert) => (alerts.push(alert.message()), void alert.dismiss()));
  await pageOf(page).click();
  const paste = (html: string) =>
    pageOf(page).evaluate((element, content) => {
      const data = new DataTransfer();
      data.setData("text/html", content);
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, html);
  await paste(`<h1 style="color:red">Fall protection</h1>
    <p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Straps</p>
    <p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o</span>Chest</p>
    <table><tr><th>Place</th><th>kN</th></tr><tr><td><p>Ring</p></td><td>12</td></tr></table>
    <p onclick="alert(1)">See <a href="https://example.com/norm">the norm</a> and
    <a href="javascript:alert(2)">this</a> <img src=x onerror="alert(3)"><b>now</b><script>alert(4)</script></p>`);
  const text = pageOf(page);
  await expect(text.getByRole("heading", { level: 2, name: "Fall protection" })).toBeVisible();
  await expect(text.locator("li[data-depth='1']")).toHaveText("Chest");
  await expect(text.locator("td")).toHaveText(["Place", "kN", "Ring", "12"]);
  await expect(text.locator("a[href^='https']")).toHaveText("the norm");
  await expect(text.locator("a[href^='javascript'], script, [onclick], [style*='red']")).toHaveCount(0);
  await expect(text.locator("strong")).toHaveText("now");
  // As a word processor writes it: 5 KB for each sentence, 2 MB in all.
  const style = `mso-style-name:"${"x".repeat(4900)}"`;
  const long = Array.from({ length: 400 }, (_, n) => `<p class=MsoNormal style='${style}'>Sentence ${n}.</p>`);
  await paste(long.join("\n"));
  await expect(text).toContainText("Sentence 399.", { timeout: 60_000 });
  await saved(page);
  expect(alerts).toEqual([]);
  await context.close();
});
