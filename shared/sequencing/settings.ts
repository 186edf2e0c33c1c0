import { type Activity, listActivities, type SequencedObjective } from "#shared/packages/activityTree.ts";

// An activity tree in the settings of the engine (scorm-again 3.4.3), whose defaults are not those of the standard

const upper = (name: string) => name[0]?.toUpperCase() + name.slice(1);
const fields = [
  "satisfiedStatus",
  "normalizedMeasure",
  "rawScore",
  "minScore",
  "maxScore",
  "completionStatus",
  "progressMeasure",
];

const toObjective = (objective: SequencedObjective) => ({
  objectiveID: objective.id,
  satisfiedByMeasure: objective.satisfiedByMeasure ?? false,
  minNormalizedMeasure: objective.minNormalizedMeasure ?? 1,
  mapInfo: (objective.maps ?? []).map(({ target, reads, writes }) => ({
    targetObjectiveID: target,
    ...Object.fromEntries(
      fields.flatMap((field) => [
        [`read${upper(field)}`, reads.includes(field)],
        [`write${upper(field)}`, writes.includes(field)],
      ]),
    ),
  })),
});

type Rule = NonNullable<Activity["pre"]>[number] | NonNullable<Activity["exit"]>[number];
type AnyRule = Rule | NonNullable<Activity["post"]>[number];
const toRule = ({ action, combination, conditions }: AnyRule) => ({
  action,
  conditionCombination: combination,
  conditions: conditions.map(({ condition, isNot, objective, threshold }) => ({
    condition: condition === "completed" ? "activityCompleted" : condition,
    operator: isNot ? "not" : null,
    ...(objective && { referencedObjective: objective }),
    parameters: { threshold: threshold ?? 0 },
  })),
});

/**
 * The name of a primary objective without an id: the engine leaves out objectives without one. It begins with a
 * character for private use, so that no package has it.
 */
export const UNNAMED_OBJECTIVE = "\uf8ffprimary";

/** A package with one part opens it, whatever the groups around it say. */
export const toTreeSettings = (root: Activity) =>
  toSettings(root, listActivities(root).filter(({ children }) => !children).length === 1);

function toSettings(activity: Activity, opensOnly: boolean): Record<string, unknown> {
  const { rollup = {}, random = {} } = activity;
  const control = opensOnly ? { ...activity.control, choice: false, flow: true } : (activity.control ?? {});
  const attemptLimit = activity.attemptLimit ?? null;
  return {
    id: activity.id,
    title: activity.id,
    isVisible: activity.isVisible ?? true,
    ...(attemptLimit !== null && { attemptLimit }),
    primaryObjective: toObjective({ ...activity.primary, id: activity.primary?.id || UNNAMED_OBJECTIVE }),
    objectives: (activity.objectives ?? []).map(toObjective),
    sequencingRules: {
      preConditionRules: (activity.pre ?? []).map(toRule),
      exitConditionRules: (activity.exit ?? []).map(toRule),
      postConditionRules: (activity.post ?? []).map(toRule),
    },
    sequencingControls: {
      choice: control.choice ?? true,
      choiceExit: control.choiceExit ?? true,
      flow: control.flow ?? false,
      forwardOnly: control.forwardOnly ?? false,
      useCurrentAttemptObjectiveInfo: control.useCurrentAttemptObjectiveInfo ?? true,
      useCurrentAttemptProgressInfo: control.useCurrentAttemptProgressInfo ?? true,
      preventActivation: activity.preventActivation ?? false,
      constrainChoice: activity.constrainChoice ?? false,
      rollupObjectiveSatisfied: rollup.objectiveSatisfied ?? true,
      rollupProgressCompletion: rollup.progressCompletion ?? true,
      objectiveMeasureWeight: rollup.measureWeight ?? 1,
      // Drawn by randomness.ts: to the engine it is done
      selectionTiming: (random.selection ?? "never") === "never" ? "never" : "once",
      selectionCountStatus: true,
      selectCount: random.count ?? null,
    },
    deliveryControls: {
      tracked: activity.tracked ?? true,
      completionSetByContent: activity.completionSetByContent ?? false,
      objectiveSetByContent: activity.objectiveSetByContent ?? false,
    },
    rollupRules: {
      rules: (rollup.rules ?? []).map((rule) => ({
        action: rule.action,
        conditionCombination: rule.combination,
        consideration: rule.childSet,
        minimumCount: rule.minimumCount ?? 0,
        minimumPercent: (rule.minimumPercent ?? 0) * 100,
        conditions: rule.conditions.map(({ condition, isNot }) => ({
          condition: condition === "activityProgressKnown" ? "progressKnown" : condition,
          operator: isNot ? "not" : "noOp",
        })),
      })),
    },
    rollupConsiderations: {
      ...activity.considerations,
      ...(activity.measureSatisfactionIfActive !== undefined && {
        measureSatisfactionIfActive: activity.measureSatisfactionIfActive,
      }),
    },
    ...(activity.completion && {
      completionThreshold: {
        completedByMeasure: activity.completion.byMeasure,
        minProgressMeasure: activity.completion.minProgress,
        progressWeight: activity.completion.weight,
      },
    }),
    hideLmsUi: activity.hidden ?? [],
    ...(activity.children && { children: activity.children.map((one) => toSettings(one, opensOnly)) }),
  };
}
