import type { ManifestItem } from "#shared/packages/packages.ts";
import { ACTIVITY_TYPE, PUBLISHER_ID } from "#shared/player/activities.ts";
import { PackageError } from "#server/packages/findings.ts";
import { findLaunchFile, identifierOf, isIri, limitParts, readTexts, toItem } from "#server/packages/launchable.ts";
import type { FileIndex } from "#server/packages/paths.ts";
import { attribute, child, children, parseXml, textOf, type Element } from "#server/packages/xml.ts";

// tincan.xml: the packages that authoring tools export for xAPI, each activity with a start page is a part

export type TinCan = { id: string; title: string | null; items: ManifestItem[] };

const COURSE_TYPE = "http://adlnet.gov/expapi/activities/course";

/** Reads the activities of a package. Throws `PackageError` if one cannot be launched, or if there is none. */
export function readTinCan(bytes: Buffer, file: string, files: FileIndex): TinCan {
  const { root } = parseXml(bytes, file);
  const content = child(root, "tincan");
  if (!content) {
    const element = Object.keys(root).find((name) => name !== "#text") ?? "";
    throw new PackageError("otherRoot", { file, element, expected: "tincan" });
  }
  const activities = children(child(content, "activities"), "activity");
  const launched = activities.filter((activity) => child(activity, "launch"));
  limitParts(launched.length, file);
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  const ids = new Set<string>();
  const items = launched.map((activity) => readActivity(activity, { file, files, folder, ids }));
  const course = activities.find((one) => attribute(one, "type") === COURSE_TYPE) ?? launched[0];
  return { id: attribute(course, "id") ?? "", title: readTexts(children(course, "name")).title, items };
}

type Context = { file: string; files: FileIndex; folder: string; ids: Set<string> };

function readActivity(activity: Element, { file, files, folder, ids }: Context): ManifestItem {
  const { texts, title } = readTexts(children(activity, "name"));
  const id = attribute(activity, "id");
  const place = `<activity> “${title ?? id ?? "–"}”`;
  if (id === null) throw new PackageError("idMissing", { place, file });
  if (!isIri(id)) throw new PackageError("idIncomplete", { place, file, id });
  if (ids.has(id)) throw new PackageError("idRepeated", { file, id });
  ids.add(id);
  const href = textOf(findLaunch(activity));
  if (href === null) throw new PackageError("elementMissing", { place, file, element: "launch" });
  const type = attribute(activity, "type");
  return toItem({
    identifier: identifierOf(id),
    title: title ?? id,
    ...(Object.keys(texts).length > 0 && { titles: texts }),
    ...findLaunchFile(href, title ?? id, folder, files),
    launch: { [PUBLISHER_ID]: id, ...(type !== null && { [ACTIVITY_TYPE]: type }) },
    items: [],
  });
}

/** The start page in English, otherwise the first. */
function findLaunch(activity: Element) {
  const all = children(activity, "launch");
  return all.find((launch) => /^en\b/i.test(attribute(launch, "lang") ?? "")) ?? all[0];
}
