import type { Page } from "@playwright/test";
import { answerMeanwhile } from "#test/answering.ts";
import { scaled } from "#test/long.ts";
import { ADMIN } from "#test/process.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { killableBrowser } from "./killableBrowser.ts";
import { expect, signIn, test } from "./server.ts";

// Two authors write in one lesson and learners answer, while the server, its database and the browsers are killed

const ROUNDS = scaled(2, 100);
const LEARNERS = scaled(3, 20);
/** The age from which a word that was not acknowledged is kept by its browser, in ms (docs/benchmarks.md). */
const PROMISED_MS = 1000;
/** Authors pause after so many words until they are saved, for so long at most, in ms. */
const WORDS_BEFORE_PAUSE = 6;
const PAUSE_MS = 5000;
const VICTIMS = ["server", "first browser", "database", "second browser"] as const;
const textOf = (page: Page) => page.getByRole("textbox", { name: /^Text of/ });

/** An author in a browser of their own, who writes numbered words. */
function createAuthor(letter: string, address: string) {
  const browser = killableBrowser();
  let page: Page | null = null;
  let isWriting = false;
  let writing = Promise.resolve();
  let count = 0;
  /** When each word was typed, by the word. */
  const typed = new Map<string, number>();
  /** Words that stood in the text while the page said that it was saved. */
  const acknowledged = new Set<string>();

  const open = async () => {
    page = await browser.open();
    await page.goto(address);
    const login = page.getByRole("main").getByRole("link", { name: "Login" });
    await expect(login.or(textOf(page))).toBeVisible({ timeout: 30_000 });
    if (await login.isVisible()) {
      await login.click();
      await signIn(page, ADMIN);
      await expect(page).not.toHaveURL(/login/);
      await page.goto(address);
    }
    await expect(textOf(page)).toBeVisible({ timeout: 30_000 });
    return page;
  };
  /** The text, once the page says that all of it is saved; empty if that takes longer than a pause. */
  const readSaved = (one: Page) =>
    one
      .waitForFunction(
        () =>
          document.querySelector("[role=status][data-phase=saved]") &&
          document.querySelector("[role=textbox][aria-multiline]")?.textContent,
        null,
        { timeout: PAUSE_MS },
      )
      .then(
        (text) => text.jsonValue(),
        () => "",
      );
  const readAcknowledged = async () => {
    const text = (await readSaved(page!)) ?? "";
    for (const [found] of text.matchAll(new RegExp(`${letter}\\d+(?= )`, "g"))) acknowledged.add(found);
  };
  const write = async (one: Page) => {
    await textOf(one).click();
    await textOf(one)
      .locator("p", { hasText: `Words of ${letter}:` })
      .evaluate((paragraph) => getSelection()?.collapse(paragraph, paragraph.childNodes.length));
    while (isWriting) {
      const word = `${letter}${++count}`;
      await one.keyboard.type(`${word} `);
      typed.set(word, Date.now());
      await one.waitForTimeout(20 + Math.random() * 80);
      if (count % WORDS_BEFORE_PAUSE !== 0) continue;
      await readAcknowledged();
    }
  };
  return {
    typed,
    acknowledged,
    readAcknowledged,
    open,
    page: () => page!,
    startWriting() {
      isWriting = true;
      // A killed browser ends it.
      writing = write(page!).catch(() => {});
    },
    async stopWriting() {
      isWriting = false;
      await writing;
    },
    /** Kills the browser; words that must survive, although no server had acknowledged them. */
    async kill() {
      const killedAt = browser.kill();
      await browser.ended();
      await this.stopWriting();
      return [...typed].filter(([, at]) => killedAt - at > PROMISED_MS).map(([word]) => word);
    },
    async remove() {
      await browser.close();
      browser.remove();
    },
  };
}

test("no word of two authors is lost when servers and browsers are killed", async ({ app }) => {
  test.setTimeout(180_000 + ROUNDS * 30_000);
  const { admin } = app;
  const draft = await admin.call(drafts.create, { body: { title: "Working at heights", language: "en" } });
  const address = `${app.url}/courses/${draft.id}/edit`;
  const authors = [createAuthor("a", address), createAuthor("b", address)];
  const answering = await answerMeanwhile(app, { learners: LEARNERS, pauseMs: scaled(300, 1500) });
  const kept = new Set<string>();
  /** How many words of each author were acknowledged before the first kill. */
  const before: number[] = [];
  for (const author of authors) await author.open();
  await textOf(authors[0]!.page()).click();
  await authors[0]!.page().keyboard.type("Words of a: ");
  await authors[0]!.page().keyboard.press("Enter");
  await authors[0]!.page().keyboard.type("Words of b: ");
  await expect(textOf(authors[1]!.page())).toContainText("Words of b:");
  for (let round = 0; round < ROUNDS; round++) {
    const victim = VICTIMS[round % VICTIMS.length]!;
    for (const author of authors) author.startWriting();
    if (round === 0)
      for (const { acknowledged } of authors) {
        await expect.poll(() => acknowledged.size, { timeout: 30_000 }).toBeGreaterThanOrEqual(WORDS_BEFORE_PAUSE);
        before.push(acknowledged.size);
      }
    await authors[0]!.page().waitForTimeout(1000 + Math.random() * 2000);
    if (victim === "server") {
      await app.kill();
      await app.start();
    } else if (victim === "database") process.kill(app.postgresPid(), "SIGKILL");
    else {
      const author = authors[victim === "first browser" ? 0 : 1]!;
      for (const word of await author.kill()) kept.add(word);
      await author.open();
    }
    await Promise.all(authors.map((author) => author.stopWriting()));
    console.log(
      JSON.stringify({ round, victim, typed: authors.map((author) => [author.typed.size, author.acknowledged.size]) }),
    );
  }

  const saved = (page: Page) =>
    expect(page.locator("[role=status][data-phase=saved]")).toBeVisible({ timeout: 60_000 });
  for (const [at, author] of authors.entries()) {
    await saved(author.page());
    await author.readAcknowledged();
    expect(author.acknowledged.size).toBeGreaterThan(before[at] as number);
  }
  await Promise.all(authors.map((author) => author.remove()));
  const reader = createAuthor("c", address);
  const page = await reader.open();
  await saved(page);
  const text = (await textOf(page).textContent()) ?? "";
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/[ab]\d+(?= )/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  await reader.remove();

  const missing = (words: Iterable<string>) => [...words].filter((word) => !counts.has(word));
  for (const author of authors) expect(missing(author.acknowledged)).toEqual([]);
  expect(missing(kept)).toEqual([]);
  expect([...counts].filter(([, times]) => times > 1)).toEqual([]);
  for (const { answered, acknowledged, held, stored, results, expected } of await answering.stop()) {
    expect(held).toBe(0);
    expect(answered).toBeGreaterThanOrEqual(acknowledged);
    expect(stored).toBe(answered);
    expect(results).toEqual(expected);
  }
});
