import { expect, test } from "vitest";
import { isSameRule, toDraft, toRule } from "#web/completionRules/draftRule.ts";
import type { CompletionRule, CompletionTest } from "#shared/courses/completionRules.ts";

const score = (percent: number): CompletionTest => ({ kind: "score", percent });
const variable = (is: "contains" | "equal" | "atLeast", value: string | number | boolean): CompletionTest => ({
  kind: "variable",
  key: "x",
  is,
  value,
});
const rules: CompletionRule[] = [
  { kind: "reported" },
  { match: "all", tests: [score(1), score(2)] },
  { match: "any", tests: [{ match: "all", tests: [score(1), score(2)] }, score(3)] },
  { match: "any", tests: [score(3), { match: "all", tests: [score(1), score(2)] }] },
  { match: "any", tests: [score(1), score(2), { match: "all", tests: [score(3), score(4)] }] },
  { match: "all", tests: [{ match: "any", tests: [score(1), score(2)] }, score(3)] },
  { match: "any", tests: [variable("contains", "05"), variable("equal", "1,5")] },
  variable("atLeast", 4),
];

test.each(rules)("a stored rule is what the editor shows of it (%j)", (rule) => {
  expect(toRule(toDraft(rule))).toEqual(rule);
  expect(isSameRule(rule, rule)).toBe(true);
});

test("what the editor writes otherwise is no change", () => {
  for (const rule of [variable("equal", true), variable("equal", 5), variable("atLeast", "7")]) {
    const shown = toRule(toDraft(rule)) as CompletionRule;
    expect(isSameRule(rule, shown)).toBe(true);
  }
  expect(isSameRule({ kind: "opened" }, { kind: "passed" })).toBe(false);
});
