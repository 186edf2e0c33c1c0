import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./server.ts";

/** Fails when a screen reader would meet something serious; `name` says where. */
export async function serious(page: Page, name: string) {
  const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
  expect([
    name,
    violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`),
  ]).toEqual([name, []]);
}
