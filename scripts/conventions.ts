import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { bannedTexts } from "./_bannedTexts.ts";

/**
 * The conventions that no compiler holds, as `npm run check` counts them: line length, cycles of imports with
 * types, titles of tests, words that CONTRIBUTING.md bans, left and right in styles, and expressions that texts on
 * screen must not contain. Prints a table, and each place that breaks a rule; warns of files and folders that are
 * nearly full. test/structure.test.ts enforces the limits themselves.
 */

const root = join(import.meta.dirname, "..");
const MAX_LINE = 120;
const MAX_TITLE = 80;
const MAX_FILE_LINES = 300;
const MAX_FOLDER_FILES = 32;
/** From this share of a limit on, a file or folder is named. */
const NEARLY_FULL = 0.9;
/** Words that were translated rather than written. */
const BANNED = /\b((?<!Be )whoever|whomever|whosoever|mend(s|ed|ing)?|(is|are|was) heard of|by whatever way)\b/i;

const walk = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [relative(root, path)];
  });
const filesIn = (...folders: string[]) => folders.flatMap((folder) => walk(join(root, folder)));
const sourceOf = (path: string) => readFileSync(join(root, path), "utf8");
const isGenerated = (path: string) => path.endsWith("db.types.ts");

const product = filesIn("server", "web", "shared").filter((path) => /\.(ts|tsx|css)$/.test(path) && !isGenerated(path));
const code = [...product, ...filesIn("test", "e2e", "bench", "scripts").filter((path) => /\.(ts|js)$/.test(path))];
const pages = ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/operations.md", "docs/privacy.md"];
const texts = [...code, ...pages];

type Place = { path: string; line: number; what: string };
const eachLine = (paths: string[], find: (line: string) => string | null): Place[] =>
  paths.flatMap((path) =>
    sourceOf(path)
      .split("\n")
      .flatMap((text, index) => {
        const what = find(text);
        return what === null ? [] : [{ path, line: index + 1, what }];
      }),
  );

const longLines = eachLine(product, (line) => (line.length > MAX_LINE ? `${line.length} characters` : null));

const longTitles = eachLine(
  code.filter((path) => /\.(test|spec)\.tsx?$/.test(path)),
  (line) => {
    const [, title = ""] = /^\s*(?:\]\)|test(?:\.\w+)*)\(\s*["'`](.*?)["'`]\s*(?:,|$)/.exec(line) ?? [];
    return title.length > MAX_TITLE ? `${title.length} characters` : null;
  },
);

const bannedWords = eachLine(
  texts.filter((path) => path !== "scripts/conventions.ts"),
  (line) => BANNED.exec(line)?.[0] ?? null,
);

/** Layouts use start and end, so that they also work from right to left. */
const PHYSICAL = /^\s*((margin|padding|border)-(left|right)[a-z-]*:|(left|right):|(float|text-align): (left|right))/;
const physicalProperties = eachLine(
  product.filter((path) => path.endsWith(".css")),
  (line) => PHYSICAL.exec(line)?.[1] ?? null,
);

/** The text of a line `"key": "text"` of a file of texts. */
const textOf = (line: string) => /^\s*"[^"]*":\s*"(.*)",?$/.exec(line)?.[1] ?? "";
const bannedPhrases = eachLine(
  filesIn("shared/locales").filter((path) => path.endsWith(".json")),
  (line) => {
    const text = textOf(line);
    const [, instead] = bannedTexts.find(([banned]) => banned.test(text)) ?? [];
    return instead === undefined ? null : `“${text}”; write: ${instead}`;
  },
);

/** Groups of files that import each other in a circle, types included: the strongly connected components (Tarjan). */
function findCycles() {
  const modules = product.filter((path) => /\.tsx?$/.test(path) && !/\.(test|probes)\.tsx?$/.test(path));
  const existing = new Set(modules);
  const importsOf = (path: string) =>
    [...sourceOf(path).matchAll(/(?:from|import)\s*\(?\s*["']([#.][^"']+)["']/g)]
      .map(([, to = ""]) => (to.startsWith("#") ? to.slice(1) : relative(root, join(root, dirname(path), to))))
      .filter((to) => existing.has(to));
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (path: string) => {
    index.set(path, index.size);
    low.set(path, index.get(path) as number);
    stack.push(path);
    for (const to of importsOf(path)) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(path, Math.min(low.get(path) as number, low.get(to) as number));
    }
    if (low.get(path) !== index.get(path)) return;
    const members = stack.splice(stack.indexOf(path));
    if (members.length > 1) cycles.push(members.toSorted());
  };
  for (const path of modules) if (!index.has(path)) visit(path);
  return cycles;
}
const cycles = findCycles();

const rules: [string, Place[]][] = [
  [`lines over ${MAX_LINE} characters`, longLines],
  [
    "cycles of imports, types included",
    cycles.map((files) => ({ path: files[0] ?? "", line: 1, what: files.join(", ") })),
  ],
  [`test titles over ${MAX_TITLE} characters`, longTitles],
  ["banned words", bannedWords],
  ["left and right in styles", physicalProperties],
  ["banned words and phrases on screen", bannedPhrases],
];
for (const [name, places] of rules) console.log(`${String(places.length).padStart(5)}  ${name}`);
for (const [name, places] of rules)
  for (const { path, line, what } of places.slice(0, 30)) console.error(`${path}:${line}: ${name}: ${what}`);

for (const path of code.filter((one) => !isGenerated(one))) {
  const lines = sourceOf(path).split("\n").length - 1;
  if (lines >= MAX_FILE_LINES * NEARLY_FULL) console.log(`nearly full: ${path}, ${lines} of ${MAX_FILE_LINES} lines`);
}
const folders = Map.groupBy(
  product.filter((path) => !/\.test\.tsx?$/.test(path) && !path.endsWith(".css")),
  (path) => dirname(path),
);
for (const [folder, files] of folders)
  if (files.length >= MAX_FOLDER_FILES * NEARLY_FULL)
    console.log(`nearly full: ${folder}, ${files.length} of ${MAX_FOLDER_FILES} files`);

if (rules.some(([, places]) => places.length > 0)) process.exit(1);
