import { readThreshold, toNumber } from "#server/packages/sequencing.ts";
import { attribute, child, children, textOf, type Element } from "#server/packages/xml.ts";
import {
  childSets,
  exitActions,
  hiddenControls,
  postActions,
  preActions,
  requirements,
  rollupActions,
  rollupConditions,
  ruleConditions,
  sequencingLimits as limits,
  type SequencedObjective,
  type SequencingDefinition,
  timings,
} from "#shared/packages/activityTree.ts";

type Part = (name: string) => Element | undefined;
/** Called when something of a definition is not followed: it is unknown, or too much. */
export type OnCut = () => void;

/**
 * What a manifest says about the sequencing of one item or organization. A local child element replaces that of the
 * collection to which `IDRef` points. Sources: IMS Simple Sequencing 1.0, SCORM 2004 4th Edition CAM 5.1 and SN 3.
 */
export function readDefinition(item: Element, collection: Map<string, Element>, onCut: OnCut): SequencingDefinition {
  const local = child(item, "sequencing");
  const shared = collection.get(attribute(local, "idref") ?? "");
  const part: Part = (name) => child(local, name) ?? child(shared, name);
  const rules = part("sequencingRules");
  const limitConditions = part("limitConditions");
  const constraints = part("constrainedChoiceConsiderations");
  const delivery = part("deliveryControls");
  const { primary, objectives } = readObjectives([local, shared], onCut);
  const interfaces = child(child(item, "presentation"), "navigationInterface");
  return withoutNothing({
    control: readControl(part("controlMode")),
    pre: readRules(children(rules, "preConditionRule"), preActions, onCut),
    exit: readRules(children(rules, "exitConditionRule"), exitActions, onCut),
    post: readRules(children(rules, "postConditionRule"), postActions, onCut),
    attemptLimit: readCount(attribute(limitConditions, "attemptlimit")),
    attemptDurationLimit: attribute(limitConditions, "attemptabsolutedurationlimit")?.slice(0, 100),
    rollup: readRollup(part("rollupRules"), onCut),
    ...readConsiderations(part("rollupConsiderations")),
    primary,
    objectives,
    preventActivation: flag(constraints, "preventactivation"),
    constrainChoice: flag(constraints, "constrainchoice"),
    random: readRandom(part("randomizationControls")),
    tracked: flag(delivery, "tracked"),
    completionSetByContent: flag(delivery, "completionsetbycontent"),
    objectiveSetByContent: flag(delivery, "objectivesetbycontent"),
    completion: readCompletion(child(item, "completionThreshold")),
    hidden: unlessEmpty(
      hiddenControls.filter((name) => children(interfaces, "hideLMSUI").some((one) => textOf(one) === name)),
    ),
  });
}

type Given<T> = { [K in keyof T]?: T[K] | undefined };
/** Without the values that are missing. */
const withoutNothing = <T extends object>(values: Given<T>): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
const unlessEmpty = <T>(list: T[]) => (list.length > 0 ? list : undefined);

function flag(element: Element | undefined, name: string): boolean | undefined {
  const value = attribute(element, name)?.toLowerCase();
  if (value === "true" || value === "1") return true;
  return value === "false" || value === "0" ? false : undefined;
}
const oneOf = <T extends string>(values: readonly T[], text: string | null): T | undefined =>
  values.find((value) => value === text);
const readCount = (text: string | null) => (text !== null && /^\d{1,6}$/.test(text) ? Number(text) : undefined);
const readMeasure = (text: string | null, min = -1, max = 1) => toNumber(text, min, max) ?? undefined;

/** The first of a list; what is beyond the limit is cut. */
function firstOf<T>(list: T[], limit: number, onCut: OnCut): T[] {
  if (list.length > limit) onCut();
  return list.slice(0, limit);
}

const controls = {
  choice: "choice",
  choiceexit: "choiceExit",
  flow: "flow",
  forwardonly: "forwardOnly",
  usecurrentattemptobjectiveinfo: "useCurrentAttemptObjectiveInfo",
  usecurrentattemptprogressinfo: "useCurrentAttemptProgressInfo",
} as const;

function readControl(element: Element | undefined) {
  const values = Object.entries(controls).flatMap(([name, key]) => {
    const value = flag(element, name);
    return value === undefined ? [] : [[key, value] as const];
  });
  return values.length > 0 ? Object.fromEntries(values) : undefined;
}

/** A rule without a known action, or with an unknown condition, is not followed. */
function readRules<A extends readonly string[]>(elements: Element[], actions: A, onCut: OnCut) {
  const rules = firstOf(elements, limits.rulesPerActivity, onCut).flatMap((element) => {
    const action = oneOf<A[number]>(actions, attribute(child(element, "ruleAction"), "action"));
    const list = child(element, "ruleConditions");
    const conditions = readConditions(children(list, "ruleCondition"), onCut);
    if (!action || !conditions) {
      onCut();
      return [];
    }
    return { action, combination: oneOf(["any"], attribute(list, "conditioncombination")) ?? "all", conditions };
  });
  return unlessEmpty(rules as { action: A[number]; combination: "all" | "any"; conditions: Condition[] }[]);
}

type Condition = NonNullable<SequencingDefinition["pre"]>[number]["conditions"][number];

function readConditions(elements: Element[], onCut: OnCut): Condition[] | null {
  if (elements.length === 0 || elements.length > limits.conditionsPerRule) return null;
  const conditions = elements.map((element) => {
    const condition = oneOf(ruleConditions, attribute(element, "condition"));
    if (!condition) return null;
    const objective = attribute(element, "referencedobjective") ?? undefined;
    if (objective && objective.length > limits.idChars) onCut();
    return withoutNothing<Condition>({
      condition,
      isNot: attribute(element, "operator") === "not" || undefined,
      objective: objective?.slice(0, limits.idChars).toWellFormed(),
      threshold: readMeasure(attribute(element, "measurethreshold")),
    });
  });
  return conditions.includes(null) ? null : (conditions as Condition[]);
}

function readRollup(element: Element | undefined, onCut: OnCut): SequencingDefinition["rollup"] {
  if (!element) return undefined;
  const rules = firstOf(children(element, "rollupRule"), limits.rulesPerActivity, onCut).flatMap((rule) => {
    const action = oneOf(rollupActions, attribute(child(rule, "rollupAction"), "action"));
    const list = child(rule, "rollupConditions");
    const conditions = children(list, "rollupCondition").map((one) => ({
      condition: oneOf(rollupConditions, attribute(one, "condition")),
      ...(attribute(one, "operator") === "not" && { isNot: true }),
    }));
    const isKnown = conditions.every(({ condition }) => condition !== undefined);
    if (!action || !isKnown || conditions.length === 0 || conditions.length > limits.conditionsPerRule) {
      onCut();
      return [];
    }
    type Rule = NonNullable<NonNullable<SequencingDefinition["rollup"]>["rules"]>[number];
    return withoutNothing<Rule>({
      action,
      combination: oneOf(["all"], attribute(list, "conditioncombination")) ?? "any",
      childSet: oneOf(childSets, attribute(rule, "childactivityset")) ?? "all",
      minimumCount: readCount(attribute(rule, "minimumcount")),
      minimumPercent: readMeasure(attribute(rule, "minimumpercent"), 0, 1),
      conditions: conditions as Rule["conditions"],
    });
  });
  return withoutNothing<NonNullable<SequencingDefinition["rollup"]>>({
    objectiveSatisfied: flag(element, "rollupobjectivesatisfied"),
    progressCompletion: flag(element, "rollupprogresscompletion"),
    measureWeight: readMeasure(attribute(element, "objectivemeasureweight"), 0, 1),
    rules: unlessEmpty(rules),
  });
}

function readConsiderations(element: Element | undefined) {
  const names = ["Satisfied", "NotSatisfied", "Completed", "Incomplete"];
  const values = names.flatMap((name) => {
    const value = oneOf(requirements, attribute(element, `requiredfor${name.toLowerCase()}`));
    return value ? [[`requiredFor${name}`, value] as const] : [];
  });
  return {
    considerations: values.length > 0 ? Object.fromEntries(values) : undefined,
    measureSatisfactionIfActive: flag(element, "measuresatisfactionifactive"),
  };
}

function readRandom(element: Element | undefined): SequencingDefinition["random"] {
  if (!element) return undefined;
  return withoutNothing<NonNullable<SequencingDefinition["random"]>>({
    order: oneOf(timings, attribute(element, "randomizationtiming")),
    reorder: flag(element, "reorderchildren"),
    selection: oneOf(timings, attribute(element, "selectiontiming")),
    count: readCount(attribute(element, "selectcount")),
  });
}

function readCompletion(element: Element | undefined): SequencingDefinition["completion"] {
  const threshold = readThreshold(element);
  if (!threshold) return undefined;
  const { completedByMeasure: byMeasure, minProgressMeasure: minProgress } = threshold;
  return { byMeasure, minProgress, weight: readMeasure(attribute(element, "progressweight"), 0, 1) ?? 1 };
}

const maps = {
  imsss: ["satisfiedStatus", "normalizedMeasure"],
  adlseq: ["rawScore", "minScore", "maxScore", "completionStatus", "progressMeasure"],
};

/** `adlseq:objectives`, which only maps objectives, has the same name as `imsss:objectives` without its prefix. */
function readObjectives(places: (Element | undefined)[], onCut: OnCut) {
  const lists = places.map((place) => children(place, "objectives"));
  const isMain = (list: Element) => child(list, "primaryObjective") !== undefined;
  const main = lists.map((some) => some.find(isMain) ?? some[0]).find((list) => list !== undefined);
  const extension = lists.map((some) => some.find((list) => list !== main && !isMain(list))).find(Boolean);
  const extra = new Map(children(extension, "objective").map((one) => [attribute(one, "objectiveid") ?? "", one]));
  const read = (element: Element): SequencedObjective => {
    const id = (attribute(element, "objectiveid") ?? "").slice(0, limits.idChars).toWellFormed();
    return withoutNothing<SequencedObjective>({
      id,
      satisfiedByMeasure: flag(element, "satisfiedbymeasure"),
      minNormalizedMeasure: readMeasure(textOf(child(element, "minNormalizedMeasure"))),
      maps: readMaps(element, extra.get(id), onCut),
    });
  };
  const primary = child(main, "primaryObjective");
  const objectives = firstOf(children(main, "objective"), limits.objectivesPerActivity, onCut).map(read);
  return { primary: primary && read(primary), objectives: unlessEmpty(objectives.filter(({ id }) => id !== "")) };
}

function readMaps(element: Element, extension: Element | undefined, onCut: OnCut) {
  const byTarget = new Map<string, { reads: string[]; writes: string[] }>();
  const add = (of: Element | undefined, names: string[]) => {
    for (const map of firstOf(children(of, "mapInfo"), limits.mapsPerObjective, onCut)) {
      const target = attribute(map, "targetobjectiveid");
      if (!target || target.length > limits.idChars) {
        onCut();
        continue;
      }
      const known = byTarget.get(target) ?? { reads: [], writes: [] };
      known.reads.push(...names.filter((name) => flag(map, `read${name.toLowerCase()}`) ?? true));
      known.writes.push(...names.filter((name) => flag(map, `write${name.toLowerCase()}`) ?? false));
      byTarget.set(target, known);
    }
  };
  add(element, maps.imsss);
  add(extension, maps.adlseq);
  return unlessEmpty([...byTarget].map(([target, of]) => ({ target, ...of })));
}
