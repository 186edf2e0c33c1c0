import { followedPrerequisites, shownItems } from "#server/packages/prerequisites.ts";
import type { Manifest, ManifestItem } from "#shared/packages/packages.ts";
import type { Part } from "#shared/player/player.ts";

/** The table of contents for the player: flat, in order, with headings. Sequencing rules keep hidden parts in it. */
export function flattenParts({ kind, items, sequencing }: Pick<Manifest, "kind" | "items" | "sequencing">): Part[] {
  const { shown, hasVisible } = shownItems({ items, sequencing });
  const followed = kind === "scorm12" ? followedPrerequisites(shown) : null;
  return shown.map(({ item, depth }) => ({
    sco: item.identifier,
    kind,
    title: item.title,
    depth,
    href: item.href,
    isSco: kind !== "html" && item.type === "sco",
    ...(sequencing && hasVisible && !item.isVisible && { isHidden: true as const }),
    prerequisites: followed?.get(item.identifier),
    given: initialValues[kind](item),
  }));
}

/** Values as text, without those that the manifest does not contain. */
const toValues = (values: Record<string, string | number | null | undefined>) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === null || value === undefined || value === "" ? [] : [[key, String(value)]],
    ),
  );

/** SCORM 1.2 CAM 2.3.2: elements of an item that initialize the data model. */
const initialValues12 = (item: ManifestItem) =>
  toValues({
    "cmi.student_data.mastery_score": item.masteryScore,
    "cmi.student_data.max_time_allowed": item.maxTimeAllowed,
    "cmi.student_data.time_limit_action": item.timeLimitAction,
    "cmi.launch_data": item.dataFromLms,
  });

/** A measure with a decimal place, as in the standards: the default passing score is 1.0. */
const formatMeasure = (measure: number | null) =>
  measure !== null && Number.isInteger(measure) ? measure.toFixed(1) : measure;

/** SCORM 2004 RTE 4.2: launch data, thresholds, and the objectives of the sequencing definition. */
const initialValues2004 = (item: ManifestItem) =>
  toValues({
    "cmi.launch_data": item.dataFromLms,
    "cmi.max_time_allowed": item.maxTimeAllowed,
    "cmi.time_limit_action": item.timeLimitAction,
    "cmi.completion_threshold": item.completionThreshold?.completedByMeasure
      ? item.completionThreshold.minProgressMeasure
      : null,
    "cmi.scaled_passing_score": formatMeasure(item.minNormalizedMeasure),
    ...Object.fromEntries(item.objectives.map(({ id }, n) => [`cmi.objectives.${n}.id`, id])),
  });

const initialValues: Record<Manifest["kind"], (item: ManifestItem) => Record<string, string>> = {
  scorm12: initialValues12,
  scorm2004: initialValues2004,
  cmi5: ({ launch }) => launch ?? {},
  xapi: ({ launch }) => launch ?? {},
  html: () => ({}),
};
