import { setImmediate as nextTurn } from "node:timers/promises";
import { MASTERY_SCORE, MOVE_ON } from "#shared/player/activities.ts";
import type { Part } from "#shared/player/player.ts";
import type { PackageKind } from "#shared/courses/completionRules.ts";
import type { PackageReading } from "#shared/packages/packageCheck.ts";
import { FileIndex } from "#server/packages/paths.ts";
import { type Evidence, findEvidence } from "#server/packages/doctor/calls.ts";
import { limits } from "#server/packages/doctor/limits.ts";
import { readMarkup, type Tag } from "#server/packages/doctor/markup.ts";
import { createPlaceFinder, type PlaceFinder, printable, wholeFile } from "#server/packages/doctor/places.ts";
import {
  findTarget,
  listFirstFiles,
  listPageReferences,
  listStyleReferences,
  type Reference,
} from "#server/packages/doctor/references.ts";
import {
  createRisks,
  findRisksOfFiles,
  findRisksOfPage,
  findRisksOfScript,
  type Risks,
} from "#server/packages/doctor/risks.ts";
import { scanScript } from "#server/packages/doctor/script.ts";
import { readSettings, type Setting } from "#server/packages/doctor/settings.ts";
import { judgeSignals } from "#server/packages/doctor/signals.ts";
import { kindOfText, type ListedFile, listFolder, orderTexts, readText } from "#server/packages/doctor/sources.ts";
import {
  driverOf,
  findGenerator,
  findToolByFiles,
  findToolInText,
  isToolScript,
  type Tool,
} from "#server/packages/doctor/tools.ts";

/** Version of the reading rules. Readings of an earlier version are repeated. */
export const READER = 1;

/** Bytes of the first page and all it loads, above which learners with a slow connection wait noticeably. */
const HEAVY_BYTES = 5 * 1024 ** 2;

export type Package = { kind: PackageKind; parts: Part[] };
export type ReadOrder = { folder: string; of: Package };
type Collected = {
  index: FileIndex;
  starts: Set<string>;
  risks: Risks;
  tool: Tool | null;
  generator: Tool | null;
  drivers: Set<string>;
  scripts: { file: string; evidence: Evidence[]; driver: string | null }[];
  settings: Setting[];
  languages: Set<string>;
  loads: Map<string, Set<string>>;
  isForPhones: boolean | null;
};

/**
 * Reads the files of an unpacked package, up to the limits, without running them. Their content never makes it throw.
 */
export async function readPackage(folder: string, { kind, parts }: Package): Promise<PackageReading> {
  const until = performance.now() + limits.time;
  const { files, isWhole: isListed } = await listFolder(folder);
  const units = parts.filter(({ href }) => href !== null);
  const index = new FileIndex(files.map(({ path }) => path));
  const starts = new Set(units.flatMap(({ href }) => index.find(fileOf(href as string)) ?? []));
  const collected: Collected = {
    index,
    starts,
    risks: createRisks(),
    tool: null,
    generator: null,
    drivers: new Set(),
    scripts: [],
    settings: [],
    languages: new Set(),
    loads: new Map(),
    isForPhones: null,
  };
  findRisksOfFiles(files, collected.risks);
  const isRead = await readTexts(folder, kind, orderTexts(files, starts), collected, until);
  const isWhole = isListed && isRead;
  const known = collected.tool ?? findToolByFiles(files.map(({ path }) => path));
  // A generator can be any program: it is named, but decides nothing about reports.
  const tool = known ?? collected.generator;
  const first = listFirstFiles([...starts].slice(0, 1), collected.loads);
  const firstBytes = files.reduce((sum, { path, size }) => sum + (first.has(path) ? size : 0), 0);
  if (firstBytes > HEAVY_BYTES)
    for (const { path } of heaviest(files.filter(({ path: one }) => first.has(one))))
      collected.risks.add("heavyStart", path, wholeFile(path));
  if (!isWhole) collected.risks.add("notWhole", null, wholeFile(""));
  const moveOn = [...new Set(units.flatMap(({ given }) => given[MOVE_ON] ?? []))];
  const assets = kind === "scorm12" || kind === "scorm2004" ? units.filter(({ isSco }) => !isSco).length : 0;
  const masteryPercent = masteryOf(units);
  const isLibrary = ({ file, driver }: { file: string; driver: string | null }) =>
    driver !== null || isToolScript(file, known?.name ?? null);
  return {
    kind,
    tool: tool && { ...tool, at: { ...tool.at, file: printable(tool.at.file) } },
    driver: [...collected.drivers][0] ?? null,
    units: units.length,
    assets,
    slides: await countSlides(folder, index),
    pages: files.filter(({ path }) => kindOfText(path) === "page").length,
    videos: files.filter(({ path }) => /\.(mp4|m4v|webm|mov|ogv)$/i.test(path)).length,
    sounds: files.filter(({ path }) => /\.(mp3|m4a|ogg|wav|aac)$/i.test(path)).length,
    languages: [...collected.languages].slice(0, 20),
    isForPhones: collected.isForPhones,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    firstBytes,
    masteryPercent,
    moveOn,
    signals: judgeSignals({
      kind,
      course: collected.scripts.filter((one) => !isLibrary(one)).flatMap(({ evidence }) => evidence),
      libraries: collected.scripts.filter(isLibrary).flatMap(({ evidence }) => evidence),
      settings: collected.settings,
      tool: known?.name ?? null,
      driver: [...collected.drivers][0] ?? null,
      isDoneByOpening:
        (assets > 0 && assets === units.length) ||
        (moveOn.length > 0 && moveOn.every((one) => one === "NotApplicable")),
      masteryPercent,
      isWhole,
      silentUnit: findSilentUnit(collected),
    }),
    risks: collected.risks.list(),
    isWhole,
  };
}

/**
 * The start page of a unit, among several, that loads no reporting script. Whether the package reports an outcome is
 * then unknown.
 */
function findSilentUnit({ starts, loads, scripts }: Collected): string | null {
  if (starts.size < 2) return null;
  const reporting = new Set(scripts.filter(({ evidence }) => evidence.length > 0).map(({ file }) => file));
  const isSilent = (start: string) => ![...listFirstFiles([start], loads)].some((file) => reporting.has(file));
  return [...starts].find(isSilent) ?? null;
}

async function readTexts(
  folder: string,
  kind: PackageKind,
  texts: (ListedFile & { kind: ReturnType<typeof kindOfText> })[],
  collected: Collected,
  until: number,
): Promise<boolean> {
  let bytesLeft = limits.totalBytes;
  let isWhole = texts.length <= limits.texts;
  for (const { path, size, kind: kindOf } of texts.slice(0, limits.texts)) {
    if (bytesLeft <= 0 || performance.now() > until) return false;
    const bytes = Math.min(size, limits.textBytes, bytesLeft);
    bytesLeft -= bytes;
    if (bytes < size) isWhole = false;
    const text = await readText(folder, path, bytes);
    if (text === null) continue;
    // Each text gets its own turn of the event loop.
    await nextTurn();
    collected.settings.push(...readSettings(kind, path, text));
    if (!collected.tool || collected.tool.version === null) {
      const tool = findToolInText(path, text);
      if (tool && (!collected.tool || (tool.name === collected.tool.name && tool.version))) collected.tool = tool;
    }
    const placeOf = createPlaceFinder(path, text);
    if (kindOf === "page") readPage(kind, path, text, placeOf, collected);
    else if (kindOf === "script") readScript(kind, path, text, placeOf, collected);
    else if (kindOf === "style") addReferences(path, listStyleReferences(text, placeOf), collected);
    else addLanguages(text, collected.languages);
  }
  return isWhole;
}

function readPage(kind: PackageKind, path: string, text: string, placeOf: PlaceFinder, collected: Collected) {
  const { tags, code } = readMarkup(text);
  collected.generator ??= findGenerator(path, tags);
  addReferences(path, listPageReferences(tags, placeOf), collected);
  findRisksOfPage(tags, placeOf, collected.risks);
  readScript(kind, path, code, placeOf, collected);
  const language = tags.find(({ name }) => name === "html")?.attributes.get("lang");
  if (language) addLanguage(language, collected.languages);
  if (collected.starts.has(path)) collected.isForPhones = (collected.isForPhones ?? true) && hasViewport(tags);
}
const hasViewport = (tags: Tag[]) =>
  tags.some(({ name, attributes }) => name === "meta" && attributes.get("name")?.toLowerCase() === "viewport");

function readScript(kind: PackageKind, file: string, text: string, placeOf: PlaceFinder, collected: Collected) {
  const script = scanScript(text);
  const driver = driverOf(file, text);
  if (driver) collected.drivers.add(driver);
  collected.scripts.push({ file, driver, evidence: findEvidence(kind, text, script, placeOf) });
  findRisksOfScript(file, script, placeOf, collected.risks);
}

function addReferences(file: string, references: Reference[], { index, loads, risks }: Collected) {
  for (const { href, loads: isLoaded, at } of references) {
    const target = findTarget(file, href, index);
    if (!target) continue;
    if (target.kind === "host") {
      if (!isLoaded) continue;
      risks.add("foreignHosts", target.host, at);
      if (!target.isSecure) risks.add("mixedContent", target.host, at);
    } else if (target.kind === "missing") risks.add("missing", target.path, at);
    else {
      if (!target.isExact) risks.add("wrongCase", target.path, at);
      if (isLoaded) loads.set(file, (loads.get(file) ?? new Set()).add(target.path));
    }
  }
}

function addLanguages(text: string, languages: Set<string>) {
  let count = 0;
  for (const [, tag = ""] of text.matchAll(
    /<(?:\w{1,20}:)?(?:langstring|string)\s{1,9}(?:xml:lang|language|lang)="([\w-]{2,20})"/g,
  )) {
    addLanguage(tag, languages);
    if (++count > 200) break;
  }
}

/** Adds a language without its region: `en-US` and `en` are the same. */
function addLanguage(tag: string, languages: Set<string>) {
  const language = /^[a-z]{2,3}(?=$|[-_])/i.exec(tag.trim())?.[0].toLowerCase();
  if (language && language !== "und" && languages.size < 20) languages.add(language);
}

const heaviest = (files: ListedFile[]) => files.toSorted((a, b) => b.size - a.size).slice(0, limits.places);

/** The path in the address of a unit. */
function fileOf(href: string) {
  const bare = href.replace(/[?#].*$/s, "");
  try {
    return decodeURIComponent(bare).normalize("NFC");
  } catch {
    return bare;
  }
}

/** Storyline's own count of the slides that it shows. */
async function countSlides(folder: string, index: FileIndex): Promise<number | null> {
  const path = index.find("meta.xml");
  const text = path && (await readText(folder, path, 64 * 1024));
  const count = /\bviewslides="(\d{1,5})"/.exec(text ?? "")?.[1];
  return count === undefined ? null : Number(count);
}

function masteryOf(units: Part[]): number | null {
  const scores = units.flatMap(({ given }) => {
    const raw = given["cmi.student_data.mastery_score"];
    const scaled = given["cmi.scaled_passing_score"] ?? given[MASTERY_SCORE];
    if (raw !== undefined) return Number(raw);
    return scaled === undefined ? [] : Number(scaled) * 100;
  });
  const valid = scores.filter((score) => score >= 0 && score <= 100);
  return valid.length > 0 ? Math.round(Math.max(...valid) * 100) / 100 : null;
}
