import type { PackageReading } from "#shared/packages/packageCheck.ts";
import { createPlaceFinder, printable, wholeFile } from "#server/packages/doctor/places.ts";

// Recognises the authoring tool of a package by marks in its texts or by its files

export type Tool = NonNullable<PackageReading["tool"]>;

type TextMark = { name: string; in: RegExp; mark: RegExp; version?: RegExp };
const page = /\.x?html?$/i;
/** Marks in texts: certain. The first group of `version` is the version. */
const textMarks: TextMark[] = [
  {
    name: "Articulate Storyline",
    in: /(^|\/)meta\.xml$/i,
    mark: /<application\s{1,9}name="Articulate Storyline"/,
    version: /<application\s{1,9}name="Articulate Storyline"\s{1,9}version="(\d[\d.]{0,30})"/,
  },
  {
    name: "Articulate Storyline",
    in: page,
    mark: /<!-- Created using Storyline/,
    version: /<!-- version: (\d[\d.]{0,30}) -->/,
  },
  { name: "Articulate Rise", in: page, mark: /window\.courseData\b|rise\.articulate\.com|articulate-rise/i },
  { name: "Articulate Presenter", in: page, mark: /<!-- Created using Articulate (?:Presenter|Studio)/ },
  {
    name: "Adobe Captivate",
    in: /\.(x?html?|js)$/i,
    mark: /Adobe(?:&#174;|®|\(R\))?\s?Captivate|\bcpAPIInterface\s{0,9}=/,
    version: /Adobe Captivate (\d[\d.]{0,30})/,
  },
  {
    name: "iSpring",
    in: page,
    mark: /Created (?:using|with) iSpring|content="iSpring/i,
    version: /iSpring[\w ]{0,30}? (\d[\d.]{0,30})/i,
  },
  {
    name: "Lectora",
    in: page,
    mark: /content="Lectora|\btrivantis\.\w|trivExternalCall/i,
    version: /Lectora[\w ]{0,30}? (\d[\d.]{0,30})/i,
  },
  { name: "Camtasia", in: page, mark: /Created (?:by|with|using) Camtasia|techsmith-smart-player/i },
  {
    name: "eXeLearning",
    in: page,
    mark: /content="eXeLearning|Created with eXeLearning|exelearning\.net/i,
    version: /eXeLearning v?(\d[\d.]{0,30})/,
  },
  { name: "Elucidat", in: page, mark: /\belucidat\.com\b/i },
  { name: "Evolve", in: page, mark: /\bevolveauthoring\b|\bappitierre\b/i },
  { name: "dominKnow", in: page, mark: /\bdominknow\.com\b|content="dominKnow/i },
  { name: "Easygenerator", in: page, mark: /\beasygenerator\.com\b/i },
  { name: "Gomo", in: page, mark: /\bgomolearning\b/i },
  { name: "Xerte", in: page, mark: /content="Xerte|XertePlayer|xerte\.org/i },
];

type FileMark = { name: string; files: RegExp[] };
/** Files that together only one tool writes: likely. */
const fileMarks: FileMark[] = [
  { name: "Articulate Storyline", files: [/(^|\/)html5\/data\/js\/data\.js$/i] },
  { name: "Articulate Rise", files: [/(^|\/)scormcontent\/index\.html$/i, /(^|\/)scormdriver\//i] },
  { name: "Adobe Captivate", files: [/(^|\/)assets\/js\/cpm\.js$/i] },
  { name: "Lectora", files: [/(^|\/)triv(antis|utils)\w{0,20}\.js$/i] },
  { name: "Camtasia", files: [/(^|\/)techsmith-smart-player[\w.-]{0,20}\.js$/i] },
  { name: "Adapt", files: [/(^|\/)adapt\/js\/adapt\.min\.js$/i] },
  { name: "Adapt", files: [/(^|\/)course\/config\.json$/i, /(^|\/)course\/[\w-]{1,20}\/components\.json$/i] },
  { name: "H5P", files: [/(^|\/)h5p\.json$/i] },
  { name: "eXeLearning", files: [/(^|\/)contentv3\.xml$/i] },
  { name: "iSpring", files: [/(^|\/)data\/player\.js$/i, /(^|\/)data\/slide1\.js$/i] },
  { name: "Xerte", files: [/(^|\/)xenith\.js$/i] },
];

/** Characters searched for a mark: tools write it at the top. */
const MARK_CHARS = 100_000;

/** The tool that a text of a package names. */
export function findToolInText(file: string, text: string): Tool | null {
  const head = text.slice(0, MARK_CHARS);
  for (const { name, in: files, mark, version } of textMarks) {
    if (!files.test(file)) continue;
    const found = mark.exec(head);
    if (!found) continue;
    const at = createPlaceFinder(file, head)(found.index);
    return { name, version: version?.exec(head)?.[1] ?? null, isCertain: true, at };
  }
  return null;
}

/** The program that a page names as its generator, authoring tool or not. */
export function findGenerator(file: string, tags: { name: string; attributes: Map<string, string> }[]): Tool | null {
  for (const { name, attributes } of tags) {
    if (name !== "meta" || attributes.get("name")?.toLowerCase() !== "generator") continue;
    const content = printable(attributes.get("content")?.trim() ?? "").slice(0, 60);
    if (content) return { name: content, version: null, isCertain: false, at: wholeFile(file) };
  }
  return null;
}

export function findToolByFiles(paths: string[]): Tool | null {
  for (const { name, files } of fileMarks) {
    const found = files.map((pattern) => paths.find((path) => pattern.test(path)));
    if (found.every((path) => path !== undefined))
      return { name, version: null, isCertain: false, at: wholeFile(found[0] as string) };
  }
  return null;
}

const drivers: { name: string; file: RegExp; mark: RegExp }[] = [
  {
    name: "Rustici SCORM Driver",
    file: /scormdriver[\w.-]{0,20}\.js$/i,
    mark: /Rustici Software[^]{0,4000}strLMSStandard/,
  },
  {
    name: "pipwerks SCORM wrapper",
    file: /SCORM_API_wrapper[\w.-]{0,20}\.js$/i,
    mark: /pipwerks\.SCORM\s{0,9}=|pipwerks\.debug\s{0,9}=/,
  },
  { name: "ADL API wrapper", file: /(^|\/)(apiwrapper|lmsrtefunctions)\.js$/i, mark: /function doLMSInitialize\b/ },
  {
    name: "Adapt ScormWrapper",
    file: /(^|\/)(scormwrapper|scorm[\w-]{0,20}wrapper)\.js$/i,
    mark: /class ScormWrapper\b/,
  },
  { name: "scorm-again", file: /(^|\/)scorm-again[\w.-]{0,20}\.js$/i, mark: /scorm-again/ },
  { name: "TinCanJS", file: /(^|\/)tincan[\w.-]{0,20}\.js$/i, mark: /TinCan\.LRS\s{0,9}=/ },
  { name: "ADL xAPIWrapper", file: /(^|\/)xapiwrapper[\w.-]{0,20}\.js$/i, mark: /ADL\.XAPIWrapper\s{0,9}=/ },
  { name: "cmi5.js", file: /(^|\/)cmi5[\w.-]{0,20}\.js$/i, mark: /\bCmi5\.prototype\s{0,9}=|class Cmi5\b/ },
];

/**
 * The name of the reporting library, if the script is one. What it is able to report does not say what the course uses.
 */
export const driverOf = (file: string, text: string): string | null =>
  drivers.find(({ file: name, mark }) => name.test(file) || mark.test(text.slice(0, MARK_CHARS)))?.name ?? null;

/** Whether a script belongs to the player of a tool, which contains everything that the tool is able to report. */
export const isToolScript = (file: string, tool: string | null) =>
  tool !== null && (toolScripts.get(tool)?.test(file) ?? false);
const toolScripts = new Map<string, RegExp>([
  ["Articulate Storyline", /(^|\/)(html5\/lib|lms)\//i],
  ["Articulate Rise", /(^|\/)(scormcontent\/lib|scormdriver|lib)\//i],
  ["Adobe Captivate", /(^|\/)assets\/js\/|scorm_utilities|scorm_support/i],
  ["Adapt", /(^|\/)(adapt|libraries)\//i],
  ["Lectora", /(^|\/)triv/i],
  ["iSpring", /(^|\/)data\/player\.js$/i],
  ["Camtasia", /techsmith/i],
  ["H5P", /(^|\/)(h5p|libraries|dist|assets)[\w.-]{0,20}\//i],
  ["eXeLearning", /(^|\/)(libs|exe_|common|scorm)[\w./-]{0,40}\.js$/i],
]);
