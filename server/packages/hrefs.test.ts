import { describe, expect, test } from "vitest";
import { buildHref, resolveHref } from "#server/packages/hrefs.ts";

describe("hrefs of the manifest", () => {
  test.each([
    ["", "./a.html", "a.html"],
    ["", "/a.html", "a.html"],
    ["", "x\\a.html", "x/a.html"],
    ["x/", "../a.html", "a.html"],
    ["", "my%20page.html?q=a%20b#c", "my page.html"],
    ["", "100%.html", "100%.html"],
    ["", "u\u0308.html", "ü.html"],
  ])("base “%s” and href “%s” resolve to a file", (base, href, file) =>
    expect(resolveHref(base, href, "Part").paths[0]).toBe(file),
  );
  test.each([
    ["..%2f..%2fetc%2fpasswd", "launchTraversal"],
    ["%2e%2e%2f%2e%2e/etc/passwd", "launchTraversal"],
    ["..\\..\\a.html", "launchTraversal"],
    ["..%5c..%5ca.html", "launchTraversal"],
    ["http://example.com/a.html", "launchElsewhere"],
    ["//example.com/a.html", "launchElsewhere"],
    ["\\\\server\\a.html", "launchElsewhere"],
    ["javascript:alert(1)", "launchAddress"],
    ["file:///etc/passwd", "launchAddress"],
    ["C:\\a.html", "launchAddress"],
    ["a.html%00.txt", "launchAddress"],
    ["?x=1", "launchAddress"],
  ])("rejects %s", (href, code) => {
    expect(() => resolveHref("", href, "Part")).toThrow(
      expect.objectContaining({ finding: expect.objectContaining({ code: `packages.${code}` }) }),
    );
  });
  test.each([
    ["a b#%.html", "", null, "a%20b%23%25.html"],
    ["a.html", "?x=1#y", "?z=2", "a.html?x=1&z=2#y"],
    ["a.html", "", "&z=2", "a.html?z=2"],
    ["a.html", "", "#y", "a.html#y"],
    ["a.html", "#x", "#y", "a.html#x"],
  ])("builds the URL of %s%s with parameters %s", (file, rest, parameters, href) => {
    expect(buildHref(file, resolveHref("", `x${rest}`, ""), parameters)).toBe(href);
  });
});
