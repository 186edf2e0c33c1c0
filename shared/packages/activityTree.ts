import { z } from "zod";

// The sequencing of a SCORM 2004 package: its activities with everything that their manifest says about the order

/** Limits of what is followed; rules beyond them are cut with a finding, larger trees are not followed at all. */
export const sequencingLimits = {
  activities: 500,
  rulesPerActivity: 50,
  conditionsPerRule: 20,
  objectivesPerActivity: 100,
  mapsPerObjective: 20,
  /** Rules and maps of the whole tree. */
  total: 5000,
  idChars: 1000,
  /** The whole tree as JSON. */
  chars: 1_000_000,
  /** Its state in an attempt, as JSON. */
  stateChars: 2_000_000,
};

const conditions = [
  "satisfied",
  "objectiveStatusKnown",
  "objectiveMeasureKnown",
  "completed",
  "activityProgressKnown",
  "attempted",
  "attemptLimitExceeded",
  "timeLimitExceeded",
  "outsideAvailableTimeRange",
] as const;
export const ruleConditions = [
  ...conditions,
  "objectiveMeasureGreaterThan",
  "objectiveMeasureLessThan",
  "always",
] as const;
export const preActions = ["skip", "disabled", "hiddenFromChoice", "stopForwardTraversal"] as const;
export const exitActions = ["exit"] as const;
export const postActions = ["exitParent", "exitAll", "retry", "retryAll", "continue", "previous"] as const;
export const rollupConditions = [...conditions, "never"] as const;
export const rollupActions = ["satisfied", "notSatisfied", "completed", "incomplete"] as const;
export const childSets = ["all", "any", "none", "atLeastCount", "atLeastPercent"] as const;
export const requirements = ["always", "ifAttempted", "ifNotSkipped", "ifNotSuspended"] as const;
export const timings = ["never", "once", "onEachNewAttempt"] as const;
export const hiddenControls = [
  "previous",
  "continue",
  "exit",
  "exitAll",
  "abandon",
  "abandonAll",
  "suspendAll",
] as const;

const combination = z.enum(["all", "any"]);
const rule = <A extends readonly [string, ...string[]]>(actions: A) =>
  z.object({
    action: z.enum(actions),
    combination,
    conditions: z.array(
      z.object({
        condition: z.enum(ruleConditions),
        isNot: z.boolean().optional(),
        objective: z.string().optional(),
        threshold: z.number().optional(),
      }),
    ),
  });
export const objectiveMap = z.object({
  target: z.string(),
  /** What of the shared objective is read and written, such as `satisfiedStatus` or `rawScore`. */
  reads: z.array(z.string()),
  writes: z.array(z.string()),
});
export const sequencedObjective = z.object({
  id: z.string(),
  satisfiedByMeasure: z.boolean().optional(),
  minNormalizedMeasure: z.number().optional(),
  maps: z.array(objectiveMap).optional(),
});
export type SequencedObjective = z.infer<typeof sequencedObjective>;

/** Values that are missing are the defaults of IMS Simple Sequencing 1.0 and SCORM 2004 4th Edition SN. */
export const sequencingDefinition = z.object({
  control: z.record(z.string(), z.boolean()).optional(),
  pre: z.array(rule(preActions)).optional(),
  exit: z.array(rule(exitActions)).optional(),
  post: z.array(rule(postActions)).optional(),
  attemptLimit: z.int().optional(),
  /** ISO 8601. */
  attemptDurationLimit: z.string().optional(),
  rollup: z
    .object({
      objectiveSatisfied: z.boolean().optional(),
      progressCompletion: z.boolean().optional(),
      measureWeight: z.number().optional(),
      rules: z
        .array(
          z.object({
            action: z.enum(rollupActions),
            combination,
            childSet: z.enum(childSets),
            minimumCount: z.int().optional(),
            minimumPercent: z.number().optional(),
            conditions: z.array(z.object({ condition: z.enum(rollupConditions), isNot: z.boolean().optional() })),
          }),
        )
        .optional(),
    })
    .optional(),
  considerations: z.record(z.string(), z.enum(requirements)).optional(),
  measureSatisfactionIfActive: z.boolean().optional(),
  primary: sequencedObjective.optional(),
  objectives: z.array(sequencedObjective).optional(),
  preventActivation: z.boolean().optional(),
  constrainChoice: z.boolean().optional(),
  random: z
    .object({
      order: z.enum(timings).optional(),
      reorder: z.boolean().optional(),
      selection: z.enum(timings).optional(),
      count: z.int().optional(),
    })
    .optional(),
  tracked: z.boolean().optional(),
  completionSetByContent: z.boolean().optional(),
  objectiveSetByContent: z.boolean().optional(),
  completion: z.object({ byMeasure: z.boolean(), minProgress: z.number(), weight: z.number() }).optional(),
  hidden: z.array(z.enum(hiddenControls)).optional(),
});
export type SequencingDefinition = z.infer<typeof sequencingDefinition>;

export const activity = sequencingDefinition.extend({
  /** The identifier of the item, and of the part. */
  id: z.string(),
  isVisible: z.boolean().optional(),
  get children() {
    return z.array(activity).optional();
  },
});
export type Activity = z.infer<typeof activity>;

/** `isGlobalToSystem`: shared objectives are said to last beyond an attempt (adlseq:objectivesGlobalToSystem). */
export const activityTree = z.object({ root: activity, isGlobalToSystem: z.boolean() });
export type ActivityTree = z.infer<typeof activityTree>;

/** All activities below an activity and itself, each before its children. */
export const listActivities = (root: Activity): Activity[] => [root, ...(root.children ?? []).flatMap(listActivities)];
