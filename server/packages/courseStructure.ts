import type { ManifestItem } from "#shared/packages/packages.ts";
import {
  ACTIVITY_TYPE,
  COURSE_ID,
  ENTITLEMENT_KEY,
  LAUNCH_METHOD,
  LAUNCH_PARAMETERS,
  launchMethods,
  launchParameters,
  MASTERY_SCORE,
  MOVE_ON,
  moveOnRules,
  PUBLISHER_ID,
} from "#shared/player/activities.ts";
import { PackageError } from "#server/packages/findings.ts";
import {
  countDeep,
  findLaunchFile,
  identifierOf,
  isIri,
  limitParts,
  readTexts,
  toItem,
} from "#server/packages/launchable.ts";
import type { FileIndex } from "#server/packages/paths.ts";
import { attribute, child, children, childrenInOrder, parseXml, textOf, type Element } from "#server/packages/xml.ts";

// cmi5.xml: course structure of cmi5 (Quartz, 1st edition), sections 13 and 14, and CourseStructure.xsd

export type CourseStructure = { id: string; title: string | null; items: ManifestItem[] };

type Context = { file: string; files: FileIndex; course: string; objectives: Set<string>; ids: Set<string> };

/** Characters of launch parameters and of an entitlement key. */
const MAX_LAUNCH_CHARS = 10_000;

/** The elements of each kind in the order that the schema prescribes; blocks and AUs come at the end in any order. */
const order: Record<string, string[]> = {
  courseStructure: ["course", "objectives"],
  course: ["title", "description"],
  block: ["title", "description", "objectives"],
  au: ["title", "description", "objectives", "url", "launchParameters", "entitlementKey"],
  objective: [],
};
const required: Record<string, string[]> = {
  courseStructure: ["course"],
  course: ["title", "description"],
  block: ["title", "description"],
  au: ["title", "description", "url"],
  objective: ["title", "description"],
};

/** Reads a course structure. Throws `PackageError` for whatever the specification demands to be refused. */
export function readCourseStructure(bytes: Buffer, file: string, files: FileIndex): CourseStructure {
  const { root } = parseXml(bytes, file);
  const structure = child(root, "courseStructure");
  if (!structure) {
    const element = Object.keys(root).find((name) => name !== "#text") ?? "";
    throw new PackageError("otherRoot", { file, element, expected: "courseStructure" });
  }
  checkElements(structure, "courseStructure", "<courseStructure>", file);
  const course = child(structure, "course") as Element;
  checkElements(course, "course", "<course>", file);
  limitParts(countDeep(structure, ["au", "block"]), file);
  const context: Context = { file, files, course: "", objectives: new Set(), ids: new Set() };
  context.course = readId(course, "<course>", context);
  for (const objective of children(child(structure, "objectives"), "objective")) {
    checkElements(objective, "objective", placeOf("objective", objective), file);
    context.objectives.add(readId(objective, placeOf("objective", objective), context));
  }
  return {
    id: context.course,
    title: readTexts(children(child(course, "title"), "langstring")).title,
    items: readUnits(structure, "<courseStructure>", context),
  };
}

function readUnits(parent: Element, place: string, context: Context): ManifestItem[] {
  const units = childrenInOrder(parent, ["au", "block"]);
  if (units.length === 0) throw new PackageError("elementMissing", { place, file: context.file, element: "au" });
  return units.map(({ name, element }) => (name === "au" ? readAu(element, context) : readBlock(element, context)));
}

function readBlock(element: Element, context: Context): ManifestItem {
  const place = placeOf("block", element);
  checkElements(element, "block", place, context.file);
  const id = readId(element, place, context);
  checkObjectives(element, place, context);
  return toItem({
    identifier: identifierOf(id),
    ...readTitles(element, id),
    href: null,
    file: null,
    launch: { [PUBLISHER_ID]: id, [COURSE_ID]: context.course },
    items: readUnits(element, place, context),
  });
}

function readAu(element: Element, context: Context): ManifestItem {
  const place = placeOf("au", element);
  checkElements(element, "au", place, context.file);
  const id = readId(element, place, context);
  checkObjectives(element, place, context);
  const { title, titles } = readTitles(element, id);
  const url = textOf(child(element, "url"));
  if (url === null) throw new PackageError("elementMissing", { place, file: context.file, element: "url" });
  checkQuery(url, place);
  const folder = context.file.slice(0, context.file.lastIndexOf("/") + 1);
  const target = findLaunchFile(url, title, folder, context.files);
  const launch: Record<string, string | null> = {
    [PUBLISHER_ID]: id,
    [COURSE_ID]: context.course,
    [MOVE_ON]: readChoice(element, "moveOn", moveOnRules, place, context.file),
    [LAUNCH_METHOD]: readChoice(element, "launchMethod", launchMethods, place, context.file),
    [MASTERY_SCORE]: readMasteryScore(element, place, context.file),
    [LAUNCH_PARAMETERS]: readText(element, "launchParameters", place, context.file),
    [ENTITLEMENT_KEY]: readText(element, "entitlementKey", place, context.file),
    [ACTIVITY_TYPE]: attribute(element, "activitytype"),
  };
  return toItem({
    identifier: identifierOf(id),
    title,
    ...(titles && { titles }),
    ...target,
    launch: Object.fromEntries(Object.entries(launch).filter((entry): entry is [string, string] => entry[1] !== null)),
    items: [],
  });
}

function readTitles(element: Element, id: string) {
  const { texts, title } = readTexts(children(child(element, "title"), "langstring"));
  return { title: title ?? id, titles: Object.keys(texts).length > 0 ? texts : undefined };
}

/** The title of a unit for messages. */
function placeOf(name: string, element: Element) {
  const { title } = readTexts(children(child(element, "title"), "langstring"));
  return `<${name}> “${title ?? attribute(element, "id") ?? "–"}”`;
}

function checkElements(element: Element, kind: string, place: string, file: string) {
  const known = [...(order[kind] ?? []), ...(kind === "courseStructure" || kind === "block" ? ["au", "block"] : [])];
  for (const name of required[kind] ?? [])
    if (!child(element, name)) throw new PackageError("elementMissing", { place, file, element: name });
  const single = order[kind] ?? [];
  for (const name of single)
    if (children(element, name).length > 1) throw new PackageError("elementTwice", { place, file, element: name });
  let last = -1;
  for (const { name } of childrenInOrder(element, known)) {
    const rank = single.indexOf(name) < 0 ? single.length : single.indexOf(name);
    if (rank < last) throw new PackageError("elementOrder", { place, file, element: name, next: known[last] ?? "au" });
    last = rank;
  }
  for (const name of ["title", "description"]) {
    const text = child(element, name);
    if (text && !child(text, "langstring"))
      throw new PackageError("elementMissing", { place: `<${name}> of ${place}`, file, element: "langstring" });
  }
}

/** The id of a unit, which is a complete address and unique in the structure. */
function readId(element: Element, place: string, { file, ids }: Context): string {
  const id = attribute(element, "id");
  if (id === null) throw new PackageError("idMissing", { place, file });
  if (!isIri(id)) throw new PackageError("idIncomplete", { place, file, id });
  if (ids.has(id)) throw new PackageError("idRepeated", { file, id });
  ids.add(id);
  return id;
}

function checkObjectives(element: Element, place: string, { file, objectives }: Context) {
  for (const reference of children(child(element, "objectives"), "objective")) {
    const id = attribute(reference, "idref");
    if (id !== null && !isIri(id)) throw new PackageError("idIncomplete", { place, file, id });
    if (id !== null && !objectives.has(id)) throw new PackageError("unknownObjective", { place, file, id });
  }
}

/** The query of an address must not use the names of the launch (8.1). */
function checkQuery(href: string, place: string) {
  const query = /\?([^#]*)/.exec(href)?.[1] ?? "";
  const names = [...new URLSearchParams(query).keys()];
  const name = names.find((one) => (launchParameters as readonly string[]).includes(one));
  if (name) throw new PackageError("launchParameter", { place, name, href });
}

/** An attribute with fixed values; the first one is the default. */
function readChoice(element: Element, name: string, allowed: readonly string[], place: string, file: string): string {
  const value = attribute(element, name.toLowerCase());
  if (value === null) return allowed[0] as string;
  if (!allowed.includes(value))
    throw new PackageError("unknownValue", { attribute: name, place, file, value, allowed: allowed.join(", ") });
  return value;
}

function readMasteryScore(element: Element, place: string, file: string): string | null {
  const value = attribute(element, "masteryscore");
  if (value === null) return null;
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value) || Number(value) < 0 || Number(value) > 1)
    throw new PackageError("unknownValue", { attribute: "masteryScore", place, file, value, allowed: "0–1" });
  return String(Number(value));
}

function readText(element: Element, name: string, place: string, file: string): string | null {
  const text = textOf(child(element, name));
  if (text !== null && text.length > MAX_LAUNCH_CHARS)
    throw new PackageError("longLaunch", { attribute: name, place, file, count: text.length, limit: MAX_LAUNCH_CHARS });
  return text;
}
