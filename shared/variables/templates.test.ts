import { expect, test } from "vitest";
import { keysOfTemplate, parseTemplate, renderTemplate, type TemplateValue } from "#shared/variables/templates.ts";

const options = { target: "plain", notAvailable: "not available", booleans: ["yes", "no"] } as const;
const value = (value: TemplateValue["value"], type: TemplateValue["type"] = "text", unit = ""): TemplateValue => ({
  value,
  type,
  unit,
});

test("splits a template into texts and placeholders without losing a character", () => {
  expect(parseTemplate("Hi {{learner.name}}, {{ mood | calm }}.")).toEqual([
    { text: "Hi " },
    { placeholder: { key: "learner.name", fallback: null } },
    { text: ", " },
    { placeholder: { key: "mood", fallback: "calm" } },
    { text: "." },
  ]);
  for (const text of ["{{ }}", "{{1a}}", "{{A}}", "{mood}", "{{mood", "{{a}b}}"])
    expect(parseTemplate(text)).toEqual([{ text }]);
  expect(keysOfTemplate("{{a}} {{b}} {{a}}")).toEqual(["a", "b"]);
});

test("puts in values as people read them, and names the missing ones", () => {
  const values = new Map([
    ["n", value(1234.5, "number", "kg")],
    ["d", value("2026-03-29", "date")],
    ["t", value(3909, "duration")],
    ["yes", value(true, "boolean")],
    ["many", value(["a", "b"], "multi")],
    ["empty", value("")],
  ]);
  const { text, missing } = renderTemplate(
    "{{n}}; {{d}}; {{t}}; {{yes}}; {{many}}; {{empty}}; {{no|—}}",
    values,
    options,
  );
  expect(text).toBe("1,234.5 kg; 29 March 2026; 1:05:09; yes; a, b; not available; —");
  expect(missing).toEqual(["empty"]);
});

test("a value is neither a template nor markup", () => {
  const values = new Map([["a", value('{{b}} <img src=x onerror="alert(1)"> [x](javascript:1)\n# Title')]]);
  expect(renderTemplate("{{a}}", values, options).text).toContain("{{b}}");
  const html = renderTemplate("<p>{{a}}</p>", values, { ...options, target: "html" }).text;
  expect(html).toContain("<p>{{b}} &lt;img");
  const markdown = renderTemplate("{{a}}", values, { ...options, target: "markdown" }).text;
  expect(markdown).not.toMatch(/(^|[^\\])[<[#]/);
  expect(markdown).not.toContain("\n");
});

test("reads a template of nothing but braces and blanks as text", () => {
  for (const text of ["{{".repeat(50_000), `{{${" ".repeat(99_000)}`, `{{a|${"x".repeat(99_000)}`])
    expect(parseTemplate(text)).toEqual([{ text }]);
});
