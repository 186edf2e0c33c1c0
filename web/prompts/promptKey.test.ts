import { expect, test } from "vitest";
import { suggestPromptKey } from "#web/prompts/promptKey.ts";

test("A name suggests a key of lower-case letters, digits and hyphens", () => {
  expect(suggestPromptKey("Explain it simply")).toBe("explain-it-simply");
  expect(suggestPromptKey("  2. Überprüfe den Plan! ")).toBe("uberprufe-den-plan");
  expect(suggestPromptKey("プロンプト")).toBe("");
});

test("A suggested key has at most 64 characters and no hyphen at its end", () => {
  const key = suggestPromptKey(`${"a".repeat(63)} b`);
  expect(key).toBe("a".repeat(63));
});
