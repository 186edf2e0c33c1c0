import { queryClient } from "#web/core/api/api.ts";
import { createBackOff, isDisplaced } from "#web/core/live/backOff.ts";
import { usableToken } from "#web/core/session/token.ts";
import { liveMessage } from "#shared/live.ts";

// The live channel: the tabs of a browser share one stream, which names the domains that have changed; each tab then fetches
// what it shows of them.

/** Name of the lock of the tab that reads the stream, and of the channel to the other tabs. */
const NAME = "lyceum.live";
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
/** After the person has opened too many streams. */
const MAX_DISPLACED_MS = 5 * 60_000;
/** A domain is fetched at most this often, and not again before four times as long as the last fetch took. */
const MIN_INTERVAL_MS = 1000;
const LOAD_FACTOR = 4;

/** Follows the changes until the returned function is called. For signed-in people. */
export function followChanges(): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const channel = new BroadcastChannel(NAME);
  const refresher = createRefresher(signal);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => refresher.take(data);
  const publish = (message: unknown) => {
    channel.postMessage(message);
    refresher.take(message);
  };
  // Without locks, on a page that is not secure, every tab has its own stream.
  const lead = () => readForever(publish, signal);
  const led = navigator.locks ? navigator.locks.request(NAME, { signal }, lead) : lead();
  void led.catch(() => {});
  return () => {
    stopping.abort();
    channel.close();
  };
}

async function readForever(publish: (message: unknown) => void, signal: AbortSignal) {
  const lost = createBackOff(FIRST_RETRY_MS, MAX_RETRY_MS);
  const displaced = createBackOff(MAX_RETRY_MS, MAX_DISPLACED_MS);
  let isFirst = true;
  while (!signal.aborted) {
    const startedAt = Date.now();
    // What changed between two streams has been missed.
    const end = await readStream(publish, signal, isFirst ? null : "missed").catch(() => "lost" as const);
    isFirst = false;
    if (end === "lost" && Date.now() - startedAt > MAX_RETRY_MS) for (const one of [lost, displaced]) one.reset();
    await pause((end === "displaced" ? displaced : lost).next(), signal);
  }
}

/** Resolves with how the stream has ended. */
async function readStream(publish: (message: unknown) => void, signal: AbortSignal, first: "missed" | null) {
  const token = await usableToken();
  if (!token) return "lost";
  const response = await fetch("/api/live", {
    headers: { authorization: `Bearer ${token}` },
    signal,
    cache: "no-store",
  });
  if (!response.ok || !response.body) return "lost";
  if (first) publish(first);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const messages = (text + read.value).split("\n\n");
    text = messages.pop() ?? "";
    for (const message of messages) {
      if (isDisplaced(message)) return "displaced";
      const data = /^data: (.*)$/m.exec(message)?.[1];
      if (data) publish(message.startsWith("event: missed") ? "missed" : JSON.parse(data));
    }
  }
  return "lost";
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Makes the queries of changed domains stale and fetches those on screen; while the page is hidden, when it is seen again. */
function createRefresher(signal: AbortSignal) {
  const changed = new Set<string>();
  let isRunning = false;
  let restUntil = 0;

  const run = async () => {
    if (isRunning || signal.aborted || document.hidden || changed.size === 0) return;
    isRunning = true;
    await pause(Math.max(0, restUntil - Date.now()), signal);
    const domains = [...changed];
    changed.clear();
    const startedAt = Date.now();
    if (!signal.aborted)
      await Promise.all(domains.map((domain) => queryClient.invalidateQueries({ queryKey: [domain] })));
    const took = Date.now() - startedAt;
    restUntil = Date.now() + Math.max(MIN_INTERVAL_MS, LOAD_FACTOR * took);
    isRunning = false;
    void run();
  };
  document.addEventListener("visibilitychange", () => void run(), { signal });
  return {
    take(message: unknown) {
      if (message === "missed")
        void queryClient.invalidateQueries({ refetchType: document.hidden ? "none" : "active" });
      const parsed = liveMessage.safeParse(message);
      for (const domain of parsed.data?.domains ?? []) changed.add(domain);
      void run();
    },
  };
}
