import type { Edition, Finding, ManifestItem } from "#shared/packages.ts";
import { describe, PackageError } from "./findings.ts";
import { buildHref, resolveHref, type Target } from "./hrefs.ts";
import type { FileIndex } from "./paths.ts";
import type { Resource } from "./resources.ts";
import { readSequencing, toNumber } from "./sequencing.ts";
import { attribute, child, children, textOf, toTitle, type Element } from "./xml.ts";

export type Reading = {
  edition: Edition;
  resources: Map<string, Resource>;
  files: FileIndex;
  /** Shared sequencing by id (imsss:sequencingCollection). */
  sequencing: Map<string, Element>;
  /** How often an identifier has been seen. */
  identifiers: Map<string, number>;
  warnings: Finding[];
  /** Parts that were left out: a warning each, or the error when no part is left. */
  leftOut: { error: PackageError; warning: Finding }[];
};

/**
 * The items below an organization or an item. A part whose resource is missing is left out with a warning; one whose
 * start file is missing, elsewhere or outside the package refuses the whole course: it would be found by a learner.
 */
export function readItems(parent: Element, reading: Reading): ManifestItem[] {
  return children(parent, "item").flatMap((element) => readItem(element, reading) ?? []);
}

function readItem(element: Element, reading: Reading): ManifestItem | null {
  const identifier = nameItem(attribute(element, "identifier"), reading);
  const reference = attribute(element, "identifierref");
  const title = toTitle(textOf(child(element, "title"))) ?? identifier;
  const launch = reference === null ? null : findLaunch(element, reference, title, reading);
  const items = readItems(element, reading);
  if (reference !== null && launch === null && items.length === 0) return null;
  const isOld = reading.edition === "1.2";
  return {
    identifier,
    title,
    isVisible: !["false", "0"].includes(attribute(element, "isvisible")?.toLowerCase() ?? "true"),
    href: launch?.href ?? null,
    file: launch?.file ?? null,
    type: launch?.type ?? null,
    masteryScore: isOld ? readMastery(element, title, reading) : null,
    timeLimitAction: readLimitAction(element),
    dataFromLms: textOf(child(element, "datafromlms")) ?? textOf(child(element, "dataFromLMS")),
    prerequisites: textOf(child(element, "prerequisites")),
    ...(isOld ? plain(element) : readSequencing(element, reading.sequencing)),
    items,
  };
}

/** The only part of a plain web page. */
export function plainPart(title: string, file: string): ManifestItem {
  const href = buildHref(file, { paths: [file], query: "", fragment: "" }, null);
  const nothing = { masteryScore: null, timeLimitAction: null, dataFromLms: null, prerequisites: null, items: [] };
  return { identifier: "start", title, isVisible: true, href, file, type: "asset", ...nothing, ...plain(undefined) };
}

const plain = (element: Element | undefined) => ({
  maxTimeAllowed: textOf(child(element, "maxtimeallowed")),
  minNormalizedMeasure: null,
  objectives: [],
  completionThreshold: null,
});

/** Attempts are stored under the identifier, so it must be unique, not too long, and the same at the next upload. */
function nameItem(given: string | null, reading: Reading): string {
  const { identifiers, warnings } = reading;
  let name = given?.slice(0, 190) ?? `item-${identifiers.size + 1}`;
  while (identifiers.has(name)) {
    const count = (identifiers.get(name) ?? 0) + 1;
    if (count === 2) warnings.push(describe("repeatedIdentifier", { identifier: name }));
    identifiers.set(name, count);
    name = `${name.slice(0, 190)}-${count}`;
  }
  identifiers.set(name, 1);
  return name;
}

function findLaunch(element: Element, reference: string, item: string, reading: Reading) {
  const resource = reading.resources.get(reference);
  const isLeaf = children(element, "item").length === 0;
  if (!resource) return leaveOut("missingResource", { item, resource: reference }, isLeaf, reading);
  const href = resource.href ?? findOnlyPage(resource, reading.files);
  if (href === null) return leaveOut("noHref", { item, resource: reference }, isLeaf, reading);
  const target = resolveHref(resource.base, href, item);
  const file = target.paths.map((path) => reading.files.find(path)).find((path) => path !== null);
  if (!file) throw new PackageError("launchFileMissing", { item, file: target.paths[0] ?? href });
  if (resource.href === null) reading.warnings.push(describe("hrefFromFile", { resource: reference, item, file }));
  else if (!target.paths.includes(file)) reading.warnings.push(describe("launchFileCase", { href, file }));
  // Undefined types are settled once the pages have been searched for SCORM calls
  return { file, href: buildHref(file, target, attribute(element, "parameters")), type: resource.type };
}

function leaveOut(key: "missingResource" | "noHref", params: Finding["params"], isLeaf: boolean, reading: Reading) {
  const error = new PackageError(`${key}Only`, params);
  reading.leftOut.push({ error, warning: isLeaf ? describe(key, params) : error.finding });
  return null;
}

/** For resources without href: their single web page, when it exists. */
function findOnlyPage(resource: Resource, files: FileIndex): string | null {
  const pages = resource.files.filter((href) => /\.x?html?([?#]|$)/i.test(href));
  if (pages.length !== 1) return null;
  try {
    const target: Target = resolveHref(resource.base, pages[0] as string, "");
    return target.paths.some((path) => files.find(path)) ? (pages[0] as string) : null;
  } catch {
    return null;
  }
}

function readMastery(element: Element, item: string, reading: Reading): number | null {
  const value = textOf(child(element, "masteryscore"));
  const score = toNumber(value, 0, 100);
  if (value !== null && score === null) reading.warnings.push(describe("badMasteryScore", { item, value }));
  return score;
}

const limitActions = ["exit,message", "exit,no message", "continue,message", "continue,no message"] as const;

function readLimitAction(element: Element): ManifestItem["timeLimitAction"] {
  const value = textOf(child(element, "timelimitaction")) ?? textOf(child(element, "timeLimitAction"));
  const action = value
    ?.toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/\s*,\s*/g, ",");
  return limitActions.find((known) => known === action) ?? null;
}
