import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MarkdownText } from "#web/core/display/MarkdownText.tsx";

const html = (text: string, from?: 2 | 3) =>
  renderToStaticMarkup(<MarkdownText {...(from && { from })}>{text}</MarkdownText>)
    .replace(/^<div[^>]*>|<\/div>$/g, "")
    .replaceAll(">\n<", "><");

test("renders the Markdown of an event description", () => {
  expect(html("One **two** _three_\nfour", 3)).toBe("<p>One <strong>two</strong> <em>three</em>\nfour</p>");
  expect(html("## Plan\n- a\n- b\n\n1. c", 3)).toBe("<h3>Plan</h3><ul><li>a</li><li>b</li></ul><ol><li>c</li></ol>");
  expect(html("see https://x.example/a_b_c.", 3)).toContain('href="https://x.example/a_b_c"');
});

test("renders policies with headings from h2, labelled table cells and local links", () => {
  expect(html("# Who we are\n\n## Data")).toBe("<h2>Who we are</h2><h2>Data</h2>");
  expect(html("| What | Days |\n| --- | --- |\n| Name | 30 |")).toMatch(
    /^<table role="table">.*<td data-head="Days" role="cell">30<\/td>/,
  );
  expect(html("[Settings](/privacy-settings) and [us](mailto:a@x.example)")).toContain(
    '<a href="/privacy-settings" rel="noreferrer nofollow">Settings</a> and <a href="mailto:a@x.example"',
  );
});

test.each(["https://x.example", "//x.example/login"])("opens %s in a new window", (href) => {
  expect(html(`[x](${href})`)).toContain(`<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">`);
});

test.each([2, 3] as const)("renders hostile input as text, headings from %i", (from) => {
  for (const text of [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](data:text/html,1)",
    "[x](vbscript:x)",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "![x](https://x.example/p.png)",
    "**<b onclick=1>x</b>**",
    '<a href="javascript:alert(1)">x</a>',
    "<svg onload=alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "- [ ] <input autofocus onfocus=alert(1)>",
    "<iframe src=//x.example>",
    "<style>*{display:none}</style>",
  ])
    expect([text, html(text, from)]).not.toEqual([
      text,
      expect.stringMatching(/<(script|img|b |iframe|svg|input|style)|href="(javascript|data|vbscript)/i),
    ]);
});

test("parses a long line of markup characters quickly", () => {
  const begin = performance.now();
  html("*_`[".repeat(2500));
  expect(performance.now() - begin).toBeLessThan(2000);
});
