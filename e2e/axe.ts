import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./server.ts";

/** Asserts that a page has no serious accessibility violations; `name` identifies it in failures. */
export async function expectAccessible(page: Page, name: string) {
  const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
  expect([
    name,
    violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`),
  ]).toEqual([name, []]);
}
