import { queryClient } from "#web/core/api/api.ts";
import { createBackOff, isDisplaced } from "#web/core/live/backOff.ts";
import { tokenAfterRejection, usableToken } from "#web/core/session/token.ts";
import { readShape } from "#web/core/shape.ts";
import { type LiveMessage, MAX_AGE_MS } from "#shared/core/live.ts";

// The live channel: the tabs of a browser share one stream, which names the domains that have changed; each tab then
// refetches its own queries of them.

/** Name of the lock of the tab that reads the stream, and of the channel to the other tabs. */
const NAME = "lyceum.live";
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
/** Longest delay after the person has opened too many streams, in ms. */
const MAX_DISPLACED_MS = 5 * 60_000;
/** Minimum interval between two fetches of a domain, in ms; at least four times the duration of the last fetch. */
const MIN_INTERVAL_MS = 1000;
const LOAD_FACTOR = 4;

/**
 * Changes may be older than their message by up to this, in ms: the server collects them for half a second, and
 * networks are slow.
 */
const MARGIN_MS = 5000;
/** How long messages of the leading tab are kept for tabs that are just opening, in ms. */
const MEMORY_MS = 20_000;

/**
 * Follows changes until the returned function is called. For signed-in people. `since`: when the data on screen was
 * fetched, in ms of `Date.now()`; includes changes between then and the opening of the stream.
 */
export function followChanges(since: number): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const channel = new BroadcastChannel(NAME);
  const refresher = createRefresher(signal);
  /** The time up to which this tab has received all changes. */
  const heard = { until: since };
  let isLeading = false;
  let published: { at: number; message: unknown }[] = [];
  const publish = (message: unknown) => {
    const at = Date.now();
    published = [...published.filter((one) => at - one.at < MEMORY_MS), { at, message }];
    channel.postMessage(message);
    refresher.take(message);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (isOpened(data)) {
      if (isLeading) for (const { at, message } of published) if (at >= data.opened) channel.postMessage(message);
      return;
    }
    heard.until = Date.now();
    if (data !== ALIVE) refresher.take(data);
  });
  const lead = () => {
    isLeading = true;
    return readForever({ publish, heard, onAlive: () => channel.postMessage(ALIVE) }, signal);
  };
  // Without the Web Locks API (pages without https), every tab has its own stream.
  const led = navigator.locks ? navigator.locks.request(NAME, { signal }, lead) : lead();
  void led.catch(() => {});
  channel.postMessage({ opened: since });
  return () => {
    stopping.abort();
    channel.close();
  };
}

/** The leading tab reports that the stream is alive, so that a tab that takes over knows what it may have missed. */
const ALIVE = "alive";
/** A new tab reports that it has opened, and since when it may have missed changes. */
const isOpened = (message: unknown): message is { opened: number } =>
  typeof message === "object" && message !== null && "opened" in message && typeof message.opened === "number";

type Following = { publish: (message: unknown) => void; heard: { until: number }; onAlive: () => void };

async function readForever(following: Following, signal: AbortSignal) {
  const lost = createBackOff(FIRST_RETRY_MS, MAX_RETRY_MS);
  const displaced = createBackOff(MAX_RETRY_MS, MAX_DISPLACED_MS);
  while (!signal.aborted) {
    const startedAt = Date.now();
    const end = await readStream(following, signal).catch(() => "lost" as const);
    if (end === "lost" && Date.now() - startedAt > MAX_RETRY_MS) for (const one of [lost, displaced]) one.reset();
    await pause((end === "displaced" ? displaced : lost).next(), signal);
  }
}

/** Resolves with the reason for which the stream ended. */
async function readStream({ publish, heard, onAlive }: Following, signal: AbortSignal) {
  const token = await usableToken();
  if (!token) return "lost";
  const age = Math.min(MAX_AGE_MS, Math.max(0, Date.now() - heard.until) + MARGIN_MS);
  const response = await fetch(`/api/live?age=${age}`, {
    headers: { authorization: `Bearer ${token}` },
    signal,
    cache: "no-store",
  });
  // The session has ended elsewhere: the page asks for the login at once.
  if (response.status === 401) await tokenAfterRejection(token);
  if (!response.ok || !response.body) return "lost";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    heard.until = Date.now();
    onAlive();
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

/**
 * Invalidates the queries of changed domains and refetches those on screen; while the page is hidden, this waits until
 * it is visible.
 */
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
      const known = readShape<LiveMessage>(message, { domains: Array.isArray });
      for (const domain of known?.domains ?? []) changed.add(domain);
      void run();
    },
  };
}
