import { createClock } from "#web/player/activity.ts";
import { forgetSession, holdSession } from "#web/player/journal.ts";
import { claimSession } from "#web/player/replay.ts";
import { createSender, type SaveState } from "#web/player/sender.ts";
import type { AttemptState, Launch } from "#shared/player.ts";
import { type FromShell, SHELL_READY, type ShellSession, type UnsentBatch, type ToShell, SHELL_CONNECT } from "#shared/shell.ts";

export type View = {
  save: SaveState;
  attempt: AttemptState;
  current: string;
  /** The package ended its part: what the learner can do next stands over the frame. */
  ended: boolean;
  open: boolean;
};

/** Longest wait for the package to say its last words, and for them to be stored, in ms. */
const LAST_WORDS_MS = 4000;
const LAST_COMMIT_MS = 6000;

/**
 * One running course: shell on the other origin, sender, clock. Tells `onView` whenever something that is shown changes.
 * `onTails` gets what an earlier, closed tab left behind.
 */
export function runSession(
  launch: Launch,
  userId: string,
  frame: HTMLIFrameElement,
  onView: (view: View) => void,
  onTails: (tails: UnsentBatch[]) => void,
) {
  const origin = new URL(launch.shell).origin;
  const release = claimSession(launch.sessionId);
  const clock = createClock();
  const values = new Map(Object.entries(launch.values));
  let view: View = {
    save: { is: "ready" },
    attempt: launch.attempt,
    current: launch.current,
    ended: false,
    open: false,
  };
  let port: MessagePort | null = null;
  let lastSeq = 0;
  let opening = 0;
  let ending: ReturnType<typeof setTimeout> | undefined;
  const begun = Date.now();
  let onClosed: (() => void) | null = null;

  const show = (part: Partial<View>) => {
    view = { ...view, ...part };
    onView(view);
  };
  const say = (message: ToShell) => port?.postMessage(message);
  const record = (event: Extract<ToShell, { say: "record" }>["event"]) => say({ say: "record", event });
  void holdSession({ sessionId: launch.sessionId, userId, token: launch.token, at: Date.now() }).catch(() => {});

  const sender = createSender(launch, {
    activeMs: clock.activeMs,
    onState: (save) => {
      if (save.is === "elsewhere" || save.is === "ended") say({ say: "stop" });
      show({ save });
    },
    onStored: (seq, attempt) => {
      say({ say: "stored", seq, activeMs: Math.round(clock.activeMs()) });
      show({ attempt });
    },
  });

  const openPart = (sco: string) => {
    const part = launch.parts.find((one) => one.sco === sco && one.href !== null);
    if (!part?.href) return;
    record({ type: "nav", sco });
    show({ current: sco, ended: false, open: false });
    const { "cmi.exit": _, "cmi.core.exit": __, ...given } = values.get(sco) ?? {};
    opening++;
    clearTimeout(ending);
    say({ say: "open", opening, sco, href: part.href, isSco: part.isSco, values: given });
  };

  const hear = ({ data }: MessageEvent<FromShell>) => {
    if (data.say === "tails") {
      if (data.tails.length > 0) {
        onTails(data.tails);
        return;
      }
      record({ type: "launch", value: `${innerWidth}x${innerHeight}` });
      openPart(view.current);
    } else if (data.say === "events") {
      lastSeq = Math.max(lastSeq, data.events.at(-1)?.seq ?? 0);
      if (data.events.some(({ type }) => type === "scorm.init")) again();
      for (const event of data.events)
        if (event.type === "scorm.set" && event.sco && event.key)
          remember(values, event.sco, event.key, event.value ?? "");
      sender.add(data.events, data.urgent);
    } else if (data.say === "active") clock.touch();
    else if (data.say === "opened") {
      record({ type: "ready", sco: data.sco });
      show({ open: true });
    } else if (data.say === "terminated") {
      if (data.opening === opening) follow(data.request);
    } else if (data.say === "closed") onClosed?.();
  };

  /** The package's navigation wish, as far as a flat table of contents can follow it (SCORM 2004 SN 5.6). */
  const follow = (request: string) => {
    const parts = launch.parts.filter((part) => part.href !== null);
    const at = parts.findIndex((part) => part.sco === view.current);
    const target = /^\{target=(.+)\}(choice|jump)$/.exec(request);
    const next =
      request === "continue"
        ? parts[at + 1]
        : request === "previous"
          ? parts[at - 1]
          : parts.find((part) => part.sco === target?.[1]);
    if (next) openPart(next.sco);
    // A page that reloads, or leads to the next page of its part, ends and begins again in a moment: nothing to announce.
    else ending = setTimeout(() => show({ ended: true }), 1200);
  };
  const again = () => {
    clearTimeout(ending);
    if (view.ended) show({ ended: false });
  };

  const greet = (event: MessageEvent) => {
    if (event.origin !== origin || event.source !== frame.contentWindow || event.data?.hello !== SHELL_READY) return;
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    port.onmessage = hear;
    const { sessionId, token, attemptId, course } = launch;
    const session: ShellSession = { sessionId, token, attemptId, kind: course.kind, startedAt: begun, lastSeq };
    frame.contentWindow?.postMessage({ hello: SHELL_CONNECT, session }, origin, [channel.port2]);
  };
  const onVisibility = () => {
    record({ type: "visibility", value: document.visibilityState });
    if (document.visibilityState === "hidden") setTimeout(() => void sender.flush(), 0);
    else sender.nudge();
  };
  addEventListener("message", greet);
  document.addEventListener("visibilitychange", onVisibility);

  const stop = () => {
    clearTimeout(ending);
    sender.stop();
    clock.stop();
    port?.close();
    release();
    removeEventListener("message", greet);
    document.removeEventListener("visibilitychange", onVisibility);
  };
  return {
    openPart,
    confirm: () => {
      record({ type: "confirm" });
      setTimeout(() => void sender.flush(), 100);
    },
    /** Lets the package end, stores its last words, and ends the session. True when everything is stored on the server. */
    async exit(): Promise<boolean> {
      record({ type: "exit" });
      await within(
        LAST_WORDS_MS,
        new Promise<void>((resolve) => {
          onClosed = resolve;
          if (port) say({ say: "close" });
          else resolve();
        }),
      );
      const stored = (await within(LAST_COMMIT_MS, sender.flush("exit"))) ?? false;
      stop();
      if (stored) await forgetSession(launch.sessionId).catch(() => {});
      return stored;
    },
    stop,
  };
}
export type Running = ReturnType<typeof runSession>;

/** Keeps the values of a part up to date, so that opening it again in this session continues where it was. */
function remember(all: Map<string, Record<string, string>>, sco: string, key: string, value: string) {
  const values = { ...all.get(sco) };
  if (key === "adl.nav.request" || key.endsWith("session_time")) return;
  values[key] = value;
  const [entry, exit] =
    values["cmi.learner_id"] === undefined ? ["cmi.core.entry", "cmi.core.exit"] : ["cmi.entry", "cmi.exit"];
  values[entry as string] = values[exit as string] === "normal" ? "" : "resume";
  all.set(sco, values);
}

const within = <T>(ms: number, work: Promise<T>) =>
  Promise.race([work, new Promise<undefined>((resolve) => setTimeout(resolve, ms))]);
