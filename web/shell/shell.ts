import type { FromShell, ShellSession, ToShell } from "#shared/shell.ts";
import { watchActivity } from "#web/shell/activity.ts";
import { createRecorder } from "#web/shell/recorder.ts";
import { createRuntime } from "#web/shell/runtime.ts";
import { clearForeign, sendTail, takeTails } from "#web/shell/tail.ts";

type Globals = Record<string, unknown>;
const globals = window as unknown as Globals;

/** Runs one session: opens parts on demand, gives them a run-time, and hands everything that happens to the application page. */
export async function startShell(port: MessagePort, session: ShellSession, files: string) {
  const say = (message: FromShell) => port.postMessage(message);
  const recorder = createRecorder(session.startedAt, session.lastSeq, (events, urgent) =>
    say({ say: "events", events, urgent }),
  );
  let stopped = false;
  let closed = false;
  let activeMs = 0;

  const tails = takeTails();
  await clearForeign(session.attemptId);
  let frame: HTMLIFrameElement | null = null;
  const activity = watchActivity(
    () => frame,
    () => say({ say: "active" }),
  );

  /** Every part gets a frame of its own: navigating one frame would let the Back button show one part's page with another part's run-time. */
  const newFrame = () => {
    const made = document.createElement("iframe");
    made.allow = "autoplay; fullscreen; encrypted-media; picture-in-picture; clipboard-write";
    made.title = document.title;
    return made;
  };
  const leave = () =>
    new Promise<void>((resolve) => {
      const left = frame;
      if (!left) return resolve();
      const done = () => {
        clearTimeout(patience);
        left.remove();
        if (frame === left) frame = null;
        delete globals.API;
        delete globals.API_1484_11;
        resolve();
      };
      const patience = setTimeout(done, 3000);
      left.addEventListener("load", done, { once: true });
      // Going away, not vanishing: packages say their last words in beforeunload and unload.
      left.contentWindow?.location.replace("about:blank");
    });

  const open = async ({ opening, sco, href, isSco, values }: Extract<ToShell, { say: "open" }>) => {
    await leave();
    const made = newFrame();
    frame = made;
    const { kind } = session;
    if (isSco && kind !== "html") {
      const { name, api } = await createRuntime(kind, values, () => made.contentDocument, {
        initialized: () => recorder.record({ type: "scorm.init", sco }),
        set: (key, value) => recorder.record({ type: "scorm.set", sco, key, value: value.toWellFormed() }),
        committed: () => recorder.record({ type: "scorm.commit", sco }, true),
        terminated: (request) => {
          recorder.record({ type: "scorm.terminate", sco }, true);
          say({ say: "terminated", opening, sco, request });
        },
        stopped: () => stopped,
      });
      globals[name] = api;
    }
    made.addEventListener("load", () => say({ say: "opened", sco }), { once: true });
    made.src = files + href;
    document.body.append(made);
    made.focus();
  };

  port.onmessage = async ({ data }: MessageEvent<ToShell>) => {
    if (data.say === "open") await open(data);
    else if (data.say === "record") recorder.record(data.event);
    else if (data.say === "stored") {
      recorder.confirm(data.seq);
      activeMs = data.activeMs;
    } else if (data.say === "stop") stopped = true;
    else if (data.say === "close") {
      await leave();
      closed = true;
      activity.stop();
      say({ say: "closed" });
    }
  };

  window.addEventListener("pagehide", () => {
    if (!closed && !stopped) sendTail(session, recorder.unconfirmed(), activeMs);
  });
  say({ say: "tails", tails });
}
