import { checkRollupRule, type ChildFilter, type RollupRule } from "#shared/sequencing/rollupRules.ts";
import type { Content } from "#shared/sequencing/contentValues.ts";
import type { EngineActivity } from "#shared/sequencing/engineState.ts";

// Where the engine (scorm-again 3.4.3) deviates from the pseudo code of SCORM 2004 4th Edition SN, as ADL's test cases
// show. Each correction names them.

type Fields = Record<string, unknown>;
export type RollupProcess = {
  measureProcessor: { calculateComplexWeightedMeasure: (activity: EngineActivity) => number };
  childFilter: ChildFilter;
  ruleEvaluator: { evaluateRollupRule: (activity: EngineActivity, rule: RollupRule) => boolean };
  processGlobalObjectiveMapping: (root: EngineActivity, shared: Map<string, Fields>) => void;
};

const weightOf = (activity: EngineActivity) => Number(activity.sequencingControls.objectiveMeasureWeight);
const available = (activity: EngineActivity) => activity._processedChildren ?? activity._children;

/**
 * Children without a known measure count with their weight too (RB.1.1 a; MS-05, MS-06, T-01): the engine divides by
 * the weights of the others only.
 */
function weighMeasures(activity: EngineActivity): number {
  const children = available(activity).filter((child) => child.sequencingControls.tracked !== false);
  const known = children.filter(
    (child) => child.objectiveMeasureStatus === true && child._objectiveInfoAvailableInCurrentParentAttempt !== false,
  );
  const total = children.reduce((sum, child) => sum + weightOf(child), 0);
  const measure = known.reduce((sum, child) => sum + Number(child.objectiveNormalizedMeasure) * weightOf(child), 0);
  return total > 0 ? measure / total : 0;
}

type ObjectiveMap = { readProgressMeasure: boolean; targetObjectiveID: string };

/**
 * A progress measure that is read from a shared objective decides on completion where the activity is completed by its
 * measure (RB.1.1 b, CO-02 to CO-05): the engine takes the completion status of the shared objective.
 */
function completeByMeasure(activity: EngineActivity, shared: Map<string, Fields>) {
  const maps = (activity._primaryObjective?._mapInfo ?? []) as ObjectiveMap[];
  const read = maps.find(({ readProgressMeasure }) => readProgressMeasure);
  const progress = read && shared.get(read.targetObjectiveID);
  if (activity._completedByMeasure !== true || !progress) return;
  if (progress.progressMeasureKnown === true) {
    const isDone = Number(progress.progressMeasure) >= Number(activity._minProgressMeasure);
    activity.completionStatus = isDone ? "completed" : "incomplete";
  } else if (activity.attemptCount === 0) activity.completionStatus = "unknown";
}

/**
 * An activity whose content has said nothing of its completion stays unknown unless it is completed automatically, and
 * it is not if the content has said "unknown" (UP.4; CM-06, SX-12): the engine makes it incomplete, or completed.
 */
export function keepUnknown(activity: EngineActivity, content: Content | null, end: () => void) {
  const said = content?.values["cmi.completion_status"] ?? "";
  const isByMeasure = activity._completedByMeasure === true;
  if (!content || isByMeasure || (said !== "" && said !== "unknown")) return end();
  const { sequencingControls: controls } = activity;
  const isSetByContent = controls._completionSetByContent;
  if (content.set.has("cmi.completion_status")) controls._completionSetByContent = true;
  if (activity.completionStatus === "not attempted") activity.completionStatus = "unknown";
  const inherited = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(activity), "completionStatus");
  Object.defineProperty(activity, "completionStatus", {
    configurable: true,
    get: () => activity._completionStatus,
    set: (status: string) => {
      if (status !== "incomplete") inherited?.set?.call(activity, status);
    },
  });
  try {
    end();
  } finally {
    delete (activity as Fields).completionStatus;
    controls._completionSetByContent = isSetByContent;
  }
}

/** Ends the attempt of content that was not initialized: it is neither completed nor satisfied automatically (UP.4). */
export function assumeNothing({ sequencingControls: controls }: EngineActivity, end: () => void) {
  const { _completionSetByContent, _objectiveSetByContent } = controls;
  Object.assign(controls, { _completionSetByContent: true, _objectiveSetByContent: true });
  try {
    end();
  } finally {
    Object.assign(controls, { _completionSetByContent, _objectiveSetByContent });
  }
}

export type DeliveryValidator = { checkLimitConditions: (activity: EngineActivity) => boolean };

export function correct(rollup: RollupProcess, validator: DeliveryValidator, activities: () => EngineActivity[]) {
  // An attempt that is under way is within its limit (UP.1; T-01)
  const checkLimits = validator.checkLimitConditions.bind(validator);
  validator.checkLimitConditions = (activity) => activity.isActive || checkLimits(activity);
  const { childFilter, ruleEvaluator } = rollup;
  ruleEvaluator.evaluateRollupRule = (activity, rule) => checkRollupRule(childFilter, available(activity), rule);
  rollup.measureProcessor.calculateComplexWeightedMeasure = weighMeasures;
  const map = rollup.processGlobalObjectiveMapping.bind(rollup);
  rollup.processGlobalObjectiveMapping = (root, shared) => {
    map(root, shared);
    for (const activity of activities()) if (!activity.isActive) completeByMeasure(activity, shared);
  };
}
