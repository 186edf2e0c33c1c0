import { UNLOADED } from "#shared/player/runTimeData.ts";
import type { FromShell, ShellSession, ToShell } from "#shared/player/shell.ts";
import { storedContent } from "#shared/sequencing/contentValues.ts";
import { NO_VIEW } from "#shared/sequencing/view.ts";
import type { NavigationRequest } from "#shared/sequencing/sequencer.ts";
import { watchActivity } from "#web/shell/activity.ts";
import { createBridge, type Lyceum } from "#web/shell/bridge.ts";
import { createCompletion } from "#web/shell/completion.ts";
import { createPackageReader } from "#web/shell/tools/packageReader.ts";
import { createPromptCalls } from "#web/shell/promptCalls.ts";
import { createClosingSender } from "#web/shell/closingSender.ts";
import { createRecorder } from "#web/shell/recorder.ts";
import { hideAnswer, RECORDING_ENDED, startRecording } from "#web/shell/recording/sessionRecording.ts";
import { createRuntime, hasRunTime, type Runtime } from "#web/shell/runtime.ts";
import type { Rules } from "#web/shell/sequencing.ts";
import { openUnsentDatabase } from "#web/shell/unsentDatabase.ts";
import {
  clearForeignData,
  createUnsentStore,
  findUnsentEvents,
  removeUnsentEvents,
  waitForEnd,
} from "#web/shell/unsentEvents.ts";

/** Maximum wait for the page of a part to unload, in ms. */
const UNLOAD_TIMEOUT_MS = 3000;

const NO_CONTENT = () => null;

/** What is answered if the rules of a package cannot be followed. */
const UNFOLLOWED: FromShell = {
  type: "sequenced",
  delivered: null,
  isEnded: false,
  isRefused: true,
  isOwn: false,
  isStillOpen: false,
  view: NO_VIEW,
};

/** The path of the page in a frame; null on another origin. */
function pathOf(frame: HTMLIFrameElement) {
  try {
    return frame.contentWindow?.location.pathname ?? null;
  } catch {
    return null;
  }
}

declare global {
  interface Window {
    API?: unknown;
    API_1484_11?: unknown;
    Lyceum?: Lyceum;
  }
}

/**
 * Runs one session: opens parts on request, provides their SCORM API, and forwards all events to the application page.
 */
export async function startShell(port: MessagePort, session: ShellSession, files: string) {
  const post = (message: FromShell) => port.postMessage(message);
  let isStopped = false;
  let isClosed = false;
  let activeMs = 0;
  const database = await openUnsentDatabase();
  const unsentStore = createUnsentStore(session, database);
  const closingSender = createClosingSender(session, () => ({ events: recorder.unconfirmed(), activeMs }));
  const recorder = createRecorder(session.startedAt, session.lastSeq, {
    onRecorded: unsentStore.add,
    send: (events, urgent) => {
      post({ type: "events", events, urgent });
      closingSender.sendIfClosing();
    },
  });

  if (session.closingSessionId) await waitForEnd(session.closingSessionId);
  const stored = await findUnsentEvents(session.attemptId, database);
  await clearForeignData(session.attemptId);
  let frame: HTMLIFrameElement | null = null;
  /** The page of the current part is being unloaded, because the learner exits or opens another part. */
  let isLeaving = false;
  const activity = watchActivity(
    () => frame,
    () => post({ type: "active" }),
    () => post({ type: "chat", chatbotId: null, toggles: true }),
  );

  /**
   * Every part gets a new frame: in a shared one, Back could show the page of one part with the SCORM API of another.
   */
  const createFrame = () => {
    const created = document.createElement("iframe");
    created.allow = "autoplay; fullscreen; encrypted-media; picture-in-picture; clipboard-write";
    created.title = document.title;
    return created;
  };
  const closePart = () =>
    new Promise<void>((resolve) => {
      const closing = frame;
      if (!closing) return resolve();
      reader.look();
      recording?.close();
      const done = () => {
        clearTimeout(timeout);
        isLeaving = false;
        closing.remove();
        if (frame === closing) frame = null;
        delete window.API;
        delete window.API_1484_11;
        resolve();
      };
      const timeout = setTimeout(done, UNLOAD_TIMEOUT_MS);
      closing.addEventListener("load", done, { once: true });
      isLeaving = true;
      // Navigated before it is removed: packages save in beforeunload and unload.
      closing.contentWindow?.location.replace("about:blank");
    });

  const recording = startRecording(session, files, {
    post,
    recordEnd: (reason) => recorder.record({ type: "error", sco: currentSco, value: RECORDING_ENDED + reason }),
  });
  const promptCalls = createPromptCalls(post);
  let currentSco = "";
  const recordError = (reason: string, key?: string) =>
    recorder.record({
      type: "error",
      sco: currentSco,
      ...(key !== undefined && { key: key.toWellFormed() }),
      value: reason,
    });
  const reader = createPackageReader(session.variables.packagePaths, session.variables.packageValues, {
    window: () => frame?.contentWindow ?? null,
    record: (key, value) => recorder.record({ type: "package.set", sco: currentSco, key, value }),
    refuse: (key, reason) => recordError(`variable refused: ${reason}`, key),
    isStopped: () => isStopped,
  });
  window.Lyceum = createBridge(session.variables, {
    record: (key, value) =>
      recorder.record({ type: "variable.set", sco: currentSco, key, value: value.toWellFormed() }),
    refuse: (key, reason) => recordError(`variable refused: ${reason}`, key),
    complete: createCompletion(session, {
      record: (value) => recorder.record({ type: "complete", sco: currentSco, ...(value && { value }) }, true),
      refuse: (reason) => recordError(`completion refused: ${reason}`),
      isStopped: () => isStopped,
    }),
    isStopped: () => isStopped,
    runPrompt: promptCalls.run,
    openChat: (chatbotId) => post({ type: "chat", chatbotId: chatbotId?.toWellFormed() ?? null, toggles: false }),
  });

  const { sequencing } = session;
  let readContent: Runtime["content"] = NO_CONTENT;
  const rules: Rules | null =
    sequencing &&
    (await import("#web/shell/sequencing.ts")
      .then(({ followRules }) =>
        followRules(sequencing.tree, sequencing.stored, {
          record: (event) => recorder.record(event, true),
          post: (message) => queueMicrotask(() => post(message)),
          content: () => readContent(),
        }),
      )
      .catch(() => null));
  /**
   * A part that the learner leaves ends by what the learner asks for. In a closing tab it goes on at the next launch,
   * unless its content says that it has ended.
   */
  const endByRules = (following: Rules, request: string, isUnloaded: boolean) => {
    const exit = readContent()?.exit ?? "";
    const isGoingOn = isUnloaded && (exit === "" || exit === "suspend") && request === "";
    if (isLeaving || isGoingOn) return;
    following.end(request);
    readContent = NO_CONTENT;
  };
  const navigate = async (request: NavigationRequest, target: string | null) => {
    if (rules?.refuses(request, target)) return;
    await closePart();
    rules?.request(request, target, readContent());
    readContent = NO_CONTENT;
  };

  const open = async ({ opening, sco, href, isSco, values, returnPath }: Extract<ToShell, { type: "open" }>) => {
    const created = createFrame();
    frame = created;
    currentSco = sco;
    for (const [key, value] of Object.entries(values)) hideAnswer(recording, key, value);
    const { kind } = session;
    const isReporting = isSco && hasRunTime(kind);
    readContent = isReporting ? () => storedContent(values) : NO_CONTENT;
    rules?.opened();
    if (isReporting) {
      const given = rules ? rules.valuesOf(sco, values) : values;
      const hooks = {
        initialized: () => {
          rules?.goOn();
          readContent = () => runtime.content();
          rules?.onInitialized();
          recorder.record({ type: "scorm.init", sco });
        },
        set: (key: string, value: string) => {
          hideAnswer(recording, key, value);
          recorder.record({ type: "scorm.set", sco, key, value: value.toWellFormed() });
          rules?.onReported(key);
        },
        committed: () => recorder.record({ type: "scorm.commit", sco }, true),
        terminated: (request: string) => {
          const isUnloaded = closingSender.isClosing() || isLeaving;
          recorder.record({ type: "scorm.terminate", sco, ...(isUnloaded && { value: UNLOADED }) }, true);
          if (rules) return endByRules(rules, request, isUnloaded);
          // After the events of this task, which the recorder sends in a microtask.
          queueMicrotask(() => post({ type: "terminated", opening, sco, request }));
        },
        isStopped: () => isStopped,
      };
      const runtime: Runtime = await createRuntime(kind, given, () => created.contentDocument, hooks, rules);
      window[runtime.name] = runtime.api;
    }
    created.addEventListener("load", () => post({ type: "opened", sco }), { once: true });
    created.addEventListener("load", () => recording?.open(), { once: true });
    if (returnPath)
      created.addEventListener("load", () => {
        if (!isLeaving && pathOf(created) === returnPath) post({ type: "terminated", opening, sco, request: "" });
      });
    created.addEventListener("load", activity.look);
    created.addEventListener("load", reader.look);
    created.src = files + href;
    document.body.append(created);
    created.focus();
  };

  /** Parts are closed and opened one after another. */
  let queue = Promise.resolve();
  const enqueue = (work: () => Promise<void>) => {
    queue = queue.catch(() => {}).then(work);
  };
  port.addEventListener("message", ({ data }: MessageEvent<ToShell>) => {
    if (data.type === "received") removeUnsentEvents(stored, database);
    else if (data.type === "leave") {
      enqueue(async () => {
        await closePart();
        post({ type: "left", opening: data.opening });
      });
    } else if (data.type === "open") {
      enqueue(async () => {
        await closePart();
        await open(data);
      });
    } else if (data.type === "enter") {
      if (rules) rules.enter(data.wanted, data.left && storedContent(data.left));
      else post(UNFOLLOWED);
    } else if (data.type === "navigate") enqueue(() => navigate(data.request, data.target));
    else if (data.type === "record") {
      // The exit is committed before the last chunks of a recording are sent.
      recorder.record(data.event, recording !== null && data.event.type === "exit");
    } else if (data.type === "journaled") unsentStore.remove(data.seq);
    else if (data.type === "stored") {
      recorder.confirm(data.seq);
      unsentStore.remove(data.seq);
      activeMs = data.activeMs;
    } else if (data.type === "answered") promptCalls.onAnswer(data);
    else if (data.type === "stopRecording") recording?.stop();
    else if (data.type === "stop") {
      isStopped = true;
      recording?.stop();
    } else if (data.type === "close") {
      enqueue(async () => {
        await closePart();
        await recording?.drain();
        isClosed = true;
        recording?.stop();
        activity.stop();
        reader.stop();
        post({ type: "closed" });
      });
    }
  });
  port.start();

  window.addEventListener("pagehide", () => {
    // A shell that has recorded no events leaves its session to the next launch.
    if (isClosed || isStopped || recorder.lastSeq() === 0) return;
    reader.look();
    closingSender.start();
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) closingSender.cancel();
  });
  post({ type: "unsent", batches: stored.batches, unsent: stored.unsent });
}
