import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type Axe from "axe-core";
import { waitForAnimations } from "./layout.ts";
import { expect } from "./server.ts";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * The accessibility violations of `rules` (default: all) on a page, without its frames and tooltips. axe-core runs in
 * the page itself: its package for Playwright opens another page for each run, which takes five times as long.
 */
export async function findViolations(page: Page, rules?: string[]) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  return page.evaluate(async (only) => {
    const { axe } = window as unknown as { axe: typeof Axe };
    const options: Axe.RunOptions = {
      resultTypes: ["violations"],
      ...(only && { runOnly: { type: "rule", values: only } }),
    };
    const { violations } = await axe.run({ exclude: ["iframe", "[role=tooltip]"] }, options);
    return violations.map(({ id, nodes }) => ({
      id,
      targets: nodes.map(({ target }) => target.join(" ")),
    }));
  }, rules);
}

/** Asserts that a page has no accessibility violations of `rules` (default: all); `name` identifies it in failures. */
export async function expectAccessible(page: Page, name: string, rules?: string[]) {
  // A dialog that is half faded in has too little contrast.
  await waitForAnimations(page);
  const violations = await findViolations(page, rules);
  expect([name, violations.map(({ id, targets }) => `${id}: ${targets.join(", ")}`)]).toEqual([name, []]);
}
