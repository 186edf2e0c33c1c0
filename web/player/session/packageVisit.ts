import { answerPrompt } from "#web/player/answerPrompt.ts";
import { launchActivity } from "#web/player/session/launchActivity.ts";
import { withTimeout } from "#web/player/withTimeout.ts";
import { reportsByStatements, RETURN_PATH } from "#shared/player/activities.ts";
import type { Launch, Part, SessionEvent } from "#shared/player/player.ts";
import { type FromShell, SHELL_CONNECT, SHELL_READY, type ShellSession, type ToShell } from "#shared/player/shell.ts";
import type { SequencingView } from "#shared/sequencing/view.ts";
import type { NavigationRequest } from "#shared/sequencing/sequencer.ts";
import type { PackageKind } from "#shared/courses/completionRules.ts";

/** Maximum wait for the package to end its part, in ms. */
const CLOSE_TIMEOUT_MS = 4000;
/** Delay before the end of a part is announced: a part of several pages ends and starts again within it, in ms. */
const PART_END_DELAY_MS = 1200;

/** What a frame with a package may do. */
export const FRAME_ALLOW = "autoplay; fullscreen; encrypted-media; picture-in-picture; clipboard-write";

/** What the page shows of a package. */
export type VisitView = {
  /** The package has ended its part: the next steps are shown over the frame. */
  ended: boolean;
  /** The part has loaded. */
  open: boolean;
  /** The page is being recorded. */
  recording: boolean;
};
export type Sequenced = Extract<FromShell, { type: "sequenced" }>;
type Hooks = {
  onView: (changes: Partial<VisitView>) => void;
  onEvents: (events: SessionEvent[], urgent: boolean) => void;
  /** Events that closed tabs left on the content origin; `received` lets the shell delete them. */
  onUnsent: (message: Extract<FromShell, { type: "unsent" }>, received: () => void) => void;
  /** The content has told the server by itself what became of its part. */
  onReported: () => void;
  onActive: () => void;
  onChat: (request: Extract<FromShell, { type: "chat" }>) => void;
  /** The package asks for another part. */
  onNavigate: (request: string) => boolean;
  /** The sequencing rules of the package say what is opened. */
  onSequenced?: (message: Sequenced) => void;
  onAllowed?: (view: SequencingView) => void;
  /** The data model values of a part that is opened. */
  valuesOf: (sco: string) => Record<string, string>;
};
/** Read whenever a shell connects: the values of variables and the last number of an event are those of that moment. */
type Connection = Pick<ShellSession, "lastSeq" | "completion" | "variables" | "closingSessionId" | "startedAt"> &
  Partial<Pick<ShellSession, "sequencing">>;

/**
 * Connects the shell in `frame` on the content origin, which runs the parts of a package and numbers the events of the
 * session as long as it is open.
 */
export function openPackageVisit(
  launch: Launch,
  kind: PackageKind,
  frame: HTMLIFrameElement,
  connection: () => Connection,
  hooks: Hooks,
) {
  const origin = new URL(launch.shell).origin;
  let port: MessagePort | null = null;
  let opening = 0;
  let current: Part | null = null;
  let hasEnded = false;
  let partEndTimer: ReturnType<typeof setTimeout> | undefined;
  let onClosed: (() => void) | null = null;
  let isStopped = false;
  let canRecord = launch.recording !== null;

  const post = (message: ToShell) => port?.postMessage(message);
  const record = (event: Extract<ToShell, { type: "record" }>["event"]) => post({ type: "record", event });
  const show = (changes: Partial<VisitView>) => {
    hasEnded = changes.ended ?? hasEnded;
    hooks.onView(changes);
  };

  const onLeft = () => {
    if (!current?.href) return;
    const { sco, href, isSco, kind: kindOfPart } = current;
    record({ type: "nav", sco });
    if (reportsByStatements(kindOfPart)) void openActivity(current);
    else post({ type: "open", opening, sco, href, isSco, values: hooks.valuesOf(sco) });
  };
  const openActivity = async ({ sco, isSco }: Part) => {
    const number = opening;
    const href = await launchActivity(launch, sco, () => !isStopped && opening === number);
    if (href === null) return;
    post({ type: "open", opening, sco, href, isSco, values: {}, returnPath: RETURN_PATH });
  };
  const onPartEnd = (request: string) => {
    if (!hooks.onNavigate(request)) partEndTimer = setTimeout(() => show({ ended: true }), PART_END_DELAY_MS);
  };
  /** A part that has ended by itself may go on in another page: what follows is opened a little later. */
  const onSequenced = (message: Sequenced) => {
    clearTimeout(partEndTimer);
    if (message.isOwn) partEndTimer = setTimeout(() => hooks.onSequenced?.(message), PART_END_DELAY_MS);
    else hooks.onSequenced?.(message);
  };
  const cancelPartEnd = () => {
    clearTimeout(partEndTimer);
    if (hasEnded) show({ ended: false });
  };

  const onShellMessage = ({ data }: MessageEvent<FromShell>) => {
    if (data.type === "unsent") hooks.onUnsent(data, () => post({ type: "received" }));
    else if (data.type === "left") {
      if (data.opening === opening) onLeft();
    } else if (data.type === "events") {
      if (data.events.some(({ type }) => type === "scorm.init")) cancelPartEnd();
      hooks.onEvents(data.events, data.urgent);
    } else if (data.type === "active") hooks.onActive();
    else if (data.type === "opened") {
      record({ type: "ready", sco: data.sco });
      show({ open: true });
    } else if (data.type === "terminated") {
      if (data.opening !== opening) return;
      // The server knows what the content has reported; the receipt of a commit tells it.
      if (current && reportsByStatements(current.kind)) hooks.onReported();
      onPartEnd(data.request);
    } else if (data.type === "prompt") void answerPrompt(launch, data).then(post);
    else if (data.type === "chat") hooks.onChat(data);
    else if (data.type === "sequenced") onSequenced(data);
    else if (data.type === "allowed") hooks.onAllowed?.(data.view);
    else if (data.type === "recording") show({ recording: data.isOn && canRecord });
    else if (data.type === "closed") onClosed?.();
  };

  const onHandshake = (event: MessageEvent) => {
    if (event.origin !== origin || event.source !== frame.contentWindow || event.data?.hello !== SHELL_READY) return;
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    port.addEventListener("message", onShellMessage);
    port.start();
    const { sessionId, token, attemptId } = launch;
    const recording = canRecord ? launch.recording : null;
    const given = { sessionId, token, attemptId, kind, recording, sequencing: null };
    const session: ShellSession = { ...given, ...connection() };
    frame.contentWindow?.postMessage({ hello: SHELL_CONNECT, session }, origin, [channel.port2]);
  };
  addEventListener("message", onHandshake);

  const stop = () => {
    isStopped = true;
    clearTimeout(partEndTimer);
    port?.close();
    removeEventListener("message", onHandshake);
  };
  return {
    /** Leaves the current part, then opens another: the package sends its last values while it is being left. */
    open(part: Part) {
      current = part;
      show({ ended: false, open: false });
      opening++;
      clearTimeout(partEndTimer);
      post({ type: "leave", opening });
    },
    /** With sequencing rules: begins where the learner was, or with `wanted`. */
    enter: (wanted: string | null, left: Record<string, string> | null) => post({ type: "enter", wanted, left }),
    /** With sequencing rules: what the learner asks for. */
    navigate(request: NavigationRequest, target: string | null = null) {
      clearTimeout(partEndTimer);
      post({ type: "navigate", request, target });
    },
    /** The next steps are shown over the frame. */
    showEnd: () => show({ ended: true }),
    record,
    journaled: (seq: number) => post({ type: "journaled", seq }),
    stored: (seq: number, activeMs: number) => post({ type: "stored", seq, activeMs }),
    /** The session has ended: the package stores nothing any more. */
    end: () => post({ type: "stop" }),
    /** The page must no longer be recorded. */
    stopRecording() {
      canRecord = false;
      post({ type: "stopRecording" });
      show({ recording: false });
    },
    /** Lets the package end its part. True if the shell has handed over its last event, and numbers no more. */
    async close(): Promise<boolean> {
      if (!port) return true;
      const closed = new Promise<true>((resolve) => {
        onClosed = () => resolve(true);
      });
      post({ type: "close" });
      return (await withTimeout(CLOSE_TIMEOUT_MS, closed)) ?? false;
    },
    stop,
  };
}
export type PackageVisit = ReturnType<typeof openPackageVisit>;

/** The part that a navigation request of a package means, in a flat table of contents (SCORM 2004 SN 5.6). */
export function partOfRequest(parts: Part[], current: string, request: string): Part | undefined {
  const listed = parts.filter((part) => part.href !== null);
  const index = listed.findIndex((part) => part.sco === current);
  if (request === "continue") return listed[index + 1];
  if (request === "previous") return listed[index - 1];
  const [, target] = /^\{target=(.+)\}(?:choice|jump)$/.exec(request) ?? [];
  if (target === undefined) return undefined;
  // Among lessons, the id of the lesson stands before those of the parts of its package.
  const placed = `${current.slice(0, current.indexOf(".") + 1)}${target}`;
  return listed.find(({ sco }) => sco === target) ?? listed.find(({ sco }) => sco === placed);
}
