import type { Content } from "#shared/sequencing/contentValues.ts";
import type { EngineState } from "#shared/sequencing/engineState.ts";
import type { Library } from "#shared/sequencing/engine.ts";
import { type StoredSequencing, writeSequenceEvents } from "#shared/sequencing/sequenceEvents.ts";
import { createSequencer, type NavigationRequest, type Outcome, readRequest } from "#shared/sequencing/sequencer.ts";
import type { ActivityTree } from "#shared/packages/activityTree.ts";
import { NAVIGATION_REQUEST } from "#shared/player/runTimeData.ts";
import type { FromShell } from "#shared/player/shell.ts";
import type { SessionEvent } from "#shared/player/player.ts";

/** How long after a report of the open part the page is told what the rules allow, in ms. */
const REFRESH_MS = 250;

type Hooks = {
  record: (event: Pick<SessionEvent, "type" | "sco" | "key" | "value">) => void;
  post: (message: Extract<FromShell, { type: "sequenced" | "allowed" }>) => void;
  /** What the open part has reported; null if it has not been initialized. */
  content: () => Content | null;
};

/** Follows the sequencing rules of a package: decides what is opened, and records every change of its activity tree. */
export async function followRules(tree: ActivityTree, given: StoredSequencing | null, hooks: Hooks) {
  const library = (await import("scorm-again/scorm2004")) as unknown as { Scorm2004API: Library };
  const sequencer = createSequencer(library.Scorm2004API, tree, given?.state ?? null);
  let stored = given;
  /** The tree before the open part has ended by itself: it may go on in another page. */
  let beforeEnd: EngineState | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const record = () => {
    const after = { state: sequencer.state(), root: sequencer.view().root };
    for (const value of writeSequenceEvents(stored, after)) hooks.record({ type: "sequence", value });
    stored = after;
  };
  /** What becomes of a part that has not said it: its status by the rules of the package. */
  const recordStatuses = (sco: string, content: Content | null) => {
    for (const [name, value] of sequencer.assumedStatuses(sco))
      if (content && content.values[name] !== value) hooks.record({ type: "scorm.set", sco, key: name, value });
  };
  const tell = (outcome: Outcome, isOwn: boolean) => {
    clearTimeout(timer);
    const { delivered, isEnded, exception } = outcome;
    hooks.post({ type: "sequenced", delivered, isEnded, isRefused: exception !== null, isOwn, view: sequencer.view() });
  };
  const navigate = (request: NavigationRequest, target: string | null, content: Content | null): Outcome => {
    const left = sequencer.current();
    const outcome = sequencer.navigate(request, target, content);
    if (left !== null && request !== "suspendAll" && content) recordStatuses(left, content);
    if (left !== null && request === "suspendAll")
      hooks.record({ type: "scorm.set", sco: left, key: NAVIGATION_REQUEST, value: "suspendAll" });
    record();
    return outcome;
  };

  return {
    /** The open part has reported something: what the rules allow may change. */
    onReported(name: string) {
      if (!/_status$|score|progress_measure$/.test(name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => hooks.post({ type: "allowed", view: sequencer.view(hooks.content()) }), REFRESH_MS);
    },
    isValid: (element: string) => sequencer.validity(element, hooks.content()),
    /** The values with which a part is opened. */
    valuesOf: (sco: string, values: Record<string, string>) => ({ ...values, ...sequencer.launchValues(sco, values) }),
    /** Begins where the learner was, or with `wanted` if it can be chosen. */
    enter(wanted: string | null) {
      const current = sequencer.current();
      const isOpen = current !== null && sequencer.isActive();
      if (wanted !== null && wanted !== current && sequencer.canChoose(wanted))
        return tell(navigate("choice", wanted, null), false);
      if (isOpen) return tell({ delivered: current, isResumed: true, isEnded: false, exception: null }, false);
      if (sequencer.isSuspended()) return tell(navigate("resumeAll", null, null), false);
      const isOver = sequencer.hasEnded();
      tell(isOver || current !== null ? sequencer.stay(isOver) : navigate("start", null, null), false);
    },
    /** A request of the learner; the page of the open part has been unloaded. */
    request(request: NavigationRequest, target: string | null, content: Content | null) {
      beforeEnd = null;
      tell(navigate(request, target, content), false);
    },
    /** The open part has ended by itself, with a navigation request or without. */
    end(request: string) {
      const asked = readRequest(request);
      beforeEnd = sequencer.state();
      const outcome = navigate(asked?.request ?? "exit", asked?.target ?? null, hooks.content());
      tell(outcome, asked === null);
    },
    /** The part that has ended begins again in another page: its attempt goes on. */
    goOn() {
      if (!beforeEnd) return;
      sequencer.restore(beforeEnd);
      beforeEnd = null;
      record();
    },
    /** Another part is opened, so that this one cannot go on. */
    opened() {
      beforeEnd = null;
    },
  };
}
export type Rules = Awaited<ReturnType<typeof followRules>>;
