import { Replayer } from "rrweb";
import type { CleanEvent } from "#web/shell/recording/cleanEvent.ts";
import type { ToViewer } from "#shared/player/shell.ts";

/** Drift from the position of the replay that is tolerated during playback, in ms of the viewer's clock. */
const MAX_DRIFT_MS = 400;
type Position = Extract<ToViewer, { type: "position" }>;
const silent = { log: () => {}, warn: () => {}, error: () => {}, debug: () => {} };

/**
 * Shows events in a frame without scripts (rrweb), fitted to the window, at the position of the replay. Throws if they
 * cannot be shown.
 */
export function createPlayback(events: CleanEvent[], onError: (error: unknown) => void) {
  const [first] = events;
  if (!first || !events.some(({ type }) => type === 2)) throw new Error("A recording begins with a snapshot.");
  const start = first.timestamp;
  const end = events.at(-1)?.timestamp ?? start;
  const replayer = new Replayer(events as unknown as ConstructorParameters<typeof Replayer>[0], {
    root: document.body,
    showWarning: false,
    showDebug: false,
    triggerFocus: false,
    mouseTail: false,
    UNSAFE_replayCanvas: false,
    logger: silent as unknown as Console,
  });
  replayer.iframe.title = "Recording";
  replayer.iframe.tabIndex = -1;
  let size = { width: 0, height: 0 };
  const fit = () => {
    if (size.width === 0) return;
    const scale = Math.min(innerWidth / size.width, innerHeight / size.height);
    replayer.wrapper.style.transform = `scale(${scale}) translateX(-50%)`;
  };
  replayer.on("resize", (next) => {
    size = next as typeof size;
    fit();
  });
  addEventListener("resize", fit);
  const onFailure = ({ error }: ErrorEvent) => onError(error);
  addEventListener("error", onFailure);

  let isPlaying = false;
  let speed = 1;
  let shown = -1;
  const seek = (at: number) => {
    if (at === shown) return;
    shown = at;
    // rrweb applies events only before the time it pauses at, and the last event may be the page that a frame has
    // loaded.
    replayer.pause(at - start + 1);
  };
  return {
    follow(position: Position) {
      const at = Math.min(end, Math.max(start, Math.round(position.at)));
      const plays = position.isPlaying && position.at >= start && at < end;
      if (position.speed !== speed) {
        ({ speed } = position);
        replayer.setConfig({ speed });
      }
      if (!plays) {
        isPlaying = false;
        return seek(at);
      }
      const drift = Math.abs(replayer.getCurrentTime() - (at - start));
      if (isPlaying && drift <= MAX_DRIFT_MS * speed) return;
      isPlaying = true;
      shown = -1;
      replayer.play(at - start);
    },
    remove() {
      removeEventListener("resize", fit);
      removeEventListener("error", onFailure);
      replayer.destroy();
    },
  };
}
export type Playback = ReturnType<typeof createPlayback>;
