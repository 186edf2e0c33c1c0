import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { packageLimits } from "#shared/packages/packages.ts";
import { scormCourse, buildZip, scormPage, type Entry } from "#test/packages.ts";
import { checkPackage } from "#server/packages/unpacking.ts";
import { withArchive } from "#server/packages/zip.ts";

const folder = await mkdtemp(join(tmpdir(), "packages-"));
afterAll(() => rm(folder, { recursive: true }));
const save = async (bytes: Buffer, name = "course.zip") => {
  await writeFile(join(folder, name), bytes);
  return join(folder, name);
};
const check = async (entries: Entry[], changeEnd?: (end: Buffer) => void) =>
  checkPackage(await save(buildZip(entries, changeEnd)));
const codeOf = async (entries: Entry[], changeEnd?: (end: Buffer) => void) =>
  (await check(entries, changeEnd)).error?.code;
const warningsOf = async (entries: Entry[]) => (await check(entries)).warnings.map((warning) => warning.code);

describe("unsafe and damaged archives", () => {
  test.each<[string, Buffer, string]>([
    ["an empty file", Buffer.alloc(0), "emptyFile"],
    ["text", Buffer.from("hello, I am no archive at all"), "notAZip"],
    ["RAR", Buffer.from("Rar!\x1a\x07\x01\x00 and so on"), "otherFormat"],
    ["no entries", buildZip([]), "emptyArchive"],
    ["only junk", buildZip([{ name: "__MACOSX/._a" }, { name: "x/.DS_Store" }]), "emptyArchive"],
    ["a truncated archive", buildZip(scormCourse).subarray(0, 400), "truncated"],
    ["trailing bytes", Buffer.concat([buildZip(scormCourse), Buffer.from("x")]), "extraBytes"],
    ["a split archive", buildZip(scormCourse, (end) => end.writeUInt16LE(1, 4)), "splitArchive"],
    ["a wrong directory offset", buildZip(scormCourse, (end) => end.writeUInt32LE(7, 16)), "damagedList"],
    ["more files than declared", buildZip(scormCourse, (end) => end.writeUInt16LE(1, 10)), "hiddenFiles"],
  ])("rejects: %s", async (_, bytes, code) => {
    expect((await checkPackage(await save(bytes))).error?.code).toBe(`packages.${code}`);
  });

  test.each<[string, Entry, string]>([
    ["traversal", { name: "../../evil.txt" }, "pathTraversal"],
    ["traversal within", { name: "a/../../evil.txt" }, "pathTraversal"],
    ["traversal with backslashes", { name: "..\\..\\evil.txt" }, "pathTraversal"],
    ["traversal among the junk", { name: "__MACOSX/../../._evil" }, "pathTraversal"],
    ["absolute", { name: "/etc/passwd" }, "absolutePath"],
    ["absolute with backslash", { name: "\\etc\\passwd" }, "absolutePath"],
    ["drive letter", { name: "C:\\evil.txt" }, "absolutePath"],
    ["NUL", { name: "a.txt\0.html" }, "badName"],
    ["control character", { name: "a\x1b[2J.txt" }, "badName"],
    ["long path", { name: `${"a/".repeat(20)}${"x".repeat(220)}` }, "longPath"],
    ["deep path", { name: `${"a/".repeat(50)}x` }, "deepPath"],
    ["symbolic link", { name: "link", data: "/etc/passwd", mode: 0o120777 }, "symlink"],
    ["symbolic link declared as DOS", { name: "link", data: "/etc", mode: 0o120777, host: 0 }, "symlink"],
    ["device", { name: "dev", mode: 0o020666 }, "specialFile"],
    ["password", { name: "a.txt", data: "x", flags: 0x801 }, "encrypted"],
    ["strong encryption", { name: "a.txt", data: "x", flags: 0x841 }, "encrypted"],
    ["Deflate64", { name: "a.txt", data: "x", method: 9 }, "compression"],
    ["duplicate", { name: "index.html", data: "other" }, "duplicate"],
    ["duplicate by backslash", { name: ".\\index.html", data: "other" }, "duplicate"],
    ["file as folder", { name: "index.html/x.js" }, "fileAndFolder"],
    ["larger than stated", { name: "a.txt", data: "x".repeat(500), size: 100 }, "sizeMismatch"],
    ["larger than stated, streamed", { name: "a.txt", data: Buffer.alloc(3e6, "ab"), size: 3e5 }, "sizeMismatch"],
    ["smaller than stated", { name: "a.txt", data: "x", size: 100 }, "sizeMismatch"],
    ["stored, larger than stated", { name: "a.txt", data: "xxxx", stored: true, size: 2 }, "sizeMismatch"],
    ["wrong checksum", { name: "a.txt", data: "x", crc: 1 }, "wrongChecksum"],
    ["damaged data", { name: "a.txt", data: "not deflated", stored: true, method: 8 }, "damagedFile"],
    ["data outside of the archive", { name: "a.txt", data: "x", compressed: 1e6 }, "damagedFile"],
    ["shared data", { name: "a.txt", data: scormPage.data, offset: 0 }, "overlap"],
    ["bomb", { name: "bomb", data: Buffer.alloc(11 * 1024 ** 2) }, "bombFile"],
  ])("rejects an entry: %s", async (_, entry, code) => {
    const report = await check([...scormCourse, entry]);
    expect(report.error?.code).toBe(`packages.${code}`);
    expect(report.error?.sentence).not.toMatch(/\{\{|undefined|\p{Cc}/u);
  });

  test("treats composed and decomposed letters as the same name", async () => {
    expect(await codeOf([...scormCourse, { name: "u\u0308.js" }, { name: "\u00fc.js" }])).toBe("packages.duplicate");
  });
  test("warns about names that differ only in case", async () => {
    expect(await warningsOf([...scormCourse, { name: "Index.html" }])).toEqual(["packages.similarNames"]);
  });
  test("limits the total ratio and the total size", async () => {
    const small = deflateRawSync(Buffer.alloc(9e6));
    const many = Array.from({ length: 40 }, (_, i) => ({
      name: `${i}`,
      data: small,
      stored: true,
      method: 8,
      size: 9e6,
    }));
    expect(await codeOf([...scormCourse, ...many])).toBe("packages.bombArchive");
    const huge = (i: number) => ({ name: `${i}`, data: Buffer.alloc(2e7), stored: true, method: 8, size: 3e9 });
    expect(await codeOf([...scormCourse, huge(1), huge(2)])).toBe("packages.tooMuchData");
  });
  test("never yields more bytes than stated", async () => {
    const path = await save(buildZip([{ name: "a.txt", data: Buffer.alloc(3e6, "ab"), size: 3e5 }]));
    let bytes = 0;
    const reading = withArchive(path, "a.zip", async (archive) => {
      for (const file of archive.files) for await (const chunk of archive.read(file)) bytes += chunk.length;
    });
    await expect(reading).rejects.toThrow("differs from the size");
    expect(bytes).toBeLessThanOrEqual(3e5);
  });
  test("does not open folders and devices", async () => {
    for (const path of [folder, "/dev/zero"]) expect((await checkPackage(path)).error?.code).toBe("packages.notAFile");
  });
  test("rejects too many entries without reading them", async () => {
    const path = await save(buildZip(Array.from({ length: 60_000 }, (_, i) => ({ name: `${i}.txt`, stored: true }))));
    const start = performance.now();
    expect((await checkPackage(path)).error?.code).toBe("packages.tooManyFiles");
    expect(performance.now() - start).toBeLessThan(1000);
    expect(packageLimits.entries).toBeLessThan(60_000);
  });
});
