import { createActivityClock } from "#web/player/activity.ts";
import { closingSessionOf } from "#web/player/session/closingSession.ts";
import { deleteSession, saveSession } from "#web/player/session/journal.ts";
import { createPartValues } from "#web/player/session/partValues.ts";
import { createSessionVariables } from "#shared/player/sessionVariables.ts";
import { claimSession, journalUnsentEvents } from "#web/player/session/replay.ts";
import { withTimeout } from "#web/player/withTimeout.ts";
import { createSender, type SaveState } from "#web/player/session/commitSender.ts";
import { keepTree } from "#web/player/session/keptTree.ts";
import { openPackageVisit, partOfRequest, type Sequenced, type VisitView } from "#web/player/session/packageVisit.ts";
import type { AttemptState, Launch } from "#shared/player/player.ts";
import type { SequencingView } from "#shared/sequencing/view.ts";
import type { PackageKind } from "#shared/courses/completionRules.ts";
import type { FromShell } from "#shared/player/shell.ts";

/** The state that the player shows. */
export type PlayerView = VisitView & {
  save: SaveState;
  attempt: AttemptState;
  /** The open part. */
  current: string;
  /** What the sequencing rules of the package allow now; missing without rules, and until they are known. */
  sequencing?: SequencingView;
  /** By the rules, nothing more is opened by itself: the package has ended, or the learner has to choose. */
  stop?: "ended" | "choose" | "refused" | "noPage" | null;
};

/** `wanted`: the part that the learner has asked for, if the address names one. */
export type OpenedLaunch = Launch & { wanted?: string };

/** Maximum wait for the last events to be stored, in ms. */
export const LAST_COMMIT_TIMEOUT_MS = 6000;

/**
 * Runs a session of a course that is a package: connects the shell on the content origin, the sender and the activity
 * clock. Calls `onView` on every change of the view, `onUnsent` with sessions of closed tabs whose last events were
 * found on the content origin, and `onChat` when content opens a chatbot.
 */
export function runSession(
  launch: OpenedLaunch,
  userId: string,
  frame: HTMLIFrameElement,
  onView: (view: PlayerView) => void,
  onUnsent: (sessionIds: string[]) => void,
  onChat: (request: Extract<FromShell, { type: "chat" }>) => void,
) {
  const release = claimSession(launch.sessionId);
  const clock = createActivityClock();
  const partValues = createPartValues(launch);
  const values = createSessionVariables(launch.variables.declared);
  const tree = keepTree(launch);
  let view: PlayerView = {
    save: { status: "ready" },
    attempt: launch.attempt,
    current: launch.current,
    ended: false,
    open: false,
    recording: launch.recording !== null,
  };
  /** False while events of closed tabs may still be found: a session without events is then opened again. */
  let hasBegun = false;
  /** Used once: a shell that is loaded again continues where the learner is. */
  let wanted = launch.wanted ?? null;
  let lastSeq = 0;
  let isLeaving = false;
  const startedAt = Date.now();

  const updateView = (changes: Partial<PlayerView>) => {
    view = { ...view, ...changes };
    onView(view);
  };
  void saveSession({ sessionId: launch.sessionId, userId, token: launch.token, at: Date.now() }).catch(() => {});

  const sender = createSender(launch, {
    activeMs: clock.activeMs,
    onState: (save) => {
      if (save.status === "elsewhere" || save.status === "ended") visit.end();
      updateView({ save });
    },
    onJournaled: (seq) => visit.journaled(seq),
    onStored: (seq, { attempt }) => {
      visit.stored(seq, Math.round(clock.activeMs()));
      updateView({ attempt });
    },
  });
  const visit = openPackageVisit(
    launch,
    launch.course.kind as PackageKind,
    frame,
    () => ({
      closingSessionId: closingSessionOf(launch),
      startedAt,
      lastSeq,
      variables: { ...launch.variables, declared: values.current() },
      sequencing: launch.sequencing && { ...launch.sequencing, stored: tree.stored() },
      completion: { rule: launch.course.rule, isComplete: view.attempt.completion === "complete" },
    }),
    {
      onView: updateView,
      onUnsent: (message, received) => void onUnsentEvents(message, received),
      onEvents: (events, urgent) => {
        lastSeq = Math.max(lastSeq, events.at(-1)?.seq ?? 0);
        for (const event of events) {
          partValues.apply(event);
          values.apply(event);
          tree.apply(event);
        }
        sender.add(events, urgent);
      },
      onReported: () => void sender.flush(),
      onActive: clock.touch,
      onChat,
      onSequenced: (message) => onSequenced(message),
      onAllowed: (sequencing) => updateView({ sequencing, stop: view.ended ? (view.stop ?? null) : null }),
      onNavigate: (request) => {
        const next = partOfRequest(launch.parts, view.current, request);
        if (next) openPart(next.sco);
        return next !== undefined;
      },
      valuesOf: partValues.open,
    },
  );

  const openPart = (sco: string) => {
    const part = launch.parts.find((one) => one.sco === sco && one.href !== null);
    const isClosed = sco !== view.current && view.attempt.parts.some((one) => one.sco === sco && one.waitsFor);
    if (!part || isClosed) return;
    updateView({ current: sco });
    visit.open(part);
  };
  const onSequenced = ({ delivered, isEnded, isRefused, isStillOpen, view: sequencing }: Sequenced) => {
    if (isLeaving) return;
    if (isStillOpen) return updateView({ sequencing, stop: "refused" });
    if (delivered !== null) {
      const hasPage = launch.parts.some(({ sco, href }) => sco === delivered && href !== null);
      updateView({ sequencing, stop: isRefused ? "refused" : null });
      if (hasPage) return openPart(delivered);
      updateView({ current: delivered, stop: "noPage" });
      return visit.showEnd();
    }
    const notEnded = isRefused ? "refused" : "choose";
    updateView({ sequencing, stop: isEnded ? "ended" : notEnded });
    visit.showEnd();
  };
  const onUnsentEvents = async (message: Extract<FromShell, { type: "unsent" }>, received: () => void) => {
    const sessionIds = await journalUnsentEvents(launch, userId, message).catch(() => null);
    if (sessionIds) received();
    if (sessionIds && sessionIds.length > 0) return onUnsent(sessionIds);
    hasBegun = true;
    visit.record({ type: "launch", value: `${innerWidth}x${innerHeight}` });
    if (!launch.sequencing) return openPart(view.current);
    const left = launch.parts.find(({ sco }) => sco === tree.current());
    visit.enter(wanted, left?.isSco ? partValues.open(left.sco) : null);
    wanted = null;
  };

  const onVisibilityChange = () => {
    if (hasBegun) visit.record({ type: "visibility", value: document.visibilityState });
    if (document.visibilityState === "hidden") setTimeout(() => void sender.flush(), 0);
    else sender.flushIfOverdue();
  };
  document.addEventListener("visibilitychange", onVisibilityChange);

  const stop = () => {
    visit.stop();
    sender.stop();
    clock.stop();
    release();
    document.removeEventListener("visibilitychange", onVisibilityChange);
  };
  return {
    /** Opens a part, or asks the sequencing rules for it. */
    openPart: launch.sequencing ? (sco: string) => visit.navigate("choice", sco) : openPart,
    /** Only with sequencing rules. */
    navigate: visit.navigate,
    stopRecording: visit.stopRecording,
    confirm: () => {
      visit.record({ type: "confirm" });
      setTimeout(() => void sender.flush(), 100);
    },
    /**
     * Lets the package end its part, stores its last events and ends the session. True if everything is stored on the
     * server.
     */
    async exit(): Promise<boolean> {
      isLeaving = true;
      if (view.sequencing?.isActive) visit.navigate("suspendAll");
      visit.record({ type: "exit" });
      await visit.close();
      const stored = (await withTimeout(LAST_COMMIT_TIMEOUT_MS, sender.flush("exit"))) ?? false;
      stop();
      if (stored) await deleteSession(launch.sessionId).catch(() => {});
      return stored;
    },
    stop,
  };
}
export type PlayerSession = ReturnType<typeof runSession>;
