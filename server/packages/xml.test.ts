import { describe, expect, test } from "vitest";
import { buildManifest, oneItem, organizationsXml, parse, rejection } from "#test/packages.ts";

describe("encodings", () => {
  const text = (encoding: string) =>
    buildManifest({
      head: `<?xml version="1.0" encoding="${encoding}"?>`,
      organizations: organizationsXml(oneItem, "Übung – “1”"),
    });
  const swap = (bytes: Buffer) => Buffer.from(bytes).swap16();
  const little = Buffer.from(text("UTF-16"), "utf16le");
  test.each<[string, Buffer]>([
    ["UTF-8", Buffer.from(text("UTF-8"))],
    ["UTF-8 with byte order mark", Buffer.from(`\ufeff${text("utf-8")}`)],
    ["UTF-16 little endian", Buffer.concat([Buffer.from([0xff, 0xfe]), little])],
    ["UTF-16 big endian", Buffer.concat([Buffer.from([0xfe, 0xff]), swap(little)])],
    ["UTF-16 without mark", little],
    ["UTF-16 big endian without mark", swap(little)],
    ["UTF-8 declared as UTF-16", Buffer.from(text("UTF-16"))],
    [
      "Windows-1252",
      Buffer.from(
        text("windows-1252").replace("Ü", "\xdc").replace("–", "\x96").replace("“", "\x93").replace("”", "\x94"),
        "latin1",
      ),
    ],
    [
      "Latin-1, as browsers decode it",
      Buffer.from(
        text("ISO-8859-1").replace("Ü", "\xdc").replace("–", "\x96").replace("“", "\x93").replace("”", "\x94"),
        "latin1",
      ),
    ],
  ])("decodes %s", (_, bytes) => {
    expect(parse(bytes).title).toBe("Übung – “1”");
  });
  test("names the line of invalid bytes", () => {
    const broken = Buffer.from(`<?xml version="1.0"?>\n<!-- \xe9 -->${buildManifest({ head: "" })}`, "latin1");
    expect(rejection(broken)).toEqual([
      "wrongEncoding",
      "imsmanifest.xml is not valid UTF-8: line 2 contains invalid bytes. Save it as UTF-8.",
    ]);
    expect(rejection(Buffer.from(text("klingon")))[0]).toBe("unknownEncoding");
    expect(rejection("")[0]).toBe("manifestEmpty");
    expect(rejection(Buffer.alloc(11 * 1024 ** 2, " "))[0]).toBe("manifestTooLarge");
  });
});

describe("XML", () => {
  test.each([
    ['<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>', "doctype"],
    ['<!doctype m [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>', "doctype"],
    ['<a b="<!--"/><!DOCTYPE x>', "doctype"],
    ["<unclosed>", "malformedXml"],
  ])("rejects %s", (head, code) => expect(rejection(buildManifest({ head }))[0]).toBe(code));
  test("names the line of malformed XML", () => {
    expect(rejection("<manifest>\n<a>\n</manifest>")).toEqual([
      "malformedXml",
      "imsmanifest.xml is not well-formed XML. Line 3: " +
        "Expected closing tag 'a' (opened in line 2, col 1) instead of closing tag 'manifest'.",
    ]);
    expect(rejection("<manifest>\n<a>")[1]).toContain("Line 2: Not closed: <manifest>, <a>.");
    expect(rejection(`${"<a>".repeat(200)}${"</a>".repeat(200)}`)[0]).toBe("malformedXml");
    expect(rejection("<html></html>")).toEqual([
      "notAManifest",
      "imsmanifest.xml is not a SCORM manifest: it begins with <html> instead of <manifest>.",
    ]);
    expect(rejection(buildManifest({ version: "1.1.0" }).replace("ADL SCORM", "IMS Common Cartridge"))[0]).toBe(
      "commonCartridge",
    );
  });
  test("tolerates bare ampersands and undeclared prefixes", () => {
    const bare = organizationsXml(
      '<item identifier="I" identifierref="R" parameters="?a=1&lang=en"><title>Q & A<x:y/></title></item>',
    );
    expect(parse(buildManifest({ organizations: bare }))).toMatchObject({
      items: [{ title: "Q & A", href: "a.html?a=1&lang=en" }],
      warnings: [],
    });
  });
  test("normalizes titles to one line of at most 200 storable characters", () => {
    const titled = (title: string) => parse(buildManifest({ organizations: organizationsXml(oneItem, title) })).title;
    expect(titled("&lt;img src=x onerror=alert(1)&gt;")).toBe("<img src=x onerror=alert(1)>");
    expect(titled("<![CDATA[<b>&amp;</b>]]>")).toBe("<b>&amp;</b>");
    expect(titled("&amp;lt; &#233;&#x1F600;\n\t two\u0001&#0;")).toBe("&lt; é😀 two");
    expect([...(titled("😀".repeat(300)) ?? "")].length).toBe(200);
    expect(titled(" ")).toBeNull();
    const lom = buildManifest({ organizations: organizationsXml(oneItem, "") }).replace(
      "</metadata>",
      "<x:lom><general><title><langstring>From LOM</langstring></title></general></x:lom></metadata>",
    );
    expect(parse(lom).title).toBe("From LOM");
  });
});
