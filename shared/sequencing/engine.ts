import {
  createStateOf,
  type EngineActivity,
  type EngineState,
  type EngineTree,
} from "#shared/sequencing/engineState.ts";
import { toTreeSettings } from "#shared/sequencing/settings.ts";
import {
  assumeNothing,
  correct,
  keepUnknown,
  type DeliveryValidator,
  type RollupProcess,
} from "#shared/sequencing/corrections.ts";
import { actionBefore } from "#shared/sequencing/ruleActions.ts";
import { contentValues, type Content } from "#shared/sequencing/contentValues.ts";
import { createDraws } from "#shared/sequencing/randomness.ts";
import { type ActivityTree, listActivities } from "#shared/packages/activityTree.ts";

// The sequencing engine of scorm-again 3.4.3 around an activity tree, without its run-time API

type Fields = Record<string, unknown>;
export type Delivery = { valid: boolean; targetActivity: EngineActivity | null; exception: string | null };
type Following = { sequencingRequest: string | null; terminationRequest: string | null };
type Overall = {
  processNavigationRequest: (request: string, target: string | null, exit?: string) => Delivery;
  getGlobalObjectiveMap: () => Map<string, Fields>;
  setContentDelivered: (isDelivered: boolean) => void;
  hasContentBeenDelivered: () => boolean;
  invalidateNavigationCache: () => void;
  predictContinueEnabled: () => boolean;
  predictPreviousEnabled: () => boolean;
  predictChoiceEnabled: (id: string) => boolean;
  /** It reads what content has reported from the run-time API, which is another one here. */
  terminationHandler: {
    endAttempt: (activity: EngineActivity) => void;
    evaluatePostConditions: (activity: EngineActivity) => Following;
    getCMIData: () => unknown;
    _rteDataTransferService: { context: { getCMIData: () => unknown } };
  };
  rollupProcess: RollupProcess;
  deliveryValidator: DeliveryValidator;
  deliveryHandler: { fireDeliveryEvent: (activity: EngineActivity) => void };
  processDelivery: (activity: EngineActivity) => Delivery;
  getEffectiveHideLmsUi: (activity: EngineActivity | null) => string[];
};
type Service = { getOverallSequencingProcess: () => Overall };
type Api = {
  getSequencingService: () => Service;
  _sequencing: { activityTree: EngineTree };
  applyActivityLaunchData: (activity: EngineActivity) => void;
  cmi: { reset: () => void; objectives: { childArray: Fields[] } };
};
/** `Scorm2004API` of the module `scorm-again/scorm2004`. */
export type Library = new (settings: unknown) => Api;

const STOPPED: Delivery = { valid: false, targetActivity: null, exception: "SB.2.4-1" };

const pathOf = (activity: EngineActivity): EngineActivity[] =>
  activity.parent ? [...pathOf(activity.parent), activity] : [activity];

/**
 * A choice passes no activity whose rules stop it on the way forward (SN SB.2.4), which the engine checks only for the
 * target.
 */
function isStoppedBefore({ root, _currentActivity }: EngineTree, target: EngineActivity | null) {
  if (!target) return false;
  const [from, to] = [pathOf(_currentActivity ?? root), pathOf(target)];
  const depth = to.findIndex((one, n) => from[n] !== one);
  const [left, entered] = [from[depth], to[depth]];
  if (!left || !entered) return false;
  const siblings = entered.parent?._children ?? [];
  const passed = siblings.slice(siblings.indexOf(left), Math.max(0, siblings.indexOf(entered)));
  return passed.some((one) => actionBefore(one) === "stopForwardTraversal");
}

export type Engine = ReturnType<typeof createEngine>;

export function createEngine(Library: Library, { root }: ActivityTree) {
  const api = new Library({
    autocommit: false,
    logLevel: "NONE",
    sequencing: { activityTree: toTreeSettings(root), enableEventSystem: false, logLevel: "error" },
  });
  const overall = api.getSequencingService().getOverallSequencingProcess();
  const tree = api._sequencing.activityTree;
  // It only writes to the console
  overall.deliveryHandler.fireDeliveryEvent = () => {};
  let content: Content | null = null;
  const readContent = () => content && contentValues(content);
  overall.terminationHandler.getCMIData = readContent;
  overall.terminationHandler._rteDataTransferService.context.getCMIData = readContent;
  correct(overall.rollupProcess, overall.deliveryValidator, () => state.activities);
  const state = createStateOf(tree, overall.getGlobalObjectiveMap());
  const definitions = new Map(listActivities(root).map((one) => [one.id, one]));
  const draws = createDraws(state.activities, definitions);
  const endAttempt = overall.terminationHandler.endAttempt.bind(overall.terminationHandler);
  overall.terminationHandler.endAttempt = (activity) => {
    const isOwn = activity === tree._currentActivity && activity._children.length === 0;
    const end = () => keepUnknown(activity, isOwn ? content : null, () => endAttempt(activity));
    if (isOwn && content?.isStored) assumeNothing(activity, end);
    else end();
    draws.drawAgain(activity);
  };
  const evaluatePost = overall.terminationHandler.evaluatePostConditions.bind(overall.terminationHandler);
  // No rules follow an attempt that is suspended (TB.2.2)
  overall.terminationHandler.evaluatePostConditions = (activity) =>
    content?.isStored && activity.isSuspended && activity._children.length === 0
      ? { sequencingRequest: null, terminationRequest: null }
      : evaluatePost(activity);
  const byId = new Map(state.activities.map((activity) => [activity.id, activity]));

  const step = (request: string, target: string | null, of: Content | null): Delivery => {
    if (request === "choice" && isStoppedBefore(tree, byId.get(target ?? "") ?? null)) return STOPPED;
    content = of;
    try {
      return overall.processNavigationRequest(request, target, of?.exit ?? "");
    } finally {
      content = null;
      overall.invalidateNavigationCache();
    }
  };
  return {
    tree,
    overall,
    definitions,
    drawAll: draws.drawAll,
    find: (id: string) => byId.get(id) ?? null,
    /** `of`: what the content of the current activity has reported, null if it has not been initialized. */
    process(request: string, target: string | null, of: Content | null): Delivery {
      const delivery = step(request, target, of);
      const isOpened = delivery.valid || request !== "choice" || !of || !tree._currentActivity?.isActive;
      if (isOpened) return delivery;
      // What the current activity has reported may open the chosen one, which the engine judges before it ends
      const end = step("exit", null, of);
      return end.targetActivity || !tree._currentActivity ? end : step(request, target, null);
    },
    /** Delivers an activity without a request, by the checks of a delivery alone. */
    deliver: (activity: EngineActivity): Delivery =>
      activity._children.length === 0 ? overall.processDelivery(activity) : STOPPED,
    /** True if the attempt on the root has ended. As after suspending it, no activity is current any more. */
    endIfOver(exception: string | null): boolean {
      const isOver = exception === "SESSION_ENDED" || (!tree.root.isActive && !tree._suspendedActivity);
      if (isOver || tree._suspendedActivity) tree._currentActivity = null;
      return isOver;
    },
    /** The objectives of an activity as its content finds them. */
    objectivesAtLaunch(id: string): Fields[] {
      const activity = byId.get(id);
      if (!activity) return [];
      api.cmi.reset();
      api.cmi.objectives.childArray.length = 0;
      api.applyActivityLaunchData(activity);
      return [...api.cmi.objectives.childArray];
    },
    read: state.read,
    write(stored: EngineState | null) {
      state.write(stored);
      overall.setContentDelivered(stored?.current !== null && stored?.current !== undefined);
      overall.invalidateNavigationCache();
    },
  };
}
