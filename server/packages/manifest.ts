import { packageLimits as limits, listParts, type Edition, type Finding, type ManifestItem } from "#shared/packages.ts";
import { findEdition } from "./editions.ts";
import { describe, nameSome, PackageError } from "./findings.ts";
import { resolveHref } from "./hrefs.ts";
import { readItems, type Reading } from "./items.ts";
import type { FileIndex } from "./paths.ts";
import { readResources, type Resource } from "./resources.ts";
import { hasRules } from "./sequencing.ts";
import { attribute, child, children, parseXml, textOf, toTitle, type Element } from "./xml.ts";

/** A manifest of which edition and title are known; what is wrong with its parts is not. */
export type OpenManifest = {
  path: string;
  edition: Edition;
  /** Null when the manifest has none. */
  title: string | null;
  identifier: string;
  warnings: Finding[];
  element: Element;
  organization: Element | undefined;
};

/**
 * Reads an imsmanifest.xml up to its title; `path` is its place in the package. Throws `PackageError`.
 * Source: SCORM 1.2 and 2004, Content Aggregation Model; what is forgiven, and how, is said by the warnings.
 */
export function openManifest(bytes: Buffer, path: string): OpenManifest {
  const { root, text } = parseXml(bytes, path);
  const element = child(root, "manifest");
  if (!element) {
    const first = Object.keys(root).find((name) => name !== "#text") ?? "";
    throw new PackageError("notAManifest", { file: path, element: first });
  }
  const { edition, warnings } = findEdition(element, text);
  if (child(element, "manifest")) warnings.push(describe("subManifests"));
  const organization = chooseOrganization(element, warnings);
  const identifier = attribute(element, "identifier") ?? "";
  return { path, edition, title: findTitle(element, organization), identifier, warnings, element, organization };
}

/**
 * The table of contents, with the start file of every part looked up among the files of the package. Adds to the
 * warnings of `manifest`. Throws `PackageError` when a part cannot be launched or none is left.
 */
export function readParts(manifest: OpenManifest, files: FileIndex): ManifestItem[] {
  const { element, organization, path, edition, warnings } = manifest;
  const resources = readResources(element, path.slice(0, path.lastIndexOf("/") + 1));
  const sequencing = listSequencing(element);
  const reading: Reading = { edition, resources, files, sequencing, warnings, leftOut: [], identifiers: new Map() };
  let items = readSome(organization, reading, path);
  if (listParts(items).length === 0 && reading.leftOut.length === 0) {
    items = readSome(listLearningObjects(resources), reading, path);
    if (items.length > 0) warnings.push(describe("noOrganization"));
  }
  const count = listParts(items).length;
  if (count === 0) throw reading.leftOut[0]?.error ?? new PackageError("noParts", { file: path });
  warnings.push(...reading.leftOut.map((part) => part.warning));
  if (count > 1 && organization && hasRules(element, organization)) warnings.push(describe("sequencing"));
  if (count > 1 && hasPrerequisites(items)) warnings.push(describe("prerequisites"));
  warnings.push(...findMissingFiles(resources, files));
  return items;
}

function readSome(parent: Element | undefined, reading: Reading, file: string): ManifestItem[] {
  if (!parent) return [];
  const count = countItems(parent);
  if (count > limits.parts) throw new PackageError("tooManyParts", { file, count, limit: limits.parts });
  return readItems(parent, reading);
}

const countItems = (parent: Element): number =>
  children(parent, "item").reduce((sum, item) => sum + 1 + countItems(item), 0);

function chooseOrganization(manifest: Element, warnings: Finding[]): Element | undefined {
  const parent = child(manifest, "organizations");
  const all = children(parent, "organization");
  const wanted = attribute(parent, "default");
  const named = all.find((organization) => wanted !== null && attribute(organization, "identifier") === wanted);
  const chosen = named ?? all[0];
  if (!chosen) return undefined;
  const organization = toTitle(textOf(child(chosen, "title"))) ?? attribute(chosen, "identifier") ?? "–";
  if (wanted === null) warnings.push(describe("noDefaultOrganization", { organization }));
  else if (!named) warnings.push(describe("wrongDefaultOrganization", { identifier: wanted, organization }));
  if (all.length > 1) warnings.push(describe("severalOrganizations", { count: all.length, organization }));
  return chosen;
}

function findTitle(manifest: Element, organization: Element | undefined): string | null {
  const general = child(child(child(manifest, "metadata"), "lom"), "general");
  const title = child(general, "title");
  return (
    toTitle(textOf(child(organization, "title"))) ??
    toTitle(textOf(child(title, "langstring")) ?? textOf(child(title, "string")) ?? textOf(title))
  );
}

function listSequencing(manifest: Element): Map<string, Element> {
  const all = children(manifest, "sequencingCollection").flatMap((element) => children(element, "sequencing"));
  return new Map(all.map((element) => [attribute(element, "id") ?? "", element]));
}

/** A table of contents for a manifest without one: its learning objects, else its first resource with a page. */
function listLearningObjects(resources: Map<string, Resource>): Element {
  const launchable = [...resources.values()].filter((resource) => resource.href !== null);
  const objects = launchable.filter((resource) => resource.type === "sco");
  const item = (objects.length > 0 ? objects : launchable.slice(0, 1)).map(({ identifier }) => ({
    "@identifier": identifier,
    "@identifierref": identifier,
  }));
  return { item };
}

const hasPrerequisites = (items: ManifestItem[]): boolean =>
  items.some((item) => item.prerequisites !== null || hasPrerequisites(item.items));

/** Files that the manifest lists and the package lacks. Courses mostly run without them, so they are only named. */
function findMissingFiles(resources: Map<string, Resource>, files: FileIndex): Finding[] {
  const missing = new Set<string>();
  for (const resource of resources.values()) {
    for (const href of resource.files) {
      try {
        const { paths } = resolveHref(resource.base, href, href);
        if (!paths.some((path) => files.find(path))) missing.add(paths[0] ?? href);
      } catch {
        // Another server's file is not expected here; one outside the package cannot be
        if (!/^(https?:)?\/\//i.test(href)) missing.add(href);
      }
    }
  }
  if (missing.size === 0) return [];
  const params = { count: missing.size, files: nameSome([...missing]) };
  return [describe(missing.size === 1 ? "missingFile" : "missingFiles", params)];
}
