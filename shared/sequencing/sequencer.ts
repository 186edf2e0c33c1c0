import { createEngine, type Library } from "#shared/sequencing/engine.ts";
import type { Content } from "#shared/sequencing/contentValues.ts";
import type { EngineState } from "#shared/sequencing/engineState.ts";
import { readLaunchValues } from "#shared/sequencing/launchValues.ts";
import { readRoot, readView, reopen, tryRequest, wouldContinue, wouldDeliver } from "#shared/sequencing/view.ts";
import type { ActivityTree } from "#shared/packages/activityTree.ts";

/** A navigation request of the learner or of content, without its target. */
export type NavigationRequest =
  | "start"
  | "resumeAll"
  | "continue"
  | "previous"
  | "choice"
  | "jump"
  | "exit"
  | "exitAll"
  | "abandon"
  | "abandonAll"
  | "suspendAll";

/**
 * `delivered`: the activity that is opened next; `isResumed`: with the data of its last visit; `isEnded`: the attempt
 * on the whole package has ended.
 */
export type Outcome = { delivered: string | null; isResumed: boolean; isEnded: boolean; exception: string | null };

/** Takes `{target=…}choice` apart; null for a text that is no navigation request. */
export function readRequest(text: string): { request: NavigationRequest; target: string | null } | null {
  const [, target, name] = /^\{target=([^}]{1,300})\}(choice|jump)$/.exec(text) ?? [];
  if (name) return { request: name as NavigationRequest, target: target as string };
  const plain = ["continue", "previous", "exit", "exitAll", "abandon", "abandonAll", "suspendAll"] as const;
  const request = plain.find((one) => one === text);
  return request ? { request, target: null } : null;
}

/** Decides by the rules of a package what is opened next. Its state can be stored and continued elsewhere. */
export function createSequencer(Library: Library, tree: ActivityTree, stored: EngineState | null) {
  const engine = createEngine(Library, tree);
  const { definitions } = engine;
  if (stored) engine.write(stored);
  else engine.drawAll();

  return {
    engine,
    definitions,
    current: () => engine.tree._currentActivity?.id ?? null,
    isActive: () => engine.tree._currentActivity?.isActive === true,
    isSuspended: () => engine.tree._suspendedActivity !== null,
    /** The last attempt on the whole package has ended. */
    hasEnded: () =>
      engine.tree.root.attemptCount > 0 && !engine.tree.root.isActive && engine.tree._suspendedActivity === null,
    canChoose: (id: string, content: Content | null) => wouldDeliver(engine, "choice", id, content),
    /** Nothing is opened: a part or the package has ended, and the learner decides what follows. */
    stay: (isEnded: boolean): Outcome => ({ delivered: null, isResumed: false, isEnded, exception: null }),
    /** The status that an activity has by the rules of the package, as data model values. */
    assumedStatuses(id: string): [name: string, value: string][] {
      const activity = engine.find(id);
      const isPassed = activity?.objectiveSatisfiedStatusKnown === true && activity.objectiveSatisfiedStatus === true;
      return [
        ...(activity?.completionStatus === "completed"
          ? [["cmi.completion_status", "completed"] as [string, string]]
          : []),
        ...(isPassed ? [["cmi.success_status", "passed"] as [string, string]] : []),
      ];
    },
    /** The result of the whole package. */
    root: () => readRoot(engine.tree.root),
    state: engine.read,
    restore: engine.write,
    launchValues: (id: string, resumed: Record<string, string> | null) => readLaunchValues(engine, id, resumed),
    /** `content`: of the open activity, as if it ended now. */
    view: (content: Content | null = null) => readView(engine, definitions, content),
    /** The value of an element `adl.nav.request_valid.…`; null for another one. */
    validity(element: string, content: Content | null): string | null {
      const [, plain, name, target] =
        /^adl\.nav\.request_valid\.(?:(continue|previous)|(choice|jump)\.\{target=([^}]{1,300})\})$/.exec(element) ??
        [];
      const request = plain ?? name;
      if (request === undefined) return null;
      if (plain === "continue") return String(wouldContinue(engine, content));
      return String(wouldDeliver(engine, request, target ?? null, content));
    },
    /** True if a request of the learner would end the open activity and then open nothing. */
    wouldRefuse: (request: NavigationRequest, target: string | null, content: Content | null) =>
      tryRequest(engine, request, target, content).isRefused,
    /** Opens what is current and has ended; null if that is not possible. */
    reopen(): Outcome | null {
      const delivered = reopen(engine)?.targetActivity ?? null;
      return (
        delivered && {
          delivered: delivered.id,
          isResumed: delivered._deliveryWasResumed === true,
          isEnded: false,
          exception: null,
        }
      );
    },
    /** `content`: of the activity that is left, null if it has not been initialized. */
    navigate(request: NavigationRequest, target: string | null, content: Content | null): Outcome {
      const { valid, targetActivity, exception } = engine.process(request, target, content);
      const delivered = valid ? targetActivity : null;
      return {
        delivered: delivered?.id ?? null,
        isResumed: delivered?._deliveryWasResumed === true,
        isEnded: engine.endIfOver(exception),
        exception,
      };
    },
  };
}
export type Sequencer = ReturnType<typeof createSequencer>;
