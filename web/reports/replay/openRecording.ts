import { call } from "#web/core/api/api.ts";
import { cleanMissing, type Missing } from "#shared/recordings/missingKinds.ts";
import type { ReplayClock } from "#web/reports/replay/replayClock.ts";
import { replays } from "#shared/reports/replays.ts";
import { type FromViewer, SHELL_CONNECT, SHELL_READY, type ToViewer } from "#shared/player/shell.ts";

/** The last message of the page that shows a recording. */
export type RecordingView =
  | { status: "loading" }
  | { status: "shown"; from: number; to: number; missing: Missing }
  | { status: "tooLarge" | "broken" };
type Input = { viewer: string; sessionId: string; clock: ReplayClock; onView: (view: RecordingView) => void };

/** Interval at which the position is sent during playback, in ms. */
const POSITION_INTERVAL_MS = 250;

/**
 * Shows the recording of a session in a frame of the content origin, at the position of the clock. The chunks are
 * forwarded as stored and parsed only in that frame. Returns a function that closes the connection.
 */
export function openRecording(frame: HTMLIFrameElement, { viewer, sessionId, clock, onView }: Input) {
  const { origin } = new URL(viewer);
  const ended = new AbortController();
  let port: MessagePort | null = null;
  let told = { at: -1, isPlaying: false, speed: 0, when: 0 };

  const post = (message: ToViewer, transfer: Transferable[] = []) => port?.postMessage(message, transfer);
  const tell = () => {
    const now = {
      at: Math.round(clock.now()),
      isPlaying: clock.isPlaying(),
      speed: clock.speed(),
      when: performance.now(),
    };
    const isJump = now.isPlaying !== told.isPlaying || now.speed !== told.speed || !now.isPlaying;
    if (!isJump && now.when - told.when < POSITION_INTERVAL_MS) return;
    told = now;
    post({ type: "position", at: now.at, isPlaying: now.isPlaying, speed: now.speed });
  };
  const sendChunks = async () => {
    for (let from: number | null = 0; from !== null;) {
      const page: Awaited<ReturnType<typeof readChunks>> = await readChunks(sessionId, from, ended.signal);
      const bodies = page.chunks.map((chunk) => Uint8Array.from(atob(chunk), (char) => char.charCodeAt(0)).buffer);
      post({ type: "chunks", bodies }, bodies);
      from = page.next;
    }
    post({ type: "loaded" });
  };
  const onMessage = ({ data }: MessageEvent<FromViewer>) => {
    if (data.type === "ready") {
      tell();
      sendChunks().catch(() => !ended.signal.aborted && onView({ status: "broken" }));
    } else if (data.type === "shown") {
      const { from, to, missing } = data;
      onView({ status: "shown", from, to, missing: cleanMissing(missing) });
    } else if (data.type === "refused") onView({ status: data.reason === "tooLarge" ? "tooLarge" : "broken" });
  };
  const onHandshake = (event: MessageEvent) => {
    if (event.origin !== origin || event.source !== frame.contentWindow || event.data?.hello !== SHELL_READY) return;
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    port.addEventListener("message", onMessage);
    port.start();
    frame.contentWindow?.postMessage({ hello: SHELL_CONNECT }, origin, [channel.port2]);
  };
  addEventListener("message", onHandshake);
  const stopFollowing = clock.subscribe(tell);
  onView({ status: "loading" });
  frame.src = viewer;
  return () => {
    ended.abort();
    stopFollowing();
    removeEventListener("message", onHandshake);
    port?.close();
  };
}
const readChunks = (id: string, from: number, signal: AbortSignal) =>
  call(replays.recordingChunks, { params: { id }, query: { from } }, signal);
