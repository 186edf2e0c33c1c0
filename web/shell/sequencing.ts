import type { Content } from "#shared/sequencing/contentValues.ts";
import type { EngineState } from "#shared/sequencing/engineState.ts";
import { loadLibrary } from "#shared/sequencing/library.ts";
import { type StoredSequencing, writeSequenceEvents } from "#shared/sequencing/sequenceEvents.ts";
import { createSequencer, type NavigationRequest, type Outcome, readRequest } from "#shared/sequencing/sequencer.ts";
import type { ActivityTree } from "#shared/packages/activityTree.ts";
import { NAVIGATION_REQUEST } from "#shared/player/runTimeData.ts";
import type { FromShell } from "#shared/player/shell.ts";
import { NO_VIEW, type SequencingView } from "#shared/sequencing/view.ts";
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
  const sequencer = createSequencer(await loadLibrary(), tree, given?.state ?? null);
  let stored = given;
  /** The tree before the open part has ended by itself: it may go on in another page. */
  let beforeEnd: EngineState | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const record = () => {
    const after = { state: sequencer.state(), root: sequencer.root() };
    for (const value of writeSequenceEvents(stored, after)) hooks.record({ type: "sequence", value });
    stored = after;
  };
  /** What becomes of a part that has ended without having said it: its status by the rules of the package. */
  const recordStatuses = (sco: string, content: Content) => {
    for (const [name, value] of sequencer.assumedStatuses(sco)) {
      const isSet = content.set.has(name) || (content.values[name] ?? "unknown") !== "unknown";
      if (!isSet) hooks.record({ type: "scorm.set", sco, key: name, value });
    }
  };
  const viewNow = (content: Content | null = null) => {
    const view = sequencer.view(content);
    return { ...view, canReopen: view.canReopen || (!view.isActive && beforeEnd !== null) };
  };
  const tell = ({ delivered, isEnded, exception }: Outcome, isOwn = false, view = viewNow()) => {
    clearTimeout(timer);
    const isRefused = exception !== null;
    hooks.post({ type: "sequenced", delivered, isEnded, isRefused, isOwn, isStillOpen: false, view });
  };
  /** Tells the page that nothing has come of a request. The part that was open is opened again. */
  const tellRefused = (isStillOpen: boolean, view: SequencingView) => {
    clearTimeout(timer);
    const delivered = !isStillOpen && sequencer.isActive() ? sequencer.current() : null;
    hooks.post({ type: "sequenced", delivered, isEnded: false, isRefused: true, isOwn: false, isStillOpen, view });
  };
  /** The page is answered even if the engine fails. */
  const guarded = (work: () => void) => {
    const before = sequencer.state();
    try {
      work();
    } catch {
      sequencer.restore(before);
      tellRefused(false, { ...NO_VIEW, current: sequencer.current(), isActive: sequencer.isActive() });
    }
  };
  const navigate = (request: NavigationRequest, target: string | null, content: Content | null): Outcome => {
    const left = sequencer.current();
    const outcome = sequencer.navigate(request, target, content);
    if (left !== null && request !== "suspendAll" && content && !content.isStored) recordStatuses(left, content);
    if (left !== null && request === "suspendAll")
      hooks.record({ type: "scorm.set", sco: left, key: NAVIGATION_REQUEST, value: "suspendAll" });
    record();
    return outcome;
  };
  /** Opens the part that has ended: by the rules, otherwise by taking its end back. Null if neither is possible. */
  const reopen = (): Outcome | null => {
    let outcome = sequencer.reopen();
    if (!outcome && beforeEnd) {
      sequencer.restore(beforeEnd);
      outcome = { delivered: sequencer.current(), isResumed: true, isEnded: false, exception: null };
    }
    if (!outcome) return null;
    beforeEnd = null;
    record();
    return outcome;
  };
  const enter = (wanted: string | null, content: Content | null) => {
    const current = sequencer.current();
    if (wanted !== null && wanted !== current && sequencer.canChoose(wanted, content))
      return tell(navigate("choice", wanted, content));
    if (current !== null && sequencer.isActive())
      return tell({ delivered: current, isResumed: true, isEnded: false, exception: null });
    if (sequencer.isSuspended()) return tell(navigate("resumeAll", null, null));
    const isOver = sequencer.hasEnded();
    if (!isOver && current === null) return tell(navigate("start", null, null));
    const view = viewNow();
    const hasChoice = view.canContinue || view.choices.some(({ id, isOpen }) => isOpen && id !== tree.root.id);
    const opened = isOver || hasChoice ? null : reopen();
    if (opened) tell(opened);
    else tell(sequencer.stay(isOver), false, view);
  };
  const refresh = () => {
    clearTimeout(timer);
    timer = setTimeout(() => hooks.post({ type: "allowed", view: viewNow(hooks.content()) }), REFRESH_MS);
  };

  return {
    /** The open part has reported something: what the rules allow may change. */
    onReported(name: string) {
      if (/_status$|score|progress_measure$/.test(name)) refresh();
    },
    onInitialized: refresh,
    isValid: (element: string) => sequencer.validity(element, hooks.content()),
    /** The values with which a part is opened. */
    valuesOf: (sco: string, values: Record<string, string>) => ({ ...values, ...sequencer.launchValues(sco, values) }),
    /**
     * Begins where the learner was, or with `wanted` if it can be chosen; `content`: of the part that a closed tab has
     * left open.
     */
    enter: (wanted: string | null, content: Content | null) => guarded(() => enter(wanted, content)),
    /**
     * True if the rules do not allow what the learner asks for, which the page is told: the open part stays open.
     * Whether the course continues is only known when the part has ended, because many report their status then.
     */
    refuses(request: NavigationRequest, target: string | null) {
      const isTried = ["previous", "choice", "jump"].includes(request) && sequencer.isActive();
      let isRefused = false;
      guarded(() => {
        const content = hooks.content();
        isRefused = isTried && sequencer.wouldRefuse(request, target, content);
        if (isRefused) tellRefused(true, viewNow(content));
      });
      return isRefused;
    },
    /** A request of the learner; the page of the open part has been unloaded. */
    request(request: NavigationRequest, target: string | null, content: Content | null) {
      guarded(() => {
        const isAgain = request === "choice" && target === sequencer.current() && !sequencer.isActive();
        const opened = isAgain ? reopen() : null;
        beforeEnd = null;
        if (request === "continue" && sequencer.isActive() && sequencer.wouldRefuse(request, target, content))
          return tellRefused(false, viewNow(content));
        tell(opened ?? navigate(request, target, content));
      });
    },
    /** The open part has ended by itself, with a navigation request or without. */
    end(request: string) {
      guarded(() => {
        const asked = readRequest(request);
        beforeEnd = sequencer.state();
        const outcome = navigate(asked?.request ?? "exit", asked?.target ?? null, hooks.content());
        tell(outcome, asked === null);
      });
    },
    /** The part that has ended begins again in another page: its attempt goes on. */
    goOn() {
      if (!beforeEnd) return;
      sequencer.restore(beforeEnd);
      beforeEnd = null;
      record();
    },
    /** A part is opened: the one before it cannot go on. */
    opened() {
      beforeEnd = null;
      refresh();
    },
  };
}
export type Rules = Awaited<ReturnType<typeof followRules>>;
