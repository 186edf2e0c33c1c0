import { type FromViewer, SHELL_CONNECT, SHELL_READY, type ToViewer } from "#shared/player/shell.ts";
import { createPlayback, type Playback } from "#web/shell/viewer/playback.ts";
import { createChunkReader } from "#web/shell/viewer/chunkReader.ts";
import { TooLargeError } from "#web/shell/recording/cleanAttributes.ts";

// Entry of the page that shows a recording. Accepts a connection from the application page only, like the player shell
// (main.ts there).

const { app, files } = document.documentElement.dataset as { app: string; files: string };

function run(port: MessagePort) {
  const post = (message: FromViewer) => port.postMessage(message);
  const reader = createChunkReader(files);
  let playback: Playback | null = null;
  let position: Extract<ToViewer, { type: "position" }> | null = null;
  let isRefused = false;
  /** Chunks are read one after another. */
  let queue: Promise<void> = Promise.resolve();

  const refuse = (error: unknown) => {
    if (!isRefused) post({ type: "refused", reason: error instanceof TooLargeError ? "tooLarge" : "broken" });
    isRefused = true;
    playback?.remove();
    playback = null;
  };
  const enqueue = (work: () => Promise<void> | void) => {
    queue = queue.then(() => (isRefused ? undefined : work())).catch(refuse);
  };
  const show = () => {
    const events = reader.events();
    playback = createPlayback(events, refuse);
    const times = events.map(({ timestamp }) => timestamp);
    post({ type: "shown", from: times[0] ?? 0, to: times.at(-1) ?? 0, missing: reader.missing() });
    if (position) playback.follow(position);
  };
  port.addEventListener("message", ({ data }: MessageEvent<ToViewer>) => {
    if (data.type === "chunks") enqueue(() => reader.read(data.bodies));
    else if (data.type === "loaded") enqueue(show);
    else if (data.type === "position") {
      position = data;
      try {
        playback?.follow(data);
      } catch (error) {
        refuse(error);
      }
    }
  });
  port.start();
  post({ type: "ready" });
}

function onConnect(event: MessageEvent) {
  if (event.origin !== app || event.source !== window.parent || event.data?.hello !== SHELL_CONNECT) return;
  const [port] = event.ports;
  if (!port) return;
  window.removeEventListener("message", onConnect);
  run(port);
}

window.addEventListener("message", onConnect);
window.parent.postMessage({ hello: SHELL_READY }, app);
