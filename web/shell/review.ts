import type { FromShell, ReviewSession, ToShell } from "#shared/player/shell.ts";
import { createBridge } from "#web/shell/bridge.ts";
import { createRuntime } from "#web/shell/runtime.ts";
import { clearForeignData } from "#web/shell/unsentEvents.ts";

/**
 * Opens one part for an admin who replays a session: the package gets its SCORM API and its variables, and may set what
 * it likes, but nothing is recorded, stored or sent. Events of other sessions that wait in this browser are left alone.
 */
export async function startReview(port: MessagePort, session: ReviewSession, files: string) {
  const post = (message: FromShell) => port.postMessage(message);
  const nothing = () => {};
  // What a package stores in this browser belongs to this review only.
  await clearForeignData(session.reviewId);
  window.Lyceum = createBridge(session.variables, {
    record: nothing,
    refuse: nothing,
    openChat: nothing,
    complete: () => false,
    isStopped: () => false,
    runPrompt: () => Promise.reject(new Error("Nothing is sent in a replay.")),
  });
  port.onmessage = async ({ data }: MessageEvent<ToShell>) => {
    if (data.type !== "open") return;
    const frame = document.createElement("iframe");
    frame.title = document.title;
    if (data.isSco && session.kind !== "html") {
      const { name, api } = await createRuntime(session.kind, data.values, () => frame.contentDocument, {
        initialized: nothing,
        set: nothing,
        committed: nothing,
        terminated: nothing,
        isStopped: () => false,
      });
      window[name] = api;
    }
    frame.addEventListener("load", () => post({ type: "opened", sco: data.sco }), { once: true });
    frame.src = files + data.href;
    document.body.replaceChildren(frame);
  };
  post({ type: "unsent", batches: [], unsent: [] });
}
