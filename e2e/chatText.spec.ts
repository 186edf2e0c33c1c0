import { addBot, addModel, field, openChat } from "./chatFixture.ts";
import { addLearner, expect, test } from "./server.ts";

// How the messages of a chat look: direction, code and tables

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test("text in another direction, code and tables are readable on a phone", async ({ browser, app }) => {
  const { provider, connectorId } = await addModel(app, "Model of the east");
  const bot = await addBot(app, "Tutor Dalal", { connectorId });
  const { page, context } = await openChat(browser, `${app.url}/chatbot/${bot.id}`, await addLearner(app), PHONE);
  const arabic = "لا.\n\n- نعم";
  provider.next({
    text: [`${arabic}\n\n| Step | Do |\n|---|---|\n| 1 | Stop |\n\n`, "```\nconst a = 1;\n```"],
    delay: 600,
  });
  const composer = field(page, "Tutor Dalal");
  const height = async () => (await composer.boundingBox())?.height ?? 0;
  const before = await height();
  await composer.fill("لا.");
  await page.getByRole("button", { name: "Send" }).tap();
  await expect(page.getByRole("button", { name: "Stop the answer" })).toBeVisible();
  const code = page.locator("pre");
  await expect(code).toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
  expect(await height()).toBe(before);

  const region = page.getByRole("region", { name: "Conversation" });
  /** Whether the full stop stands to the left of the first letter, as in a text from right to left. */
  const isRightToLeft = (at: number) =>
    region
      .getByText("لا.")
      .nth(at)
      .evaluate(({ lastChild }) => {
        const leftOf = (from: number) => {
          const range = document.createRange();
          range.setStart(lastChild as Text, from);
          range.setEnd(lastChild as Text, from + 1);
          return range.getBoundingClientRect().left;
        };
        return leftOf(2) < leftOf(0);
      });
  expect([await isRightToLeft(0), await isRightToLeft(1)]).toEqual([true, true]);
  const look = (selector: string, name: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
  expect(await look("li:has-text('نعم')", "direction")).toBe("rtl");
  const bubble = await code.evaluate(
    (element) => getComputedStyle(element.parentElement?.parentElement as Element).backgroundColor,
  );
  expect(await look("pre", "background-color")).not.toBe(bubble);
  expect(
    await page
      .locator("td")
      .first()
      .evaluate((cell) => getComputedStyle(cell, "::before").content),
  ).toBe('"Step"');
  await context.close();
});
