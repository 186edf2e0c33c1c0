import type { FromShell, ReviewSession, ToShell } from "#shared/player/shell.ts";
import { createBridge } from "#web/shell/bridge.ts";
import { createRuntime, hasRunTime } from "#web/shell/runtime.ts";
import { clearForeignData } from "#web/shell/unsentEvents.ts";

/**
 * Opens one part in a replay. The package gets its SCORM API and variables and may set anything, but nothing is
 * recorded, stored or sent. Unsent events of other sessions in this browser are not touched.
 */
export async function startReview(port: MessagePort, session: ReviewSession, files: string) {
  const post = (message: FromShell) => port.postMessage(message);
  const nothing = () => {};
  // Removes what packages stored in this browser during other reviews.
  await clearForeignData(session.reviewId);
  window.Lyceum = createBridge(session.variables, {
    record: nothing,
    refuse: nothing,
    openChat: nothing,
    complete: () => false,
    isStopped: () => false,
    runPrompt: () => Promise.reject(new Error("Nothing is sent in a replay.")),
  });
  port.addEventListener("message", async ({ data }: MessageEvent<ToShell>) => {
    if (data.type !== "open") return;
    const frame = document.createElement("iframe");
    frame.title = document.title;
    if (data.isSco && hasRunTime(session.kind)) {
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
  });
  port.start();
  post({ type: "unsent", batches: [], unsent: [] });
}
