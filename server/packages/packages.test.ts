import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { inspectPackage } from "#server/packages/inspection.ts";
import { scormCourse, buildZip, scormPage, sampleManifest, webPage, type Entry } from "#test/packages.ts";
import { checkPackage, unpackPackage } from "#server/packages/unpacking.ts";

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

test("accepts a SCORM package and a plain web page", async () => {
  expect(await check(scormCourse)).toEqual({
    ok: true,
    kind: "scorm12",
    title: "Golf",
    launch: ["index.html"],
    warnings: [],
    error: null,
  });
  const plain = { ok: true, kind: "html", title: "Tea & <b>cake", launch: ["index.html"], warnings: [], error: null };
  expect(await check([webPage, { name: "a/b.css", data: "x" }])).toEqual({ ...plain, title: "course" });
  expect(await check([{ ...webPage, data: "<title>Tea &amp; cake</title>" }])).toEqual({
    ...plain,
    title: "Tea & cake",
  });
});

describe("format detection", () => {
  const within = (entries: Entry[]) => entries.map((entry) => ({ ...entry, name: `My course/${entry.name}` }));
  test("strips a folder around the whole package", async () => {
    const scorm = await check(within(scormCourse));
    expect(scorm).toMatchObject({ ok: true, launch: ["index.html"], warnings: [{ code: "packages.nestedManifest" }] });
    const plain = await check([{ name: "My course/" }, ...within([webPage])]);
    expect(plain).toMatchObject({ ok: true, launch: ["index.html"], warnings: [{ code: "packages.strippedFolder" }] });
  });
  test("keeps the folder of a manifest that has files beside it", async () => {
    expect(await check([...within(scormCourse), { name: "read me.txt" }])).toMatchObject({
      ok: true,
      launch: ["My%20course/index.html"],
    });
  });
  test.each<[string, string[], string]>([
    ["a broken cmi5.xml", ["cmi5.xml", "index.html"], "malformedXml"],
    ["a broken tincan.xml", ["tincan.xml", "story.html"], "malformedXml"],
    ["AICC", ["a.crs", "a.au", "a.des", "a.cst", "index.html"], "aicc"],
    ["AICC in a folder", ["x/a.crs", "x/index.html"], "aicc"],
    ["H5P", ["h5p.json", "content/content.json"], "h5p"],
    ["one archive", ["course.zip", "readme.txt"], "zipInZip"],
    ["archives", ["a.zip", "b.zip"], "zipsInZip"],
    ["no page", ["slides.pptx"], "noManifest"],
    ["several pages", ["a.html", "b.html"], "severalPages"],
    ["several packages", ["a/imsmanifest.xml", "b/imsmanifest.xml"], "severalPackages"],
    ["deep manifest", ["a/b/imsmanifest.xml", "a/c.txt"], "manifestTooDeep"],
  ])("rejects %s", async (_, names, code) => {
    expect(await codeOf(names.map((name) => ({ name, data: "x" })))).toBe(`packages.${code}`);
  });
  test("finds the start page by its name", async () => {
    const report = await check([{ name: "story.html", data: "x" }, { name: "other.html" }, { name: "js/x.js" }]);
    expect(report).toMatchObject({
      ok: true,
      kind: "html",
      launch: ["story.html"],
      warnings: [{ code: "packages.pageChosen" }],
    });
  });
  test("rejects an empty start page", async () => {
    expect(await codeOf([{ name: "index.html", data: "" }])).toBe("packages.startPageEmpty");
    expect(await codeOf([scormCourse[0] as Entry, { name: "index.html", data: "" }])).toBe("packages.launchFileEmpty");
  });
  test("warns about SCORM calls without manifest, service workers and insecure content", async () => {
    const data =
      '<script src="http://cdn.example/x.js"></script><script>navigator.serviceWorker.register("sw.js")</script>';
    expect(await warningsOf([scormPage, { name: "x.html", data }])).toEqual(
      ["serviceWorker", "insecureAddress", "callsWithoutManifest"].map((code) => `packages.${code}`),
    );
    expect(await warningsOf([scormCourse[0] as Entry, { name: "index.html", data: "hello" }])).toEqual([
      "packages.neverReports",
    ]);
    expect(await codeOf([{ name: "imsmanifest.xml", data: sampleManifest("a.swf") }, { name: "a.swf" }])).toBe(
      "packages.onlyFlash",
    );
  });
  test("decodes backslashes, UTF-8 without its flag, and code page 437", async () => {
    const named = (name: string | Buffer, href: string) =>
      check([
        { name: "imsmanifest.xml", data: sampleManifest(href) },
        { ...scormPage, name, flags: 0 },
      ]);
    expect(await named("sub\\index.html", "sub/index.html")).toMatchObject({ ok: true, launch: ["sub/index.html"] });
    expect(await named("\u00fcber.html", "%C3%BCber.html")).toMatchObject({ ok: true, launch: ["\u00fcber.html"] });
    expect(await named(Buffer.from("\x81ber.html", "latin1"), "\u00fcber.html")).toMatchObject({ ok: true });
    expect(await named("u\u0308ber.html", "\u00fcber.html")).toMatchObject({ ok: true, warnings: [] });
  });
});

describe("unpacking", () => {
  test("writes all files without the top folder, and returns size and checksum", async () => {
    const bytes = buildZip([
      { name: "top/" },
      { name: "top/a/b/c.txt", data: "abc" },
      { name: "top/__MACOSX/x" },
      { ...webPage, name: "top/index.html" },
    ]);
    const path = await save(bytes);
    const target = join(folder, "unpacked");
    const result = await unpackPackage(path, await inspectPackage(path), target);
    expect(result).toEqual({
      files: 2,
      bytes: 3 + webPage.data.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
    expect(readdirSync(target, { recursive: true }).toSorted()).toEqual(["a", "a/b", "a/b/c.txt", "index.html"]);
    expect(await readFile(join(target, "a/b/c.txt"), "utf8")).toBe("abc");
    await expect(unpackPackage(path, await inspectPackage(path), target)).rejects.toThrow("exists");
  });
  test("removes partial files after a failure and after a crash", async () => {
    const path = await save(buildZip([...scormCourse, { name: "z.txt", data: "x".repeat(500), size: 100 }]));
    const target = join(folder, "failed");
    await mkdir(`${target}.part/old`, { recursive: true });
    const error = unpackPackage(path, await inspectPackage(path), target);
    await expect(error).rejects.toMatchObject({
      finding: { code: "packages.sizeMismatch", params: { file: "z.txt" } },
    });
    expect(readdirSync(folder).filter((name) => name.startsWith("failed"))).toEqual([]);
  });
});

test("check-package always prints one line of JSON", async () => {
  const run = (path: string) =>
    new Promise<[number, string, string]>((resolve) => {
      execFile(process.execPath, ["scripts/check-package.ts", path], (error, out, err) =>
        resolve([Number(error?.code ?? 0), out, err]),
      );
    });
  const [code, out] = await run(await save(buildZip(scormCourse)));
  expect([code, JSON.parse(out)]).toEqual([
    0,
    { ok: true, kind: "scorm12", title: "Golf", launch: ["index.html"], warnings: [], error: null },
  ]);
  for (const path of [folder, "/dev/null", join(folder, "none.zip")]) {
    const [status, text, errors] = await run(path);
    expect([status, errors, JSON.parse(text).ok, text.split("\n").length]).toEqual([1, "", false, 2]);
  }
});

const samplesFolder = join(import.meta.dirname, "../../../shared/packages");
describe.runIf(existsSync(samplesFolder))("sample packages outside the repository", () => {
  const accepted = /^(scorm12|scorm2004|adl)\/|broken\/ItemWithNonExistent|hostile\/(evil-|manifest-utf16|xss-title)/;
  const all = existsSync(samplesFolder)
    ? readdirSync(samplesFolder, { recursive: true })
        .map(String)
        .filter((path) => path.endsWith(".zip"))
    : [];
  test.each(all)("%s", async (path) => {
    const report = await checkPackage(join(samplesFolder, path));
    expect([report.ok, report.error?.sentence]).toEqual(
      accepted.test(path) ? [true, undefined] : [false, expect.any(String)],
    );
    if (path.includes("xss-title")) expect(report.title).toBe("<img src=x onerror=alert(1)>");
    if (path.includes("utf16")) expect(report.title).toBe("Ünïcødé");
  });
});
