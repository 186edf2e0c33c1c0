import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { addBot, addDocument, addModel, ask, field, openChat } from "./chatFixture.ts";
import { setColorScheme } from "./layout.ts";
import { addLearner, expect, test } from "./server.ts";

// Conversations with chatbots: answers with sources, lost connections, limits, and hostile answers

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const HANDBOOK = `# Holidays

Every employee has thirty days of paid holiday a year. Ask for them four weeks before they begin.

# Sick leave

Tell your manager before nine in the morning when you are ill.`;
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at} `);
const shoot = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png` }) : null;

test("a cited answer on a phone, left in mid-answer, goes on at a desk", async ({ browser, app }) => {
  const { provider, connectorId } = await addModel(app, "Model of the tutor");
  const documentId = await addDocument(app, "Handbook", HANDBOOK);
  const bot = await addBot(app, "Tutor Tea", {
    connectorId,
    documentIds: [documentId],
    greeting: "Ask me about the handbook.",
    quickReplies: ["How many days of paid holiday do I have?"],
  });
  const learner = await addLearner(app);
  const address = `${app.url}/chatbot/${bot.id}`;
  const { page: phone, context } = await openChat(browser, address, learner, PHONE);
  await expect(phone.getByText("You are writing to an AI.")).toBeVisible();
  await expectAccessible(phone, "empty chat");
  await shoot(phone, "phone-empty");
  provider.next({ text: ["You have **thirty ", "days** a year ", "[1]."] });
  await phone.getByRole("button", { name: "How many days of paid holiday do I have?" }).tap();
  const source = phone.getByRole("button", { name: "Source 1: Handbook" });
  await expect(source).toBeVisible();
  await shoot(phone, "phone-answer");
  await source.tap();
  await expect(phone.getByRole("dialog", { name: "Sources" }).locator("mark")).toContainText("thirty days");
  await expectAccessible(phone, "sources");
  await shoot(phone, "phone-sources");
  await phone.keyboard.press("Escape");
  await expect(source).toBeFocused();
  provider.next({ text: words(150), delay: 40 });
  await field(phone, "Tutor Tea").fill("Tell me more");
  await phone.getByRole("button", { name: "Send" }).tap();
  await expect(phone.getByText("word3", { exact: false }).first()).toBeVisible();
  await shoot(phone, "phone-stream");
  await context.close();

  const { page: desk, context: later } = await openChat(browser, address, learner);
  await expect(desk.getByText("Tell me more")).toBeVisible();
  await expect(desk.getByRole("button", { name: "Stop the answer" })).toBeVisible();
  await shoot(desk, "desk-stream");
  const region = desk.getByRole("region", { name: "Conversation" });
  await expect(region).toContainText(words(150).join("").trim());
  await desk.getByRole("button", { name: "Answer again" }).click();
  await expect(desk.getByText("2 of 2")).toBeVisible();
  await expect(region).toContainText("One, two, three, four, five.");
  await desk.getByRole("button", { name: "Previous version" }).click();
  await expect(region).toContainText("word149");
  await desk.keyboard.press("Escape");
  await field(desk, "Tutor Tea").focus();
  await desk.keyboard.press("ArrowUp");
  await expect(field(desk, "Tutor Tea")).toHaveValue("Tell me more");
  await ask(desk, "Tutor Tea", "Tell me less");
  await expect(region).toContainText("Tell me less");
  await expect(region).not.toContainText("Tell me more");
  await shoot(desk, "desk-branch");
  await desk.getByRole("button", { name: "Not helpful" }).last().click();
  await desk.getByRole("button", { name: "Unclear" }).click();
  await shoot(desk, "desk-rating");
  await desk.getByRole("button", { name: "Send", exact: true }).first().click();
  await expect(desk.getByText("Feedback saved")).toBeVisible();
  await expectAccessible(desk, "conversation");
  await desk.getByRole("button", { name: "Earlier conversations" }).click();
  const history = desk.getByRole("dialog", { name: "Earlier conversations" });
  await history.getByRole("searchbox").fill("thirty");
  await expect(history.getByRole("button", { name: /How many days of paid holiday/ }).first()).toBeVisible();
  await expectAccessible(desk, "history");
  await shoot(desk, "desk-history");
  await desk.keyboard.press("Escape");
  await setColorScheme(desk, "dark");
  await expectAccessible(desk, "conversation in dark", ["color-contrast"]);
  await shoot(desk, "desk-dark");
  await later.close();
  await provider.stop();
});

test(
  "a reply that is older than a message sent meanwhile does not hide it",
  { tag: "@long" },
  async ({ browser, app }) => {
    const { provider, connectorId } = await addModel(app, "Slow reader");
    const bot = await addBot(app, "Tunnel", { connectorId });
    const { page, context } = await openChat(browser, `${app.url}/chatbot/${bot.id}`, await addLearner(app));
    const region = page.getByRole("region", { name: "Conversation" });
    await ask(page, "Tunnel", "First");
    await expect(region).toContainText("One, two, three, four, five.");
    await context.setOffline(true);
    await ask(page, "Tunnel", "Second");
    await expect(page.getByText("You are offline. Your message is kept here")).toBeVisible();
    let deliver = () => {};
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    let reads = 0;
    await page.route(/\/api\/conversations\/[\w-]{36}$/, async (route) => {
      if (route.request().method() !== "GET" || reads++ > 0) return route.continue();
      const response = await route.fetch();
      await delivered;
      await route.fulfill({ response });
    });
    await context.setOffline(false);
    const answers = region.getByText("One, two, three, four, five.");
    await expect(answers).toHaveCount(2);
    expect(reads).toBe(1);
    deliver();
    await expect.poll(() => reads).toBe(2);
    await expect(region).toContainText("Second");
    await expect(answers).toHaveCount(2);
    await context.close();
    await provider.stop();
  },
);

test("a message written offline is sent once, and an answer goes on at its last word", async ({ browser, app }) => {
  const { provider, connectorId } = await addModel(app, "Model of the train");
  const before = provider.chats().length;
  const bot = await addBot(app, "Train", { connectorId });
  const learner = await addLearner(app);
  const { page, context } = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner);
  const region = page.getByRole("region", { name: "Conversation" });
  provider.next({ text: words(120), delay: 40 });
  await ask(page, "Train", "Count");
  await expect(region).toContainText("word5");
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole("region", { name: "Conversation" })).toContainText("word5");
  await other.close();
  // A reload in mid-answer shows it growing.
  await page.reload();
  await expect(region).toContainText("word9");
  await expect(page.getByRole("button", { name: "Stop the answer" })).toBeVisible();
  await expect(region).toContainText(words(120).join("").trim());
  await context.setOffline(true);
  await ask(page, "Train", "Are you there?");
  await expect(page.getByText("You are offline. Your message is kept here")).toBeVisible();
  await expectAccessible(page, "offline");
  await shoot(page, "desk-offline");
  await context.setOffline(false);
  await expect(region).toContainText("One, two, three, four, five.");
  await expect(page.getByText("You are offline.")).toBeHidden();
  expect(provider.chats()).toHaveLength(before + 2);
  provider.next({ text: ["Half ", "an answer ", "only"], cutAfter: 2 });
  await ask(page, "Train", "Break off");
  await expect(page.getByText("The answer broke off here.")).toBeInViewport({ ratio: 1 });
  await expect(region).toContainText("Half an answer");
  await shoot(page, "desk-cut");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("2 of 2")).toBeVisible();
  provider.next({ status: 500 }, { status: 500 }, { status: 500 }, { status: 500 });
  await ask(page, "Train", "Fail");
  await expect(page.getByText("Train could not answer.")).toBeVisible();
  await expectAccessible(page, "failed");
  await shoot(page, "desk-failed");
  await context.close();
  await provider.stop();
});

test("a guest writes until the limit and reads the words of the admin", async ({ browser, app }) => {
  const documentId = await addDocument(app, "Programme", "# Doors\n\nThe doors open at half past eight.");
  const limits = { perPerson: 1, text: "Enough for today. Write to events@norrvik.example." };
  const bot = await addBot(app, "Event guide", { access: "public", documentIds: [documentId], limits });
  const inside = await addBot(app, "For staff", { documentIds: [documentId] });
  const { page, context } = await openChat(browser, `${app.url}/chatbot/${bot.id}`, null, PHONE);
  await expect(page.getByText("This is not a language model. It quotes documents.")).toBeVisible();
  await ask(page, "Event guide", "When do the doors open?");
  await expect(page.getByRole("region", { name: "Conversation" })).toContainText("half past eight");
  await ask(page, "Event guide", "And when do they close?");
  await expect(page.getByText("Enough for today. Write to events@norrvik.example.")).toBeVisible();
  await expectAccessible(page, "limit");
  await shoot(page, "phone-limit");
  await page.reload();
  await expect(page.getByRole("region", { name: "Conversation" })).toContainText("half past eight");
  await page.goto(`${app.url}/chatbot/${inside.id}`);
  await expect(page.getByRole("heading", { name: "This chatbot is not public" })).toBeVisible();
  await shoot(page, "phone-closed");
  await page.goto(`${app.url}/chatbot/${bot.id}?embed=1`);
  await expect(page.getByRole("heading", { name: "Event guide" })).toBeVisible();
  await context.close();
});

test("a guest who writes a lot proves work without noticing it", { tag: "@long" }, async ({ browser, app }) => {
  const documentId = await addDocument(app, "Opening hours", "# Doors\n\nThe doors open at half past eight.");
  const bot = await addBot(app, "Door guide", { access: "public", documentIds: [documentId] });
  const { page, context } = await openChat(browser, `${app.url}/chatbot/${bot.id}`, null, PHONE);
  const workers: string[] = [];
  page.on("worker", (worker) => workers.push(worker.url()));
  const statuses: number[] = [];
  page.on("response", (reply) => reply.url().endsWith("/turns") && statuses.push(reply.status()));
  for (let at = 1; at <= 12; at++) {
    await ask(page, "Door guide", `When do the doors open on day ${at}?`);
    await expect.poll(() => statuses.filter((status) => status === 200).length, { timeout: 20_000 }).toBe(at);
    await expect(page.getByRole("button", { name: "Stop the answer" })).toBeHidden();
  }
  expect(statuses).toContain(429);
  expect(workers.some((url) => url.includes("proofOfWork"))).toBe(true);
  await expect(page.getByText("Many messages have come")).toHaveCount(0);
  await shoot(page, "phone-proved");
  await context.close();
});

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=//evil.example/x onerror=alert(1)>",
  "![x](https://evil.example/pixel.png)",
  "[open](javascript:alert(1))",
  "<iframe src=//evil.example></iframe>",
  "<svg onload=alert(1)>",
  "[site](https://evil.example/page)",
].join("\n\n");

test("a screen reader hears whole sentences once; hostile answers load nothing", async ({ browser, app }) => {
  const { provider, connectorId } = await addModel(app, "Model of the voice");
  const bot = await addBot(app, "Voice", { connectorId });
  const learner = await addLearner(app);
  const { page, context } = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner);
  const foreign: string[] = [];
  const dialogs: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(app.url) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
  });
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await expect(field(page, "Voice")).toBeFocused();
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) {
          const element = node.parentElement?.closest('[aria-live="polite"]');
          if (element && node.textContent) heard.push(node.textContent);
        }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  provider.next({
    text: ["The lo", "ck keeps **peo", "ple** away. It does not ", "prove any", "thing! Ask", " me"],
    delay: 60,
  });
  await page.keyboard.type("What does the lock do?");
  await page.keyboard.press("Enter");
  const region = page.getByRole("region", { name: "Conversation" });
  await expect(region).toContainText("Ask me");
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { heard: string[] }).heard))
    .toEqual(["Voice: The lock keeps people away.", "It does not prove anything!", "Ask me"]);
  provider.next({ text: [HOSTILE] });
  await ask(page, "Voice", "Attack");
  const link = region.getByRole("link", { name: "site" });
  await expect(link).toHaveAttribute("rel", "noopener noreferrer nofollow");
  await expect(region.locator("script, img, iframe, svg[onload], a[href^='javascript']")).toHaveCount(0);
  await expectAccessible(page, "hostile answer");
  await shoot(page, "desk-hostile");
  expect([foreign, dialogs]).toEqual([[], []]);
  await context.close();
  await provider.stop();
});
