import { createHash } from "node:crypto";
import { packageLimits } from "#shared/packages/packages.ts";
import type { ManifestItem } from "#shared/packages/packages.ts";
import { PackageError } from "#server/packages/findings.ts";
import { buildHref, resolveHref } from "#server/packages/hrefs.ts";
import type { FileIndex } from "#server/packages/paths.ts";
import { attribute, children, textOf, toTitle, type Element } from "#server/packages/xml.ts";

// What the readers of cmi5.xml and tincan.xml have in common

const MAX_IDENTIFIER_CHARS = 190;
const MAX_IRI_CHARS = 2000;

/** The identifier of a part: the id that the package gives, or a hash of one that is too long. */
export const identifierOf = (id: string) =>
  id.length <= MAX_IDENTIFIER_CHARS ? id : `sha256:${createHash("sha256").update(id).digest("hex")}`;

/** A complete address (IRI), not a reference that depends on another one (RFC 3987). */
export const isIri = (id: string) =>
  id.length <= MAX_IRI_CHARS &&
  /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(id) &&
  !/^[a-z][a-z0-9+.-]*:\/*$/i.test(id);

/** The file and the URL of an address in the package; throws `PackageError` if there is none. */
export function findLaunchFile(href: string, item: string, folder: string, files: FileIndex) {
  const target = resolveHref(folder, href, item);
  const file = target.paths.map((path) => files.find(path)).find((path) => path !== null);
  if (!file) throw new PackageError("launchFileMissing", { item, file: target.paths[0] ?? href });
  return { file, href: buildHref(file, target, null) };
}

/** Texts by language tag, and the one that people read: English if there is one, otherwise the first. */
export function readTexts(elements: Element[]) {
  const texts: Record<string, string> = {};
  for (const element of elements) {
    const text = toTitle(textOf(element));
    if (text) texts[attribute(element, "lang") ?? "und"] ??= text;
  }
  const tags = Object.keys(texts);
  const english = tags.find((tag) => /^en\b/i.test(tag)) ?? tags[0];
  return { texts, title: english === undefined ? null : (texts[english] ?? null) };
}

/** Throws `PackageError` if the file lists more parts than a course may have. */
export function limitParts(count: number, file: string) {
  const limit = packageLimits.parts;
  if (count > limit) throw new PackageError("tooManyParts", { file, count, limit });
  if (count === 0) throw new PackageError("noParts", { file });
}

type Unit = Pick<ManifestItem, "identifier" | "title" | "titles" | "href" | "file" | "launch" | "items">;

/** An item without what only SCORM has. */
export const toItem = (unit: Unit): ManifestItem => ({
  ...unit,
  isVisible: true,
  type: unit.href === null ? null : "sco",
  masteryScore: null,
  maxTimeAllowed: null,
  timeLimitAction: null,
  dataFromLms: null,
  prerequisites: null,
  completionThreshold: null,
  minNormalizedMeasure: null,
  objectives: [],
});

export const countDeep = (parent: Element, names: string[]): number =>
  names.reduce(
    (sum, name) => sum + children(parent, name).reduce((more, one) => more + 1 + countDeep(one, names), 0),
    0,
  );
