import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "#server/packages/doctor/limits.ts";
import { readPackage } from "#server/packages/doctor/reading.ts";
import { readMarkup } from "#server/packages/doctor/markup.ts";
import { listCalls, scanScript } from "#server/packages/doctor/script.ts";
import { packageFolder, readFiles, unit } from "#test/packageFolder.ts";

const MEBI = 1024 ** 2;
/** At 2 MB, quadratic time becomes minutes and exceeds the time limit of the test. */
const long = (piece: string, bytes = 2 * MEBI) => piece.repeat(Math.ceil(bytes / piece.length));

test.each([
  ["one huge line", `x=1;${long("a=b+c;")}API.LMSSetValue("cmi.core.score.raw",1)`],
  ["quotes that are never closed", long(`"'\``)],
  ["slashes", long("/=/*/")],
  ["expressions that are never closed", long("=/[")],
  ["expressions after brackets", long(")/[")],
  ["words before slashes", long("return/x")],
  ["names of elements", long('"cmi.location",')],
  ["open brackets", long("set(((((")],
  ["names before brackets", long("a.b.c.d.e.f.g.h.i(")],
  ["spaces before calls", long(`f(${" ".repeat(500)}"cmi.x"`)],
  ["half a driver", long("Rustici Software ")],
  ["tags that are never closed", long('<img src="a" ')],
  ["attributes without end", `<p ${long("a='b' ")}`],
  ["comments that are never closed", long("<!-- ")],
  ["addresses", long("url( url( ")],
  ["settings without end", `__DRIVER_CONFIG__${long("{")}`],
  ["lone surrogates and controls", long("\ud800\u202e\u0007<a href='\u202egpj.exe'>")],
])("reads %s", async (_, text) => {
  const { reading } = await readFiles({ "index.html": `<script>${text}</script>${text}`, "a.js": text, "a.css": text });
  expect(reading.signals).toHaveLength(7);
  expect(JSON.stringify(reading)).not.toMatch(/[\u202e\ud800]/);
  expect(JSON.stringify(reading).length).toBeLessThan(40_000);
});

test("blanking comments and strings keeps every offset", () => {
  const text = 'a("x", `y\n${z}`); // b("c")\n/* d */ e = /"[/]"/; f("g")';
  const { code } = scanScript(text);
  expect(code).toHaveLength(text.length);
  expect(code.split("\n")).toHaveLength(3);
  expect(listCalls(scanScript(text)).map(({ name, first }) => `${name} ${first}`)).toEqual(["a x", "f g"]);
  const page = readMarkup('<p onclick="a()">\n<script>b()</script>');
  expect(page.code).toBe("            a(); \n        b()");
});

test("ignores a picture that is named like a script", async () => {
  const { reading, of } = await readFiles({
    "index.html": "<script src=a.js></script>",
    "a.js": Buffer.from('\0\x01\x02API.LMSInitialize(""); API.LMSSetValue("cmi.core.score.raw", 1)'),
  });
  expect(of("score")).toBe("no noRunTime");
  expect(reading.isWhole).toBe(true);
});

test("reads UTF-16 and invalid UTF-8", async () => {
  const code = 'API.LMSInitialize(""); API.LMSSetValue("cmi.core.score.raw", 1)';
  const wide = await readFiles({ "index.html": Buffer.from(`\ufeff<script>${code}</script>`, "utf16le") });
  expect(wide.of("score")).toBe("yes calls");
  const broken = Buffer.concat([Buffer.from([0xc3, 0x28, 0xff]), Buffer.from(`<script>${code}</script>`)]);
  expect((await readFiles({ "index.html": broken })).of("score")).toBe("yes calls");
});

test("leaves out links, and says so if folders or texts exceed the limits", async () => {
  const folder = await packageFolder({ "index.html": "<p>Hi</p>" });
  await symlink("/etc/passwd", join(folder, "passwd.js"));
  await symlink(folder, join(folder, "circle"));
  const linked = await readPackage(folder, { kind: "scorm12", parts: [unit("index.html")] });
  expect(linked).toMatchObject({ files: 1, isWhole: true });
  const deep = Array.from({ length: limits.folders + 3 }, () => "d").join("/");
  await mkdir(join(folder, deep), { recursive: true });
  await writeFile(join(folder, deep, "x.js"), "x");
  expect(await readPackage(folder, { kind: "scorm12", parts: [unit("index.html")] })).toMatchObject({
    files: 1,
    isWhole: false,
  });

  const large = { "index.html": "<p>Hi</p>", "large.js": long("a();", limits.textBytes + 4) };
  const { reading, of, risk } = await readFiles(large);
  expect(reading.isWhole).toBe(false);
  expect(of("score")).toBe("unknown notRead");
  expect(risk("notWhole")).toEqual([1]);
});

test("lists at most as many files as an archive may contain", async () => {
  const folder = await packageFolder({ "index.html": "<p>Hi</p>" });
  for (let n = 0; n < 5; n++) {
    await mkdir(join(folder, `f${n}`));
    await Promise.all(Array.from({ length: 4100 }, (_, at) => writeFile(join(folder, `f${n}`, `${at}.txt`), "")));
  }
  const reading = await readPackage(folder, { kind: "html", parts: [unit("index.html", { kind: "html" })] });
  expect(reading).toMatchObject({ files: limits.files, isWhole: false });
});
