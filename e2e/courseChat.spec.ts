import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { addBot, addDocument, ask } from "./chatFixture.ts";
import { expectAccessible } from "./axe.ts";
import { variablePackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, saved, test } from "./server.ts";

// Chatbots beside a course, and on pages of others

const GUIDE = "# Locks\n\nThe lock keeps people from switching the machine on.";

test("a learner asks beside a running course, with the keyboard", async ({ browser, app }) => {
  const course = await addCourse(app, variablePackage());
  const documentId = await addDocument(app, "Guide", GUIDE);
  await addBot(app, "Mira", { access: "course", courseIds: [course.id], documentIds: [documentId] });
  const second = await addBot(app, "Nora", {
    access: "course",
    courseIds: [course.id],
    pedagogy: "scene",
    scene: [
      {
        id: "start",
        says: "You wanted to see me?",
        choices: [
          { label: "Say what I saw", to: "end" },
          { label: "Blame", to: "start" },
        ],
      },
      { id: "end", says: "I see. Let us plan.", reachesGoal: true },
    ],
  });
  const learner = await addLearner(app);
  const { page, context } = await openAs(browser, learner, `${app.url}/courses/${course.id}`);
  await page.getByRole("link", { name: "Mira" }).click();
  await expect(page.getByRole("heading", { name: "Mira" })).toBeVisible();
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page).toHaveURL(`${app.url}/courses/${course.id}`);
  await page.goto(course.launch);
  await expect(content(page).locator("body")).not.toBeEmpty();
  await saved(page);
  const button = page.getByRole("button", { name: "Chatbots" });
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("Alt+m");
  await expect(page.getByRole("heading", { name: "Mira" })).toBeVisible();
  await ask(page, "Mira", "What does the lock keep people from?");
  await expect(page.getByRole("region", { name: "Conversation" })).toContainText("switching the machine on");
  await expectAccessible(page, "chat beside a course");
  if (process.env.SHOTS) {
    await page.screenshot({ path: `${process.env.SHOTS}/course.png` });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.screenshot({ path: `${process.env.SHOTS}/course-phone.png` });
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: "Mira" })).toBeHidden();
  await expect(page.locator('iframe[title="Course content"]')).toBeFocused();
  const shell = page.frames().find((frame) => frame.parentFrame() === page.mainFrame());
  await shell?.evaluate(
    (id) => (window as unknown as { Lyceum: { openChat: (id: string) => void } }).Lyceum.openChat(id),
    second.id,
  );
  await expect(page.getByRole("heading", { name: "Nora" })).toBeVisible();
  await expect(page.getByText("It follows a script.")).toBeVisible();
  await page.getByRole("button", { name: "Blame" }).click();
  const region = page.getByRole("region", { name: "Conversation" });
  await expect(region.getByText("You wanted to see me?")).toHaveCount(2);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/scene.png` });
  await page.getByRole("button", { name: "Say what I saw" }).click();
  await expect(page.getByText("You have reached the goal. This conversation has ended.")).toBeVisible();
  await expectAccessible(page, "end of a scene");
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/scene-end.png` });
  await page.getByRole("button", { name: "New conversation" }).last().click();
  await expect(page.getByRole("button", { name: "Say what I saw" })).toBeVisible();
  await button.click();
  await page.getByRole("menuitem", { name: "Mira" }).click();
  await expect(page.getByRole("heading", { name: "Mira" })).toBeVisible();
  await context.close();
});

test("a page of an allowed origin embeds a public chatbot, others get no frame", async ({ browser, app }) => {
  let chatbotId = "";
  const site = createServer((_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(
      `<!doctype html>
          <title>Shop</title>
          <h1>Shop</h1>
          <script src="${app.url}/embed.js" data-chatbot="${chatbotId}" data-label="Ask us" async></script>`,
    ),
  );
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const documentIds = [await addDocument(app, "Shop guide", GUIDE)];
  const allowed = await addBot(app, "Shop bot", { access: "public", documentIds, allowedOrigins: [origin] });
  const other = await addBot(app, "Other bot", { access: "public", documentIds });
  const context = await browser.newContext();
  const page = await context.newPage();
  chatbotId = allowed.id;
  await page.goto(origin);
  await page.getByRole("button", { name: "Ask us" }).click();
  const chat = page.frameLocator('iframe[title="Ask us"]');
  await chat.getByRole("textbox", { name: "Write to Shop bot" }).fill("What does the lock keep people from?");
  await chat.getByRole("button", { name: "Send" }).click();
  await expect(chat.getByRole("region", { name: "Conversation" })).toContainText("switching the machine on");
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/embed.png` });
  await chat.getByRole("button", { name: "Close" }).click();
  await expect(page.locator("iframe")).toBeHidden();
  await expect(page.getByRole("button", { name: "Ask us" })).toBeFocused();
  chatbotId = other.id;
  const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.goto(origin);
  await page.getByRole("button", { name: "Ask us" }).click();
  await refused;
  await context.close();
  await new Promise((resolve) => site.close(resolve));
});
