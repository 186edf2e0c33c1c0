import { expect, test } from "vitest";
import { readFiles, script } from "#test/packageFolder.ts";

test("names missing files and wrong case, also in styles", async () => {
  const { risk, reading } = await readFiles({
    "a/index.html": `<link rel=stylesheet href="../Style.css"><img alt="" src="pic%20one.png?x=1#y">
<img alt="" src="gone.png"><a href="page.html">next</a><a href="mailto:a@b.c">m</a><img alt="" src="{{x}}.png">`,
    "a/pic one.png": "x",
    "style.css": 'body { background: url("img/back.png") } /* url(old.png) */ p { background: url(data:x) }',
  });
  expect(risk("missing")).toEqual([3, "a/gone.png", "a/page.html", "img/back.png"]);
  expect(risk("wrongCase")).toEqual([1, "style.css"]);
  expect(reading.risks.find(({ code }) => code === "missing")?.places[0]).toEqual({
    file: "a/index.html",
    line: 2,
    column: 1,
  });
});

test("names the hosts that files are loaded from, and those without encryption", async () => {
  const { risk } = await readFiles({
    "index.html": `<script src="//cdn.example.com:443/a.js"></script><iframe src="http://user@video.example.org/x">
</iframe><a href="https://linked.example.net">link</a><link rel="canonical" href="https://canonical.example.net">`,
    "a.css": "@font-face { src: url(https://fonts.example.com/f.woff2) }",
  });
  expect(risk("foreignHosts")).toEqual([3, "cdn.example.com", "video.example.org", "fonts.example.com"]);
  expect(risk("mixedContent")).toEqual([1, "video.example.org"]);
});

test("names calls that have no effect in a frame, only in code", async () => {
  const { risk, reading } = await readFiles({
    "index.html": script(`
// window.close()
window.close(); top.location = 'x'; alert('hi'); my.alert('no'); function confirm() {}
document.domain = 'a'; eval('1'); localStorage.x = 1; navigator.serviceWorker.register('w.js'); window.open('y')`),
  });
  for (const code of ["closesWindow", "leavesFrame", "dialogs", "documentDomain", "evaluates", "storage"] as const)
    expect(risk(code)).toEqual([1, "index.html"]);
  expect(risk("serviceWorker")).toEqual([1, "index.html"]);
  expect(risk("opensWindow")).toEqual([1, "index.html"]);
  expect(reading.risks.find(({ code }) => code === "closesWindow")?.places[0]?.line).toBe(3);
});

test("finds missing captions and alternative texts, and files that browsers do not run", async () => {
  const { risk } = await readFiles({
    "index.html": `<video src="a.mp4"></video><video><source src="b.mp4"><track src="b.vtt"></video>
<img src="a.png"><img src="b.png" alt=""><object classid="java:Applet.class"></object>`,
    "tool.exe": "x",
    "old.swf": "x",
  });
  expect(risk("noCaptions")).toEqual([1]);
  expect(risk("noAltTexts")).toEqual([1]);
  expect(risk("programs")).toEqual([1, "tool.exe"]);
  expect(risk("plugins")).toEqual([2, "old.swf"]);
});

test("weighs what the first page loads, and counts circular references once", async () => {
  const { reading, risk } = await readFiles({
    "index.html": '<iframe src="b.html"></iframe><a href="film.mp4">film</a>',
    "b.html": '<iframe src="index.html"></iframe><img alt="" src="big.png">',
    "big.png": Buffer.alloc(6 * 1024 ** 2),
    "film.mp4": Buffer.alloc(1024),
  });
  expect(reading.firstBytes).toBeGreaterThan(6 * 1024 ** 2);
  expect(reading.firstBytes).toBeLessThan(6 * 1024 ** 2 + 300);
  expect(risk("heavyStart")?.[1]).toBe("big.png");
  expect(reading.videos).toBe(1);
});

test("reads languages of pages and of the manifest", async () => {
  const { reading } = await readFiles({
    "index.html": '<html lang="nb-NO"><meta name="viewport" content="width=device-width"></html>',
    "imsmanifest.xml": '<manifest><langstring xml:lang="en-US">A</langstring><langstring xml:lang="x">B</langstring>',
  });
  expect(reading.languages).toEqual(["nb", "en"]);
  expect(reading.isForPhones).toBe(true);
});
