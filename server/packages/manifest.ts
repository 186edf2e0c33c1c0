import type { ActivityTree } from "#shared/packages/activityTree.ts";
import {
  packageLimits as limits,
  listParts,
  type Edition,
  type Finding,
  type ManifestItem,
} from "#shared/packages/packages.ts";
import { readActivityTree } from "#server/packages/activityTree.ts";
import { findEdition } from "#server/packages/editions.ts";
import { toFinding, listNames, PackageError } from "#server/packages/findings.ts";
import { resolveHref } from "#server/packages/hrefs.ts";
import { followedPrerequisites, shownItems } from "#server/packages/prerequisites.ts";
import { readItems, type ManifestContext } from "#server/packages/items.ts";
import type { FileIndex } from "#server/packages/paths.ts";
import { readResources, type Resource } from "#server/packages/resources.ts";
import { hasSequencingRules } from "#server/packages/sequencing.ts";
import { attribute, child, children, parseXml, textOf, toTitle, type Element } from "#server/packages/xml.ts";

/** A manifest whose edition and title have been read, but whose items have not been checked yet. */
export type ParsedManifest = {
  path: string;
  edition: Edition;
  /** Null if the manifest has none. */
  title: string | null;
  identifier: string;
  warnings: Finding[];
  element: Element;
  organization: Element | undefined;
};

/**
 * Parses an imsmanifest.xml up to its title; `path` is its path in the package. Throws `PackageError`. Tolerated
 * deviations from the standard are reported as warnings. Source: SCORM 1.2 and 2004, Content Aggregation Model.
 */
export function parseManifest(bytes: Buffer, path: string): ParsedManifest {
  const { root, text } = parseXml(bytes, path);
  const element = child(root, "manifest");
  if (!element) {
    const first = Object.keys(root).find((name) => name !== "#text") ?? "";
    throw new PackageError("notAManifest", { file: path, element: first });
  }
  const { edition, warnings } = findEdition(element, text);
  if (child(element, "manifest")) warnings.push(toFinding("subManifests"));
  const organization = chooseOrganization(element, warnings);
  const identifier = attribute(element, "identifier") ?? "";
  return { path, edition, title: findTitle(element, organization), identifier, warnings, element, organization };
}

/** `sequencing` is null unless the package has rules. */
export type TableOfContents = { items: ManifestItem[]; sequencing: ActivityTree | null };

/**
 * Reads the table of contents and finds the start file of every part among the files of the package. Adds to the
 * warnings of `manifest`. Throws `PackageError` if a part cannot be launched or none is left.
 */
export function readTableOfContents(manifest: ParsedManifest, files: FileIndex): TableOfContents {
  const { element, organization, path, edition, warnings } = manifest;
  const resources = readResources(element, path.slice(0, path.lastIndexOf("/") + 1));
  const sequencing = readSequencingCollection(element);
  const context: ManifestContext = {
    edition,
    resources,
    files,
    sequencing,
    elements: new Map(),
    warnings,
    skipped: [],
    identifiers: new Map(),
  };
  let items = readLimitedItems(organization, context, path);
  if (listParts(items).length === 0 && context.skipped.length === 0) {
    items = readLimitedItems(organizeResources(resources), context, path);
    if (items.length > 0) warnings.push(toFinding("noOrganization"));
  }
  const count = listParts(items).length;
  if (count === 0) throw context.skipped[0]?.error ?? new PackageError("noParts", { file: path });
  warnings.push(...context.skipped.map((part) => part.warning));
  const hasRules = count > 1 && organization && edition !== "1.2" && hasSequencingRules(element, organization);
  const tree = hasRules ? readActivityTree(organization, items, context) : null;
  if (count > 1) warnings.push(...findIgnoredPrerequisites(items, edition));
  warnings.push(...findMissingFiles(resources, files));
  return { items, sequencing: tree };
}

function readLimitedItems(parent: Element | undefined, context: ManifestContext, file: string): ManifestItem[] {
  if (!parent) return [];
  const count = countItems(parent);
  if (count > limits.parts) throw new PackageError("tooManyParts", { file, count, limit: limits.parts });
  return readItems(parent, context);
}

const countItems = (parent: Element): number =>
  children(parent, "item").reduce((sum, item) => sum + 1 + countItems(item), 0);

function chooseOrganization(manifest: Element, warnings: Finding[]): Element | undefined {
  const parent = child(manifest, "organizations");
  const all = children(parent, "organization");
  const defaultId = attribute(parent, "default");
  const named = all.find((organization) => defaultId !== null && attribute(organization, "identifier") === defaultId);
  const chosen = named ?? all[0];
  if (!chosen) return undefined;
  const organization = toTitle(textOf(child(chosen, "title"))) ?? attribute(chosen, "identifier") ?? "–";
  if (defaultId === null) warnings.push(toFinding("noDefaultOrganization", { organization }));
  else if (!named) warnings.push(toFinding("wrongDefaultOrganization", { identifier: defaultId, organization }));
  if (all.length > 1) warnings.push(toFinding("severalOrganizations", { count: all.length, organization }));
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

function readSequencingCollection(manifest: Element): Map<string, Element> {
  const all = children(manifest, "sequencingCollection").flatMap((element) => children(element, "sequencing"));
  return new Map(all.map((element) => [attribute(element, "id") ?? "", element]));
}

/** A table of contents for a manifest without one: all SCOs, otherwise the first resource with an href. */
function organizeResources(resources: Map<string, Resource>): Element {
  const launchable = [...resources.values()].filter((resource) => resource.href !== null);
  const scos = launchable.filter((resource) => resource.type === "sco");
  const item = (scos.length > 0 ? scos : launchable.slice(0, 1)).map(({ identifier }) => ({
    "@identifier": identifier,
    "@identifierref": identifier,
  }));
  return { item };
}

/** SCORM 2004 has sequencing instead. */
function findIgnoredPrerequisites(items: ManifestItem[], edition: Edition): Finding[] {
  const { shown } = shownItems({ items });
  const followed = edition === "1.2" ? followedPrerequisites(shown) : new Map<string, unknown>();
  const ignored = shown.filter(({ item }) => item.prerequisites !== null && !followed.has(item.identifier));
  return ignored.length > 0
    ? [toFinding("prerequisitesIgnored", { items: listNames(ignored.map(({ item }) => item.title)) })]
    : [];
}

/** Files that are listed in the manifest but missing in the package. Most courses work without them: a warning. */
function findMissingFiles(resources: Map<string, Resource>, files: FileIndex): Finding[] {
  const missing = new Set<string>();
  for (const resource of resources.values()) {
    for (const href of resource.files) {
      try {
        const { paths } = resolveHref(resource.base, href, href);
        if (!paths.some((path) => files.find(path))) missing.add(paths[0] ?? href);
      } catch {
        // Files on other servers are not expected in the package; invalid paths count as missing
        if (!/^(https?:)?\/\//i.test(href)) missing.add(href);
      }
    }
  }
  if (missing.size === 0) return [];
  const params = { count: missing.size, files: listNames([...missing]) };
  return [toFinding(missing.size === 1 ? "missingFile" : "missingFiles", params)];
}
