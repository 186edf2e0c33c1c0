import { chromium } from "@playwright/test";
import { findChromium } from "#test/chromium.ts";
const browser = await chromium.launch({ executablePath: (await findChromium()) ?? "", args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: "http://localhost:3400" });
const page = await context.newPage();
await page.goto("/login");
await page.getByRole("button", { name: "Reject All" }).click({ timeout: 5000 }).catch(() => {});
await page.getByLabel("Email").fill("learner@example.com");
await page.getByLabel("Password", { exact: true }).fill("harbour-lantern-42");
await page.getByRole("button", { name: "Login", exact: true }).click();
await page.waitForURL(/my-courses/);
await page.waitForTimeout(2500); const hrefs = await page.locator("a[href^=\"/launch\"]").evaluateAll((a: any[]) => a.map((x) => x.getAttribute("href")));
console.log(hrefs.slice(0, 3));
const state = await context.storageState();
for (const path of [hrefs.find((h: string) => h?.startsWith("/launch")) as string]) {
  const cold = await (await browser.newContext({ storageState: state, baseURL: "http://localhost:3400" })).newPage();
  const all: [number, string][] = [];
  const waits: Promise<void>[] = [];
  cold.on("requestfinished", (r) => waits.push(r.sizes().then((s) => void all.push([s.responseBodySize, r.url().replace(/.*\/(assets\/)?/, "")]))));
  await cold.goto(path); await cold.waitForLoadState("networkidle"); await Promise.all(waits);
  console.log(path, all.reduce((s, [n]) => s + n, 0));
  for (const [n, u] of all.toSorted((a, b) => b[0] - a[0]).slice(0, 45)) console.log(n, u.slice(0, 60));
}
await browser.close();
