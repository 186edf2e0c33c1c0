import { chromium } from "@playwright/test";
import { findChromium } from "#test/chromium.ts";

const base = "http://localhost:4731";
const browser = await chromium.launch({ executablePath: (await findChromium()) ?? "" });
const password = "harbour-lantern-42";
const views = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const only = process.argv[2];
for (const [who, email] of [
  ["learner", "learner@example.com"],
  ["manager", "sigrid.berg@norrvik.example"],
  ["admin", "admin@example.com"],
] as const) {
  if (only && only !== who) continue;
  for (const [size, viewport] of Object.entries(views))
    for (const colorScheme of ["light", "dark"] as const) {
      if (colorScheme === "dark" && size === "phone" && who !== "learner") continue;
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      await page.goto(`${base}/login`);
      await page.getByRole("button", { name: "Reject All" }).click().catch(() => {});
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Login", exact: true }).click();
      await page.waitForURL(/my-courses|dashboard/);
      const shot = async (name: string) => {
        await page.waitForLoadState("networkidle");
        await page.waitForTimeout(400);
        await page.screenshot({ path: `/tmp/cat-shots/${who}-${name}-${size}-${colorScheme}.png` });
      };
      if (who === "learner") {
        await page.goto(`${base}/catalogue`);
        await page.getByRole("heading", { name: "Catalogue" }).waitFor();
        await shot("list");
        await page.goto(`${base}/catalogue?q=brids`);
        await shot("nearest");
        await page.goto(`${base}/catalogue?q=zzzzzz`);
        await shot("nothing");
        for (const [name, title] of [["heights", "Working at heights"], ["aid", "First aid refresher"], ["birds", "Birds and power lines"]] as const) {
          await page.goto(`${base}/catalogue`);
          await page.getByRole("link", { name: title }).click();
          await page.getByRole("heading", { name: title }).waitFor();
          await shot(name);
          if (name === "aid" && colorScheme === "light") {
            await page.getByRole("button", { name: /Ask for|Join/ }).click();
            await shot("ask");
          }
        }
      } else if (who === "manager") {
        await page.goto(`${base}/team`);
        await shot("team");
        await page.getByRole("button", { name: /Decline the request/ }).first().click();
        await shot("decline");
      } else {
        await page.goto(`${base}/companies`);
        await page.getByRole("link", { name: "Norrvik Energi" }).first().click();
        await page.waitForURL(/companies\/[0-9a-f-]{36}/);
        await shot("company");
        await page.goto(page.url().replace(/\?.*/, "") + "/catalogue");
        await shot("offers");
        await page.getByText("Requests and waiting lists").last().scrollIntoViewIfNeeded();
        await shot("requests");
        await page.getByRole("button", { name: "Offer course" }).first().click();
        await shot("dialog");
      }
      await context.close();
    }
}
await browser.close();
