import { createActivityClock } from "#web/player/activity.ts";
import { deleteSession, saveSession } from "#web/player/journal.ts";
import { createPartValues } from "#web/player/partValues.ts";
import { createSessionVariables } from "#web/player/sessionVariables.ts";
import { claimSession, journalUnsentEvents } from "#web/player/replay.ts";
import { createSender, type SaveState } from "#web/player/commitSender.ts";
import type { AttemptState, Launch } from "#shared/player/player.ts";
import { answerPrompt } from "#web/player/answerPrompt.ts";
import { type FromShell, SHELL_CONNECT, SHELL_READY, type ShellSession, type ToShell } from "#shared/player/shell.ts";

/** The state that the player shows. */
export type PlayerView = {
  save: SaveState;
  attempt: AttemptState;
  /** The open part. */
  current: string;
  /** The package has ended its part: the next steps are shown over the frame. */
  ended: boolean;
  /** The part has loaded. */
  open: boolean;
  /** The page is being recorded. */
  recording: boolean;
};

/** Maximum wait for the package to end its part, and for its last events to be stored, in ms. */
const CLOSE_TIMEOUT_MS = 4000;
const LAST_COMMIT_TIMEOUT_MS = 6000;
/** Delay before the end of a part is announced: a part of several pages ends and starts again within it, in ms. */
const PART_END_DELAY_MS = 1200;

/**
 * Runs one course session: connects the shell on the content origin, the sender and the activity clock. Calls `onView`
 * on every change of the view, `onUnsent` with sessions of closed tabs whose last events were found on the content
 * origin, and `onChat` when content opens a chatbot.
 */
export function runSession(
  launch: Launch,
  userId: string,
  frame: HTMLIFrameElement,
  onView: (view: PlayerView) => void,
  onUnsent: (sessionIds: string[]) => void,
  onChat: (request: Extract<FromShell, { type: "chat" }>) => void,
) {
  const origin = new URL(launch.shell).origin;
  const release = claimSession(launch.sessionId);
  const clock = createActivityClock();
  const partValues = createPartValues(launch);
  const values = createSessionVariables(launch);
  let view: PlayerView = {
    save: { status: "ready" },
    attempt: launch.attempt,
    current: launch.current,
    ended: false,
    open: false,
    recording: launch.recording !== null,
  };
  let port: MessagePort | null = null;
  /** False while events of closed tabs may still be found: a session without events is then opened again. */
  let hasBegun = false;
  let lastSeq = 0;
  let opening = 0;
  let partEndTimer: ReturnType<typeof setTimeout> | undefined;
  const startedAt = Date.now();
  let onClosed: (() => void) | null = null;
  let canRecord = launch.recording !== null;

  const updateView = (changes: Partial<PlayerView>) => {
    view = { ...view, ...changes };
    onView(view);
  };
  const post = (message: ToShell) => port?.postMessage(message);
  const record = (event: Extract<ToShell, { type: "record" }>["event"]) => post({ type: "record", event });
  void saveSession({ sessionId: launch.sessionId, userId, token: launch.token, at: Date.now() }).catch(() => {});

  const sender = createSender(launch, {
    activeMs: clock.activeMs,
    onState: (save) => {
      if (save.status === "elsewhere" || save.status === "ended") post({ type: "stop" });
      updateView({ save });
    },
    onJournaled: (seq) => post({ type: "journaled", seq }),
    onStored: (seq, attempt) => {
      post({ type: "stored", seq, activeMs: Math.round(clock.activeMs()) });
      updateView({ attempt });
    },
  });

  /** Leaves the current part, then opens another: the package sends its last values while it is being left. */
  const openPart = (sco: string) => {
    if (!launch.parts.some((part) => part.sco === sco && part.href !== null)) return;
    updateView({ current: sco, ended: false, open: false });
    opening++;
    clearTimeout(partEndTimer);
    post({ type: "leave", opening });
  };
  const onLeft = () => {
    const sco = view.current;
    const part = launch.parts.find((one) => one.sco === sco);
    if (!part?.href) return;
    record({ type: "nav", sco });
    post({ type: "open", opening, sco, href: part.href, isSco: part.isSco, values: partValues.open(sco) });
  };
  const onUnsentEvents = async (message: Extract<FromShell, { type: "unsent" }>) => {
    const sessionIds = await journalUnsentEvents(launch, userId, message).catch(() => null);
    if (sessionIds) post({ type: "received" });
    if (sessionIds && sessionIds.length > 0) return onUnsent(sessionIds);
    hasBegun = true;
    record({ type: "launch", value: `${innerWidth}x${innerHeight}` });
    openPart(view.current);
  };

  const onShellMessage = ({ data }: MessageEvent<FromShell>) => {
    if (data.type === "unsent") void onUnsentEvents(data);
    else if (data.type === "left") {
      if (data.opening === opening) onLeft();
    } else if (data.type === "events") {
      lastSeq = Math.max(lastSeq, data.events.at(-1)?.seq ?? 0);
      if (data.events.some(({ type }) => type === "scorm.init")) cancelPartEnd();
      for (const event of data.events) {
        partValues.apply(event);
        values.apply(event);
      }
      sender.add(data.events, data.urgent);
    } else if (data.type === "active") clock.touch();
    else if (data.type === "opened") {
      record({ type: "ready", sco: data.sco });
      updateView({ open: true });
    } else if (data.type === "terminated") {
      if (data.opening === opening) onPartEnd(data.request);
    } else if (data.type === "prompt") void answerPrompt(launch, data).then(post);
    else if (data.type === "chat") onChat(data);
    else if (data.type === "recording") updateView({ recording: data.isOn && canRecord });
    else if (data.type === "closed") onClosed?.();
  };

  /** Follows the navigation request of a package as far as a flat table of contents allows (SCORM 2004 SN 5.6). */
  const onPartEnd = (request: string) => {
    const parts = launch.parts.filter((part) => part.href !== null);
    const index = parts.findIndex((part) => part.sco === view.current);
    const target = /^\{target=(.+)\}(choice|jump)$/.exec(request);
    let next = parts.find((part) => part.sco === target?.[1]);
    if (request === "continue") next = parts[index + 1];
    if (request === "previous") next = parts[index - 1];
    if (next) openPart(next.sco);
    else partEndTimer = setTimeout(() => updateView({ ended: true }), PART_END_DELAY_MS);
  };
  const cancelPartEnd = () => {
    clearTimeout(partEndTimer);
    if (view.ended) updateView({ ended: false });
  };

  const onHandshake = (event: MessageEvent) => {
    if (event.origin !== origin || event.source !== frame.contentWindow || event.data?.hello !== SHELL_READY) return;
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    port.addEventListener("message", onShellMessage);
    port.start();
    const { sessionId, token, attemptId, course } = launch;
    const session: ShellSession = {
      sessionId,
      token,
      attemptId,
      kind: course.kind,
      closingSessionId: launch.previous?.isSameWindow ? launch.previous.sessionId : null,
      startedAt,
      lastSeq,
      variables: { ...launch.variables, declared: values.current() },
      completion: { rule: course.rule, isComplete: view.attempt.completion === "complete" },
      recording: canRecord ? launch.recording : null,
    };
    frame.contentWindow?.postMessage({ hello: SHELL_CONNECT, session }, origin, [channel.port2]);
  };
  const onVisibilityChange = () => {
    if (hasBegun) record({ type: "visibility", value: document.visibilityState });
    if (document.visibilityState === "hidden") setTimeout(() => void sender.flush(), 0);
    else sender.flushIfOverdue();
  };
  addEventListener("message", onHandshake);
  document.addEventListener("visibilitychange", onVisibilityChange);

  const stop = () => {
    clearTimeout(partEndTimer);
    sender.stop();
    clock.stop();
    port?.close();
    release();
    removeEventListener("message", onHandshake);
    document.removeEventListener("visibilitychange", onVisibilityChange);
  };
  const closeShell = () =>
    new Promise<void>((resolve) => {
      onClosed = resolve;
      if (port) post({ type: "close" });
      else resolve();
    });
  return {
    openPart,
    /** The page must no longer be recorded. */
    stopRecording: () => {
      canRecord = false;
      post({ type: "stopRecording" });
      updateView({ recording: false });
    },
    confirm: () => {
      record({ type: "confirm" });
      setTimeout(() => void sender.flush(), 100);
    },
    /**
     * Lets the package end its part, stores its last events and ends the session. True if everything is stored on the
     * server.
     */
    async exit(): Promise<boolean> {
      record({ type: "exit" });
      await withTimeout(CLOSE_TIMEOUT_MS, closeShell());
      const stored = (await withTimeout(LAST_COMMIT_TIMEOUT_MS, sender.flush("exit"))) ?? false;
      stop();
      if (stored) await deleteSession(launch.sessionId).catch(() => {});
      return stored;
    },
    stop,
  };
}
export type PlayerSession = ReturnType<typeof runSession>;

/** The result of `work`, or undefined after `ms`. */
const withTimeout = <T>(ms: number, work: Promise<T>) =>
  Promise.race([work, new Promise<undefined>((resolve) => setTimeout(resolve, ms))]);
