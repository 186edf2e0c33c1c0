import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { services } from "#shared/consent/consentServices.ts";

test("docs/privacy.md names every cookie and store of the browser", () => {
  const text = readFileSync(join(import.meta.dirname, "../docs/privacy.md"), "utf8");
  expect(services.flatMap(({ keys }) => keys).filter((key) => !text.includes(`\`${key}\``))).toEqual([]);
});
