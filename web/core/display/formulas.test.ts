import { expect, test } from "vitest";
import { takeFormulas } from "#web/core/display/formulas.ts";

const texOf = (text: string) => takeFormulas(text).formulas.map(({ tex, isBlock }) => (isBlock ? [tex] : tex));

test.each<[string, (string | string[])[]]>([
  ["Energy is $E = mc^2$.", ["E = mc^2"]],
  ["$x$ and $n-1$, \\(a_1 * b_2 * c\\)", ["x", "n-1", "a_1 * b_2 * c"]],
  ["$$\n\\frac{a}{b}\n$$\n\nthen \\[ \\sum_{i} i \\]", [["\\frac{a}{b}"], ["\\sum_{i} i"]]],
  ["($\\alpha$), **$\\beta$**: $\\gamma$-rays", ["\\alpha", "\\beta", "\\gamma"]],
])("finds the formulas of %j", (text, expected) => expect(texOf(text)).toEqual(expected));

test.each([
  "It costs $5 and $10 a month.",
  "Between $5-$10, or 5$ each",
  "US$20 or A$30",
  "\\$x\\$",
  "`$x$` and ``a ` $y^2$``",
  "```tex\n$E = mc^2$\n```",
  "```\n$E = mc^2$ never closed",
  "[a](https://x.example/?$a$b) https://x.example/$a$",
  "$ x = 1 $",
  `$${"x".repeat(3000)}$`,
])("leaves %j as it is", (text) => {
  expect(takeFormulas(text)).toEqual({ text, formulas: [] });
});

test("draws at most 300 formulas of a text", () => {
  expect(takeFormulas("$x$ ".repeat(400)).formulas).toHaveLength(300);
});

test("is fast with what nearly is a formula", () => {
  for (const text of [
    "$".repeat(50_000),
    "\\(".repeat(25_000),
    "\\[".repeat(25_000),
    "`".repeat(50_000),
    "$a".repeat(25_000),
    "~~~\n".repeat(12_000),
  ])
    expect(takeFormulas(text).text.length).toBeLessThanOrEqual(text.length);
}, 20_000);
