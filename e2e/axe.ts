import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { waitForAnimations } from "./layout.ts";
import { expect } from "./server.ts";

/** Asserts that a page has no serious accessibility violations of `rules` (default: all); `name` identifies it in failures. */
export async function expectAccessible(page: Page, name: string, rules?: string[]) {
  // A dialog that is half faded in has too little contrast.
  await waitForAnimations(page);
  const axe = new AxeBuilder({ page }).exclude("iframe");
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  expect([
    name,
    violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`),
  ]).toEqual([name, []]);
}
