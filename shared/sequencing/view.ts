import type { Content } from "#shared/sequencing/contentValues.ts";
import type { Delivery, Engine } from "#shared/sequencing/engine.ts";
import type { EngineActivity, EngineState } from "#shared/sequencing/engineState.ts";
import { actionBefore } from "#shared/sequencing/ruleActions.ts";
import type { RootResult } from "#shared/sequencing/rootResult.ts";
import type { Activity } from "#shared/packages/activityTree.ts";

/**
 * Why a part cannot be chosen: the rules of the package close it for now or for good, its tries are used up, its group
 * is opened one part after another, it opens by itself, the current group must be ended first, parts may not be
 * skipped, or another reason.
 */
export const closedReasons = ["closed", "tries", "inOrder", "byItself", "endFirst", "skipped", "other"] as const;
export type ClosedReason = (typeof closedReasons)[number];

export type Choice = {
  id: string;
  isOpen: boolean;
  /** Not listed: hidden by a rule or the manifest, or not among the selected parts. */
  isHidden: boolean;
  reason: ClosedReason | null;
};
export type SequencingView = {
  /** The activity that is open, or was before its attempt ended. */
  current: string | null;
  isActive: boolean;
  /** The current group leads from part to part: back and forth may become possible. */
  isFlowing: boolean;
  /** What is current has ended, and can be opened again. */
  canReopen: boolean;
  canContinue: boolean;
  canPrevious: boolean;
  /** Controls that the package hides for the current activity. */
  hidden: string[];
  /** The root and all activities below it, in their present order. */
  choices: Choice[];
  /** The result of the whole package. */
  root: RootResult;
};
/** Nothing is known, and nothing allowed. */
export const NO_VIEW: SequencingView = {
  current: null,
  isActive: false,
  isFlowing: false,
  canReopen: false,
  canContinue: false,
  canPrevious: false,
  hidden: [],
  choices: [],
  root: { completion: "unknown", success: "unknown", measure: null, progress: null },
};

type Engines = Pick<Engine, "tree" | "overall" | "read" | "write" | "process" | "deliver" | "endIfOver">;

/** In larger trees the engine says what can be chosen, which it does faster and less exactly. */
const MAX_TRIED = 60;

/** What a request would lead to: it is tried on the tree, and undone. */
export function tryRequest(
  engine: Engines,
  request: string,
  target: string | null,
  content: Content | null,
  before = engine.read(),
) {
  try {
    const { valid, targetActivity, exception } = engine.process(request, target, content);
    const isDelivering = valid && targetActivity !== null;
    const isEnding = engine.endIfOver(exception);
    return { isDelivering, isEnding, isRefused: !isDelivering && !isEnding && exception !== null };
  } finally {
    engine.write(before);
  }
}
export const wouldDeliver = (...request: Parameters<typeof tryRequest>) => tryRequest(...request).isDelivering;

/** Continuing opens something or ends the package, after what the current activity has reported. */
export function wouldContinue(engine: Engines, content: Content | null, before = engine.read()) {
  if (!canFlow(engine.tree._currentActivity)) return false;
  const { isDelivering, isEnding } = tryRequest(engine, "continue", null, content, before);
  return isDelivering || isEnding;
}

/** Opens the current activity again, whose attempt has ended: null if the rules do not allow it in any way. */
export function reopen(engine: Engines, before = engine.read()): Delivery | null {
  const { tree, process, deliver } = engine;
  const current = tree._currentActivity;
  if (!current || current.isActive) return null;
  for (const open of [
    () => process("choice", current.id, null),
    () => deliver(current),
    () => process("choice", tree.root.id, null),
  ]) {
    const delivery = open();
    if (delivery.valid && delivery.targetActivity) return delivery;
    engine.write(before);
  }
  return null;
}
function canReopen(engine: Engines, before: EngineState) {
  try {
    return reopen(engine, before) !== null;
  } finally {
    engine.write(before);
  }
}

export function readView(engine: Engines, definitions: Map<string, Activity>, content: Content | null): SequencingView {
  const { tree, overall } = engine;
  const current = tree._currentActivity;
  const before = engine.read();
  const isChoosable = (id: string) =>
    definitions.size <= MAX_TRIED
      ? wouldDeliver(engine, "choice", id, content, before)
      : overall.predictChoiceEnabled(id);
  const list = (activity: EngineActivity, isOut: boolean): { activity: EngineActivity; isOut: boolean }[] => {
    const used = activity._processedChildren ?? activity._children;
    const all = [...used, ...activity._children.filter((one) => !used.includes(one))];
    return all.flatMap((one) => {
      const isLeftOut = isOut || !used.includes(one);
      return [{ activity: one, isOut: isLeftOut }, ...list(one, isLeftOut)];
    });
  };
  return {
    current: current?.id ?? null,
    isActive: current?.isActive === true,
    isFlowing: canFlow(current),
    canReopen: canReopen(engine, before),
    canContinue: wouldContinue(engine, content, before),
    canPrevious: canFlow(current) && wouldDeliver(engine, "previous", null, content, before),
    hidden: overall.getEffectiveHideLmsUi(current),
    choices: [{ activity: tree.root, isOut: false }, ...list(tree.root, false)].map(({ activity, isOut }) => {
      const isHidden = isOut || definitions.get(activity.id)?.isVisible === false || isHiddenByRule(activity);
      const isOpen = !isHidden && isChoosable(activity.id);
      return { id: activity.id, isOpen, isHidden, reason: isOpen ? null : findReason(activity, definitions, current) };
    }),
    root: readRoot(tree.root),
  };
}

const canFlow = (current: EngineActivity | null) => current?.parent?.sequencingControls.flow === true;

const isHiddenByRule = (activity: EngineActivity) => actionBefore(activity) === "hiddenFromChoice";

const ancestors = (activity: EngineActivity): EngineActivity[] =>
  activity.parent ? [activity.parent, ...ancestors(activity.parent)] : [];

const siblingsBefore = (activity: EngineActivity) => {
  const siblings = activity.parent?._children ?? [];
  return siblings.slice(0, siblings.indexOf(activity));
};

function findReason(
  activity: EngineActivity,
  definitions: Map<string, Activity>,
  current: EngineActivity | null,
): ClosedReason {
  const path = [activity, ...ancestors(activity)];
  const definitionOf = (one: EngineActivity) => definitions.get(one.id);
  if (path.some((one) => actionBefore(one) === "disabled")) return "closed";
  if (path.some((one) => (definitionOf(one)?.attemptLimit ?? Infinity) <= one.attemptCount)) return "tries";
  if (activity.parent?.sequencingControls.choice === false) return "inOrder";
  const left = current ? [current, ...ancestors(current)].filter((one) => !path.includes(one)) : [];
  if (left.some((one) => one.isActive && one.sequencingControls.choiceExit === false)) return "endFirst";
  if (path.some((one) => definitionOf(one)?.preventActivation && !one.isActive)) return "byItself";
  if (left.some((one) => definitionOf(one)?.constrainChoice)) return "skipped";
  if (path.some((one) => siblingsBefore(one).some((before) => actionBefore(before) === "stopForwardTraversal")))
    return "inOrder";
  return "other";
}

export function readRoot(root: EngineActivity): RootResult {
  const measure = root.objectiveMeasureStatus === true ? Number(root.objectiveNormalizedMeasure) : null;
  const progress = root.attemptCompletionAmountStatus === true ? Number(root.attemptCompletionAmount) : null;
  const success = root.objectiveSatisfiedStatusKnown === true ? root.objectiveSatisfiedStatus === true : null;
  return {
    completion: oneOf(["incomplete", "completed"], root.completionStatus) ?? "unknown",
    success: success === null ? "unknown" : ({ true: "passed", false: "failed" } as const)[`${success}`],
    measure: measure !== null && Number.isFinite(measure) ? measure : null,
    progress: progress !== null && Number.isFinite(progress) ? progress : null,
  };
}
const oneOf = <T extends string>(values: readonly T[], text: unknown) => values.find((value) => value === text);
