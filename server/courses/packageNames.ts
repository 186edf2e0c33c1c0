import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackageFile } from "#server/packages/inspection.ts";
import type { PackageName } from "#shared/packages/packages.ts";
import { H5P_MAIN, h5pFields, MAX_TOOL_NAME_CHARS } from "#shared/variables/variablePaths.ts";

// Reads the names of a package's variables from the files of its authoring tool. The files are untrusted: their number
// and size are limited, they are searched in linear time and never run, and unreadable ones are ignored.

/** Limits: number of files read per package, and bytes of one file and of all files together. */
const MAX_FILES = 12;
const MAX_FILE_BYTES = 8 * 1024 ** 2;
const MAX_TOTAL_BYTES = 16 * 1024 ** 2;
/** Lower limit for JSON, because parsing takes longer than searching. */
const MAX_JSON_BYTES = 2 * 1024 ** 2;
export const MAX_PACKAGE_NAMES = 500;
const MAX_TITLE_CHARS = 200;
/** Maximum initial value of a variable, and of all variables of a package together, in characters. */
const MAX_INITIAL_CHARS = 500;
const MAX_INITIALS_CHARS = 50_000;

type Reader = {
  /** End of the path of a file, in lower case. */
  file: string;
  maxBytes: number;
  read: (text: string) => PackageName[];
};

/**
 * Where authoring tools publish the names of their variables. Storyline: the data of the player, and the JavaScript
 * triggers of the author. Captivate: the scripts of the project. H5P: titles and ids of its content.
 */
const readers: Reader[] = [
  { file: "html5/data/js/data.js", maxBytes: MAX_FILE_BYTES, read: readStorylineData },
  {
    file: "story_content/user.js",
    maxBytes: MAX_FILE_BYTES,
    read: (text) => toNames("storyline", findCalls(text, ["GetVar", "SetVar"])),
  },
  { file: "assets/js/cpm.js", maxBytes: MAX_FILE_BYTES, read: readCaptivateScript },
  { file: "h5p.json", maxBytes: MAX_JSON_BYTES, read: readH5pTitle },
  { file: "content/content.json", maxBytes: MAX_JSON_BYTES, read: readH5pContent },
];

/** The names of an unpacked package, at most MAX_PACKAGE_NAMES, in the order of its files. */
export async function readPackageNames(folder: string, files: PackageFile[]): Promise<PackageName[]> {
  const sources = readers
    .flatMap((reader) => files.filter((file) => isAt(file.path, reader.file)).map((file) => ({ ...file, reader })))
    .filter(({ size, reader }) => size <= reader.maxBytes)
    .slice(0, MAX_FILES);
  // Other packages also have files named content.json: it counts only next to an h5p.json.
  const isH5p = sources.some(({ reader }) => reader.file === "h5p.json");
  const names = new Map<string, PackageName>();
  let bytes = 0;
  for (const { path, size, reader } of sources) {
    if (reader.read === readH5pContent && !isH5p) continue;
    bytes += size;
    if (bytes > MAX_TOTAL_BYTES) break;
    const text = await readFile(join(folder, path), "utf8").catch(() => "");
    for (const name of readSafely(reader, text)) {
      const earlier = names.get(name.path);
      // Variables of two parts may have the same name and different initial values.
      if (!earlier) names.set(name.path, name);
      else if ("initial" in name && earlier.initial !== name.initial) delete earlier.initial;
    }
  }
  return limitInitials([...names.values()].slice(0, MAX_PACKAGE_NAMES));
}

function limitInitials(names: PackageName[]) {
  let chars = 0;
  for (const name of names)
    if (name.initial !== undefined && (chars += String(name.initial).length) > MAX_INITIALS_CHARS) delete name.initial;
  return names;
}

const isAt = (path: string, end: string) => {
  const lower = path.toLowerCase();
  return lower === end || lower.endsWith(`/${end}`);
};

function readSafely({ read }: Reader, text: string) {
  try {
    return read(text);
  } catch {
    return [];
  }
}

const isName = (name: string) => name.length <= MAX_TOOL_NAME_CHARS && /^\P{Cc}+$/u.test(name) && name.isWellFormed();

/** Internal variables of the tools. */
const OF_TOOL = {
  storyline: new RegExp(
    [
      "^_",
      "^(CurrentQuiz|ReviewMode|RetryMode|LastSlideViewed|AnsweredInt|DisableChoices)_",
      "^PrintPrompt",
      "^QuizAdvanceModeWarningShown$",
      "_RetryModeInteractionIncompleteOnLoad$",
    ].join("|"),
  ),
  captivate: /^(cp|rd)(info|cmnd|quizinfo|interaction|lock|in|widget|location)/i,
};
const toNames = (tool: keyof typeof OF_TOOL, names: string[]): PackageName[] =>
  names
    .filter((name) => isName(name) && !OF_TOOL[tool].test(name))
    .map((name) => ({ path: `${tool}[${name}]`, title: "" }));

/** data.js passes JSON to the player as a string in single quotes, in which only \\ and \' are escaped. */
const QUOTED = /globalProvideData\(\s{0,9}'data'\s{0,9},\s{0,9}'/;

/** The variables in the lists of data.js, with their initial values. */
function readStorylineData(script: string): PackageName[] {
  const text = QUOTED.test(script) ? script.replace(/\\([\\'])/g, "$1") : script;
  const initials = new Map<string, unknown>();
  const list = /"variables"\s*:\s*\[/g;
  for (let start = list.exec(text); start; start = list.exec(text)) {
    const end = findListEnd(text, list.lastIndex);
    for (const [name, initial] of readVariableList(text.slice(list.lastIndex, end)))
      if (!initials.has(name)) initials.set(name, initial);
      else if (initials.get(name) !== initial) initials.set(name, undefined);
    list.lastIndex = end;
    if (initials.size > MAX_PACKAGE_NAMES * 10) break;
  }
  return toNames("storyline", [...initials.keys()]).map((name) => {
    const initial = initials.get(nameIn(name.path));
    return isInitial(initial) ? { ...name, initial } : name;
  });
}
const nameIn = (path: string) => path.slice("storyline[".length, -1);
const isInitial = (value: unknown): value is string | number | boolean =>
  typeof value === "boolean" ||
  typeof value === "number" ||
  (typeof value === "string" && value.length <= MAX_INITIAL_CHARS && value.isWellFormed() && !value.includes("\0"));

/** The variables in the content of a list, parsed as JSON; for a truncated list or invalid JSON, only their names. */
function readVariableList(list: string): [name: string, initial: unknown][] {
  try {
    if (list.length > MAX_JSON_BYTES) throw new Error("too long");
    const variables = JSON.parse(`[${list}]`) as ({ name?: unknown; value?: unknown } | null)[];
    return variables.flatMap((one): [string, unknown][] =>
      typeof one?.name === "string" ? [[one.name, one.value]] : [],
    );
  } catch {
    const names = list.matchAll(/"name"\s*:\s*"((?:[^"\\]|\\.){1,200})"/g);
    return [...names].map(([, name = ""]) => [unescapeText(name), undefined]);
  }
}

/** The end of a JSON list whose content begins at `from`: brackets in texts do not count. */
function findListEnd(text: string, from: number) {
  let depth = 1;
  let isText = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === '"') isText = !isText;
    else if (!isText && (char === "[" || char === "{")) depth++;
    else if (!isText && (char === "]" || char === "}") && --depth === 0) return at;
  }
  return text.length;
}

function unescapeText(text: string) {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

/** Names in calls with a literal, such as `player.GetVar("SelfRating")`. */
function findCalls(text: string, functions: string[]) {
  const call = new RegExp(
    `\\b(?:${functions.join("|")})\\(\\s{0,9}(["'])([^"'\\\\\\n]{1,${MAX_TOOL_NAME_CHARS}})\\1`,
    "g",
  );
  return [...new Set([...text.matchAll(call)].map(([, , name = ""]) => name))];
}

/** The variables of a project are declared with their name, length, and whether they are of the system. */
function readCaptivateScript(text: string): PackageName[] {
  const declaration =
    /\baddVarInfo\(\s{0,9}(["'])([A-Za-z_$][\w$]{0,99})\1\s{0,9},[^,()\n]{0,20},\s{0,9}(?:false|!1|0)\b/g;
  const declared = [...text.matchAll(declaration)].map(([, , name = ""]) => name);
  return toNames("captivate", [...declared, ...findCalls(text, ["getVariableValue", "setVariableValue"])]);
}

const h5pName = (id: string, title: unknown): PackageName[] =>
  h5pFields.map((field) => ({
    path: `h5p[${id}].${field}`,
    title:
      typeof title === "string"
        ? title
            .replace(/[\s\p{Cc}]+/gu, " ")
            .trim()
            .toWellFormed()
            .slice(0, MAX_TITLE_CHARS)
        : "",
  }));

function readH5pTitle(text: string): PackageName[] {
  const { title } = JSON.parse(text) as { title?: unknown };
  return h5pName(H5P_MAIN, title);
}

/** Content within the content has a subContentId, and a title in its metadata. */
function readH5pContent(text: string): PackageName[] {
  const names: PackageName[] = [];
  // Grows while it is iterated, because `shift` would move all other elements.
  const waiting: object[] = [];
  const add = (value: unknown) => {
    if (typeof value === "object" && value !== null) waiting.push(value);
  };
  add(JSON.parse(text));
  for (const next of waiting) {
    if (names.length >= MAX_PACKAGE_NAMES) break;
    const { subContentId, metadata } = next as { subContentId?: unknown; metadata?: { title?: unknown } };
    if (typeof subContentId === "string" && isName(subContentId)) names.push(...h5pName(subContentId, metadata?.title));
    for (const value of Object.values(next)) add(value);
  }
  return names;
}
