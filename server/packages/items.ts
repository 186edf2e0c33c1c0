import type { Edition, Finding, ManifestItem } from "#shared/packages/packages.ts";
import { toFinding, PackageError } from "#server/packages/findings.ts";
import { buildHref, resolveHref, type Target } from "#server/packages/hrefs.ts";
import type { FileIndex } from "#server/packages/paths.ts";
import type { Resource } from "#server/packages/resources.ts";
import { readSequencing, toNumber } from "#server/packages/sequencing.ts";
import { attribute, child, children, textOf, toTitle, type Element } from "#server/packages/xml.ts";

export type ManifestContext = {
  edition: Edition;
  resources: Map<string, Resource>;
  files: FileIndex;
  /** Shared sequencing by id (imsss:sequencingCollection). */
  sequencing: Map<string, Element>;
  /** The elements that were read, by the identifier of their item. */
  elements: Map<string, Element>;
  /** How often each identifier has been used so far. */
  identifiers: Map<string, number>;
  warnings: Finding[];
  /** Skipped parts: reported as warnings, or as an error if no part is left. */
  skipped: { error: PackageError; warning: Finding }[];
};

/**
 * Reads the items below an organization or an item. A part without its resource is skipped with a warning. A part whose
 * start file is missing, on another server or outside the package rejects the whole package, because a learner would
 * run into it.
 */
export function readItems(parent: Element, context: ManifestContext): ManifestItem[] {
  return children(parent, "item").flatMap((element) => readItem(element, context) ?? []);
}

function readItem(element: Element, context: ManifestContext): ManifestItem | null {
  const identifier = uniqueIdentifier(attribute(element, "identifier"), context);
  const reference = attribute(element, "identifierref");
  const title = toTitle(textOf(child(element, "title"))) ?? identifier;
  const launch = reference === null ? null : findLaunch(element, reference, title, context);
  const items = readItems(element, context);
  if (reference !== null && launch === null && items.length === 0) return null;
  context.elements.set(identifier, element);
  const isScorm12 = context.edition === "1.2";
  return {
    identifier,
    title,
    isVisible: !["false", "0"].includes(attribute(element, "isvisible")?.toLowerCase() ?? "true"),
    href: launch?.href ?? null,
    file: launch?.file ?? null,
    type: launch?.type ?? null,
    masteryScore: isScorm12 ? readMasteryScore(element, title, context) : null,
    timeLimitAction: readLimitAction(element),
    dataFromLms: textOf(child(element, "datafromlms")) ?? textOf(child(element, "dataFromLMS")),
    prerequisites: textOf(child(element, "prerequisites")),
    ...(isScorm12 ? scorm12Values(element) : readSequencing(element, context.sequencing)),
    items,
  };
}

/** The single item of a plain web page. */
export function webPageItem(title: string, file: string): ManifestItem {
  const href = buildHref(file, { paths: [file], query: "", fragment: "" }, null);
  const nothing = { masteryScore: null, timeLimitAction: null, dataFromLms: null, prerequisites: null, items: [] };
  return {
    identifier: "start",
    title,
    isVisible: true,
    href,
    file,
    type: "asset",
    ...nothing,
    ...scorm12Values(undefined),
  };
}

const scorm12Values = (element: Element | undefined) => ({
  maxTimeAllowed: textOf(child(element, "maxtimeallowed")),
  minNormalizedMeasure: null,
  objectives: [],
  completionThreshold: null,
});

/** Attempts are stored under the identifier, so it must be unique, limited in length and stable across uploads. */
function uniqueIdentifier(stated: string | null, context: ManifestContext): string {
  const { identifiers, warnings } = context;
  let name = stated?.slice(0, 190) ?? `item-${identifiers.size + 1}`;
  while (identifiers.has(name)) {
    const count = (identifiers.get(name) ?? 0) + 1;
    if (count === 2) warnings.push(toFinding("repeatedIdentifier", { identifier: name }));
    identifiers.set(name, count);
    name = `${name.slice(0, 190)}-${count}`;
  }
  identifiers.set(name, 1);
  return name;
}

function findLaunch(element: Element, reference: string, item: string, context: ManifestContext) {
  const resource = context.resources.get(reference);
  const isLeaf = children(element, "item").length === 0;
  if (!resource) return skipItem("missingResource", { item, resource: reference }, isLeaf, context);
  const href = resource.href ?? findOnlyPage(resource, context.files);
  if (href === null) return skipItem("noHref", { item, resource: reference }, isLeaf, context);
  const target = resolveHref(resource.base, href, item);
  const file = target.paths.map((path) => context.files.find(path)).find((path) => path !== null);
  if (!file) throw new PackageError("launchFileMissing", { item, file: target.paths[0] ?? href });
  if (resource.href === null) context.warnings.push(toFinding("hrefFromFile", { resource: reference, item, file }));
  else if (!target.paths.includes(file)) context.warnings.push(toFinding("launchFileCase", { href, file }));
  // Missing types are determined after the pages have been searched for SCORM calls
  return { file, href: buildHref(file, target, attribute(element, "parameters")), type: resource.type };
}

function skipItem(
  key: "missingResource" | "noHref",
  params: Finding["params"],
  isLeaf: boolean,
  context: ManifestContext,
) {
  const error = new PackageError(`${key}Only`, params);
  context.skipped.push({ error, warning: isLeaf ? toFinding(key, params) : error.finding });
  return null;
}

/** The only web page of a resource without href, if it exists. */
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

function readMasteryScore(element: Element, item: string, context: ManifestContext): number | null {
  const value = textOf(child(element, "masteryscore"));
  const score = toNumber(value, 0, 100);
  if (value !== null && score === null) context.warnings.push(toFinding("badMasteryScore", { item, value }));
  return score;
}

const limitActions = ["exit,message", "exit,no message", "continue,message", "continue,no message"] as const;

function readLimitAction(element: Element): ManifestItem["timeLimitAction"] {
  const value = textOf(child(element, "timelimitaction")) ?? textOf(child(element, "timeLimitAction"));
  const action = value
    ?.toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/\s*,\s*/g, ",");
  return limitActions.find((one) => one === action) ?? null;
}
