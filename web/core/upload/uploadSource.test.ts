import { expect, test } from "vitest";
import { toFile, uploadPathFor } from "#web/core/upload/uploadSource.ts";

test("creates the same file from bytes, blobs and text of every format", async () => {
  const sources = [
    new TextEncoder().encode("Hello?>"),
    new Blob(["Hello?>"], { type: "text/plain" }),
    { text: "Hello?>", format: "raw" },
    { text: "SGVsbG8/Pg==", format: "base64" },
    { text: "SGVsbG8_Pg", format: "base64url" },
    { text: "data:text/plain,Hello%3F>", format: "data_url" },
  ] as const;
  const files = sources.map((source) => toFile(source, "a.txt"));
  expect(await Promise.all(files.map((file) => file.text()))).toEqual(sources.map(() => "Hello?>"));
  expect(files.map(({ name, type }) => [name, type].join())).toEqual([
    "a.txt,",
    "a.txt,text/plain",
    "a.txt,",
    "a.txt,",
    "a.txt,",
    "a.txt,text/plain",
  ]);
  expect(() => toFile({ text: "a_/b", format: "base64" }, "a")).toThrow("belongs to base64url");
});

test.each([
  ["lockout v3.zip", "lockout v3.zip"],
  ["50%25 off.zip", "50-25 off.zip"],
  ["a/b\\c.zip", "a-b-c.zip"],
  ["..", "file"],
  ["", "file"],
  [".", "file"],
  ["Übung №1 (neu).zip", "Übung -1 (neu).zip"],
  ["a\u202egpj.zip", "a-gpj.zip"],
  ["\ud800.zip", "-.zip"],
  ["研修.zip", "研修.zip"],
  [`${"x".repeat(250)}.zip`, `${"x".repeat(120)}.zip`],
])("%j is stored as %j", (name, last) => {
  expect(uploadPathFor("course", name, "r")).toBe(`course/r/${last}`);
});
