import type { Manifest, ManifestItem } from "#shared/packages.ts";
import type { Part } from "#shared/player.ts";

/** The table of contents as the player walks it: flat, in order, headings kept, hidden lines left out unless they are all there is. */
export function flattenParts({ kind, items }: Manifest): Part[] {
  const lines = (list: ManifestItem[], depth: number): { item: ManifestItem; depth: number }[] =>
    list.flatMap((item) => [{ item, depth }, ...lines(item.items, depth + 1)]);
  const all = lines(items, 0);
  const visible = all.filter(({ item }) => item.isVisible);
  const shown = visible.some(({ item }) => item.href !== null) ? visible : all;
  return shown.map(({ item, depth }) => ({
    sco: item.identifier,
    title: item.title,
    depth,
    href: item.href,
    isSco: kind !== "html" && item.type === "sco",
    given: kind === "scorm12" ? givenIn12(item) : kind === "scorm2004" ? givenIn2004(item) : {},
  }));
}

const filled = (values: Record<string, string | number | null | undefined>) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === null || value === undefined || value === "" ? [] : [[key, String(value)]],
    ),
  );

/** SCORM 1.2 CAM 2.3.2: what the item element hands to the run-time. */
const givenIn12 = (item: ManifestItem) =>
  filled({
    "cmi.student_data.mastery_score": item.masteryScore,
    "cmi.student_data.max_time_allowed": item.maxTimeAllowed,
    "cmi.student_data.time_limit_action": item.timeLimitAction,
    "cmi.launch_data": item.dataFromLms,
  });

/** SCORM 2004 RTE 4.2: launch data, thresholds, and the objectives that the sequencing definition declares. */
const givenIn2004 = (item: ManifestItem) =>
  filled({
    "cmi.launch_data": item.dataFromLms,
    "cmi.max_time_allowed": item.maxTimeAllowed,
    "cmi.time_limit_action": item.timeLimitAction,
    "cmi.completion_threshold": item.completionThreshold?.completedByMeasure
      ? item.completionThreshold.minProgressMeasure
      : null,
    "cmi.scaled_passing_score": item.minNormalizedMeasure,
    ...Object.fromEntries(item.objectives.map(({ id }, n) => [`cmi.objectives.${n}.id`, id])),
  });
