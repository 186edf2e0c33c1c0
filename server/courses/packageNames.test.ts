import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { MAX_PACKAGE_NAMES, readPackageNames } from "#server/courses/packageNames.ts";

// The names of variables in the files of packages; the files follow the vendors' documentation of published output

const namesIn = async (contents: Record<string, string>) =>
  (await readNames(contents)).map(({ path, title }) => (title ? `${path} ${title}` : path));
async function readNames(contents: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-names-"));
  try {
    for (const [path, text] of Object.entries(contents)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const files = Object.entries(contents).map(([path, text]) => ({ path, size: Buffer.byteLength(text) }));
    return await readPackageNames(folder, files);
  } finally {
    await rm(folder, { recursive: true });
  }
}
const storylineData = (data: object) =>
  `window.globalProvideData('data', '${JSON.stringify(data).replaceAll("\\", "\\\\").replaceAll("'", "\\'")}');`;

test("Storyline: variables of the project and of its JavaScript triggers", async () => {
  const names = [
    "SelfRating",
    'What I\'d "do"',
    "_private",
    "CurrentQuiz_1",
    "ReviewMode_2",
    "LastSlideViewed_62voLKkyAR3",
    "AnsweredInt_62voLKkyAR3",
    "DisableChoices_62voLKkyAR3",
    "PrintPrompt.Name",
    "QuizAdvanceModeWarningShown",
    "x_RetryModeInteractionIncompleteOnLoad",
  ];
  const data = {
    playervars: [{ kind: "playervar", name: "menuProgress", value: 0 }],
    variables: names.map((name) => ({ kind: "variable", name, value: 'say "[', objects: [{ id: "]" }] })),
    scenes: [{ name: "Scene" }],
  };
  const user =
    "window.Script1 = function() { var player = GetPlayer(); player.SetVar(\"Mood\", player.GetVar('SelfRating')) }";
  expect(
    await namesIn({ "sub/html5/data/js/data.js": storylineData(data), "sub/story_content/user.js": user }),
  ).toEqual(["storyline[SelfRating]", 'storyline[What I\'d "do"]', "storyline[Mood]"]);
});

test("Storyline: initial values of variables, if the package states them unambiguously", async () => {
  const initialsIn = async (contents: Record<string, string>) =>
    (await readNames(contents)).map(({ path, initial }) => [path.slice("storyline[".length, -1), initial]);
  const variable = (name: string, value: unknown) => ({ kind: "variable", name, type: "any", value, resume: true });
  const data = {
    variables: [
      variable("Rating", 0),
      variable("Ready", false),
      variable("Name", 'Say "it\'s" ]'),
      variable("Long", "x".repeat(501)),
      variable("Object", { kind: "random" }),
      variable("None", null),
      variable("Nul", "a\u0000"),
      ...Array.from({ length: 110 }, (_, n) => variable(`Text${n}`, "y".repeat(500))),
    ],
  };
  const initials = await initialsIn({ "html5/data/js/data.js": storylineData(data) });
  expect(initials.slice(0, 7)).toEqual([
    ["Rating", 0],
    ["Ready", false],
    ["Name", 'Say "it\'s" ]'],
    ["Long", undefined],
    ["Object", undefined],
    ["None", undefined],
    ["Nul", undefined],
  ]);
  // At most 50,000 characters of initial values per package.
  expect(initials.filter(([name, initial]) => String(name).startsWith("Text") && initial !== undefined)).toHaveLength(
    99,
  );
  const part = (value: unknown) => storylineData({ variables: [variable("Rating", value), variable("Same", 1)] });
  expect(await initialsIn({ "a/html5/data/js/data.js": part(1), "b/html5/data/js/data.js": part(2) })).toEqual([
    ["Rating", undefined],
    ["Same", 1],
  ]);
});

test("Captivate: variables of the author, not those of the system", async () => {
  const script =
    'cp.vm.addVarInfo("v_rating",15,false,false);cp.vm.addVarInfo("cpInfoCurrentSlide",0,true);' +
    'x.getVariableValue("v_mood")';
  expect(await namesIn({ "assets/js/CPM.js": script })).toEqual(["captivate[v_rating]", "captivate[v_mood]"]);
});

test("H5P: the results of the content and of the content within it, by their titles", async () => {
  const content = {
    questions: [
      { library: "H5P.MultiChoice 1.16", subContentId: "2f9b1a5e", metadata: { title: "Who  knows\u0007?" } },
      { params: { subContentId: 7, deep: [{ subContentId: "3c" }] } },
    ],
  };
  const names = await namesIn({
    "h5p/h5p.json": '{"title":"Quiz"}',
    "h5p/content/content.json": JSON.stringify(content),
  });
  expect(names).toHaveLength(15);
  expect(names.filter((name) => name.includes(".score"))).toEqual([
    "h5p[main].score Quiz",
    "h5p[2f9b1a5e].score Who knows ?",
    "h5p[3c].score",
  ]);
});

test("a package without these tools has no names, nor has one whose files are broken", async () => {
  expect(await namesIn({ "index.html": "GetVar('x')", "content/content.json": '{"subContentId":"a"}' })).toEqual([]);
  expect(
    await namesIn({
      "h5p.json": "{",
      "content/content.json": "null",
      "html5/data/js/data.js": '"variables":[{"name":"',
    }),
  ).toEqual([]);
});

test("lists a limited number of limited names of hostile files in linear time", async () => {
  const many = Array.from({ length: 5000 }, (_, n) => ({ name: `v${n}` }));
  const hostile = [{ name: "a".repeat(101) }, { name: "line\nbreak" }, { name: "nul\u0000" }];
  expect(await namesIn({ "html5/data/js/data.js": storylineData({ variables: [...hostile, ...many] }) })).toHaveLength(
    MAX_PACKAGE_NAMES,
  );
  const megabytes = 4 * 1024 ** 2;
  const repeated = (text: string) => text.repeat(megabytes / text.length);
  for (const text of ['"variables":[', '"name":"\\', "addVarInfo( ", 'GetVar("', '"variables" '.padEnd(5000)])
    expect(await namesIn({ "html5/data/js/data.js": repeated(text), "assets/js/CPM.js": repeated(text) })).toEqual([]);
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}{"subContentId":"in"}${"}".repeat(depth)}`;
  for (const content of [
    { lists: Array.from({ length: 10 }, () => Array(90_000).fill(1)), last: { subContentId: "in" } },
    [...Array<number>(900_000).fill(1), { subContentId: "in" }],
    [...Array.from({ length: 600_000 }, () => ({})), { subContentId: "in" }],
    nested(300_000),
  ]) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    expect(text.length).toBeLessThan(2 * 1024 ** 2);
    expect(await namesIn({ "h5p.json": "{}", "content/content.json": text })).toHaveLength(10);
  }
  const broken = { "h5p.json": "[".repeat(1024 ** 2), "content/content.json": '{"a":'.repeat(300_000) };
  expect(await namesIn(broken)).toEqual([]);
}, 60_000);

test("eight times the content takes about eight times the work", async () => {
  const shapes: ((size: number) => string)[] = [
    (size) => JSON.stringify([...Array.from({ length: size * 10 }, () => ({})), { subContentId: "in" }]),
    (size) =>
      JSON.stringify({
        lists: Array.from({ length: 10 }, () => Array.from({ length: size }, () => [])),
        last: { subContentId: "in" },
      }),
    (size) => `${'{"a":'.repeat(size * 5)}{"subContentId":"in"}${"}".repeat(size * 5)}`,
  ];
  for (const shape of shapes) {
    /** Processor time in ms, which does not depend on other load. */
    const measure = async (content: string) => {
      const times: number[] = [];
      for (let round = 0; round < 3; round++) {
        const started = process.threadCpuUsage();
        expect(await namesIn({ "h5p.json": "{}", "content/content.json": content })).toHaveLength(10);
        const { user, system } = process.threadCpuUsage(started);
        times.push((user + system) / 1000);
      }
      return Math.min(...times);
    };
    const [small, large] = [await measure(shape(6000)), await measure(shape(48_000))];
    // Writing and finding the files takes the same time in both; a quadratic reader takes 64 times as long.
    expect(large).toBeLessThan(small * 24 + 200);
  }
}, 60_000);
