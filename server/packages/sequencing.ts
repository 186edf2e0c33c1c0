import type { ManifestItem } from "#shared/packages/packages.ts";
import { attribute, child, children, textOf, type Element } from "#server/packages/xml.ts";

type SequencingValues = Pick<
  ManifestItem,
  "maxTimeAllowed" | "minNormalizedMeasure" | "objectives" | "completionThreshold"
>;

/**
 * The sequencing values of an item that the run-time needs (2004): objectives, passing score, time limit, completion
 * threshold. Sources: SCORM 2004 Run-Time Environment, cmi.max_time_allowed, cmi.objectives, cmi.scaled_passing_score
 * and cmi.completion_threshold; IMS Simple Sequencing 1.0 for the defaults.
 */
export function readSequencing(item: Element, collection: Map<string, Element>): SequencingValues {
  const local = child(item, "sequencing");
  const shared = collection.get(attribute(local, "idref") ?? "");
  // A local child element replaces the one of the collection (CAM, <sequencingCollection>)
  const part = (name: string) => child(local, name) ?? child(shared, name);
  // adlseq:objectives, which only maps objectives, has the same name without its prefix
  const lists =
    children(local, "objectives").length > 0 ? children(local, "objectives") : children(shared, "objectives");
  const list = lists.find((element) => child(element, "primaryObjective")) ?? lists[0];
  const objectives = [
    ...children(list, "primaryObjective")
      .slice(0, 1)
      .map((element) => readObjective(element, true)),
    ...children(list, "objective").map((element) => readObjective(element, false)),
  ];
  return {
    maxTimeAllowed: attribute(part("limitConditions"), "attemptabsolutedurationlimit"),
    minNormalizedMeasure: objectives.find((objective) => objective.isPrimary)?.minNormalizedMeasure ?? null,
    // A primary objective without an id is not visible to the run-time
    objectives: objectives.filter((objective) => objective.id !== ""),
    completionThreshold: readThreshold(child(item, "completionThreshold")),
  };
}

/** True if the manifest restricts the free choice of parts: rules, limits, rollup, random order. */
export function hasSequencingRules(manifest: Element, organization: Element): boolean {
  const collection = children(manifest, "sequencingCollection").flatMap((element) => children(element, "sequencing"));
  return [...collection, ...findAll(organization, "sequencing")].some((sequencing) => {
    const rules = child(sequencing, "sequencingRules");
    const order = child(sequencing, "randomizationControls");
    const timings = [attribute(order, "randomizationtiming"), attribute(order, "selectiontiming")];
    return (
      ["preConditionRule", "exitConditionRule", "postConditionRule"].some((rule) => child(rules, rule)) ||
      children(sequencing, "controlMode").some(isRestricting) ||
      child(child(sequencing, "rollupRules"), "rollupRule") !== undefined ||
      attribute(child(sequencing, "limitConditions"), "attemptlimit") !== null ||
      child(sequencing, "constrainedChoiceConsiderations") !== undefined ||
      timings.some((timing) => timing !== null && timing !== "never")
    );
  });
}

const isRestricting = (mode: Element) =>
  attribute(mode, "choice") === "false" || attribute(mode, "forwardonly") === "true";

function findAll(element: Element, name: string): Element[] {
  return [...children(element, name), ...children(element, "item").flatMap((item) => findAll(item, name))];
}

function readObjective(element: Element, isPrimary: boolean) {
  const byMeasure = attribute(element, "satisfiedbymeasure") === "true";
  const measure = toNumber(textOf(child(element, "minNormalizedMeasure")), -1, 1) ?? 1;
  return { id: attribute(element, "objectiveid") ?? "", isPrimary, minNormalizedMeasure: byMeasure ? measure : null };
}

/** Null without a threshold. */
export function readThreshold(element: Element | undefined): ManifestItem["completionThreshold"] {
  if (!element) return null;
  // 2nd and 3rd Edition: the threshold is the text content. 4th Edition: attributes
  const text = toNumber(textOf(element), 0, 1);
  if (text !== null) return { completedByMeasure: true, minProgressMeasure: text };
  const minProgressMeasure = toNumber(attribute(element, "minprogressmeasure"), 0, 1) ?? 1;
  return { completedByMeasure: attribute(element, "completedbymeasure") === "true", minProgressMeasure };
}

/** A decimal number between `min` and `max`, otherwise null. */
export function toNumber(text: string | null, min: number, max: number): number | null {
  if (text === null || !/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}
