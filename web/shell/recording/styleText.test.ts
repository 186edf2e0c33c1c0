import { expect, test } from "vitest";
import { mapCssTexts, mapCssUrls, mapSrcset } from "#web/shell/recording/styleText.ts";

const map = (url: string) => (url.startsWith("/files/") ? `kept${url}` : "");

test("style sheets keep mapped URLs, and lose imports, image sets and hidden URLs", () => {
  expect(mapCssUrls(`a { background: url( '/files/a.png' ) } b { cursor: URL(http://x.example/y) }`, map)).toBe(
    `a { background: url("kept/files/a.png") } b { cursor: url("") }`,
  );
  for (const css of [
    `@import "http://x.example/a.css";`,
    `@\\69mport url(http://x.example/a.css);`,
    `a { background: u\\000072l(http://x.example) }`,
    `a { background: -webkit-image-set("http://x.example" 1x) }`,
  ])
    expect(mapCssUrls(css, map)).not.toMatch(/@import|url\("?http|[^-\w]image-set\(/);
  expect(mapCssUrls(`i::before { content: "\\f101" }`, map)).toBe(`i::before { content: "\\f101" }`);
});

test("only quoted texts of a style sheet are changed", () => {
  expect(mapCssTexts(`a::after { content: "red"; color: red; --b: 'red' }`, () => "***")).toBe(
    `a::after { content: "***"; color: red; --b: '***' }`,
  );
});

test("a srcset keeps the candidates that are mapped", () => {
  expect(mapSrcset("/files/a.png 1x, http://x.example/b.png 2x, /files/c.png 3x", map)).toBe(
    "kept/files/a.png 1x, kept/files/c.png 3x",
  );
});
