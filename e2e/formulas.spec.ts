import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { addBot, addModel, ask, openChat } from "./chatFixture.ts";
import { expectNoHorizontalScroll, setColorScheme } from "./layout.ts";
import { addLearner, expect, test } from "./server.ts";

// Formulas in answers

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const shoot = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png` }) : null;

const ANSWER = [
  "The energy at rest is $E = mc^2$, where \\(c\\) is the speed of light and $a_1 * b_2 * c_3$ stays one formula.\n\n",
  "$$\n\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}\n$$\n\n",
  "\\[ \\left(\\sum_{i=1}^{n} x_i y_i\\right)^2 \\le \\left(\\sum_{i=1}^{n} x_i^2\\right) ",
  "\\left(\\sum_{i=1}^{n} y_i^2\\right) + \\lambda_1 + \\lambda_2 + \\lambda_3 \\]\n\n",
  "| Mean | Variance |\n| --- | --- |\n| $\\mu$ | $\\sigma^2$ |\n\n",
  "It costs $5 today and $10 tomorrow, and `$x$` is code.",
];
const HOSTILE = [
  "$\\href{javascript:alert(1)}{press}$",
  "$\\includegraphics{https://evil.example/x.png}$",
  "$\\htmlStyle{position:fixed;background:url(https://evil.example/y)}{z}$",
  "$\\def\\a{\\a\\a}\\a$",
  "$\\rule{5000em}{5000em}$",
  "$<img src=//evil.example/i onerror=alert(2)>+1$",
  "$\\frac{1}{$",
].join("\n\n");

test(
  "an answer with formulas is drawn on a phone and at a desk, in light and dark",
  { tag: "@long" },
  async ({ browser, app }) => {
    const { provider, connectorId } = await addModel(app, "Model of the maths tutor");
    const bot = await addBot(app, "Maths tutor", { connectorId });
    const learner = await addLearner(app);
    const address = `${app.url}/chatbot/${bot.id}`;
    const { page, context } = await openChat(browser, address, learner, PHONE);
    const chunks: string[] = [];
    page.on("request", (request) => /Formula-|KaTeX/.test(request.url()) && chunks.push(request.url()));
    await ask(page, "Maths tutor", "Hello");
    const region = page.getByRole("region", { name: "Conversation" });
    await expect(region).toContainText("One, two, three");
    expect(chunks).toEqual([]);
    provider.next({ text: ANSWER, delay: 40 });
    await ask(page, "Maths tutor", "Show me formulas");
    await expect(page.locator(".katex-display")).toHaveCount(2);
    await expect(page.locator(".katex")).toHaveCount(7);
    expect(chunks.length).toBeGreaterThan(0);
    await expect(region).toContainText("It costs $5 today and $10 tomorrow, and $x$ is code.");
    await expect(region.locator("math").first()).toHaveCount(1);
    await expect(page.getByRole("button", { name: "Stop the answer" })).toBeHidden();
    await expectNoHorizontalScroll(page, "formulas");
    await expectAccessible(page, "formulas");
    await shoot(page, "phone-formulas");
    await setColorScheme(page, "dark");
    await shoot(page, "phone-formulas-dark");
    await context.close();
    const { page: desk, context: later } = await openChat(browser, address, learner, {
      viewport: { width: 1440, height: 900 },
    });
    await expect(desk.locator(".katex")).toHaveCount(7);
    await shoot(desk, "desk-formulas");
    await setColorScheme(desk, "dark");
    await shoot(desk, "desk-formulas-dark");
    await later.close();
  },
);

test("hostile formulas load, link and cover nothing; broken ones are shown as source", async ({ browser, app }) => {
  const { provider, connectorId } = await addModel(app, "Model of the hostile tutor");
  const bot = await addBot(app, "Hostile tutor", { connectorId });
  const learner = await addLearner(app);
  const { page, context } = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner);
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(app.url) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
  });
  page.on("dialog", (dialog) => {
    foreign.push(dialog.message());
    void dialog.dismiss();
  });
  provider.next({ text: [HOSTILE, "\n\n$x = 1$ and the end"] });
  await ask(page, "Hostile tutor", "Show me");
  const region = page.getByRole("region", { name: "Conversation" });
  await expect(region).toContainText("and the end");
  await expect(region.locator(".katex").last()).toBeVisible();
  await expect(region.locator("code", { hasText: "\\frac{1}{" })).toBeVisible();
  await expect(region.locator("code", { hasText: "\\href" })).toBeVisible();
  await expect(region.locator("a, img, iframe")).toHaveCount(0);
  expect(await region.locator('[style*="fixed"], [style*="url("]').count()).toBe(0);
  const widest = await region.evaluate((node) =>
    Math.max(...[...node.querySelectorAll("*")].map((one) => one.clientHeight)),
  );
  expect(widest).toBeLessThan(4000);
  await expectNoHorizontalScroll(page, "hostile formulas");
  expect(foreign).toEqual([]);
  await shoot(page, "desk-formulas-hostile");
  await context.close();
});
