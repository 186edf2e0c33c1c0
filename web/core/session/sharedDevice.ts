import { createStore } from "#web/core/store.ts";

// The last input on a device that several people use, in any tab, and in packages of courses

const CHANNEL = "lyceum-input";
/** The minimum time between two notes of input, in ms. */
const INTERVAL_MS = 1000;

let lastInput = Date.now();
let channel: BroadcastChannel | null = null;

/** The time of the last input in ms since the epoch. */
export const lastInputAt = () => lastInput;

/** Notes input, also such as only the player knows of. */
export function noteInput() {
  const now = Date.now();
  if (now - lastInput < INTERVAL_MS) return;
  lastInput = now;
  channel?.postMessage(now);
}

/** Hears of input in other tabs. Returns a function that stops it. */
export function shareInput() {
  lastInput = Date.now();
  const opened = new BroadcastChannel(CHANNEL);
  channel = opened;
  opened.addEventListener("message", ({ data }: MessageEvent<number>) => {
    lastInput = Math.max(lastInput, data);
  });
  return () => {
    opened.close();
    channel = null;
  };
}

/** Seconds until the session is locked, while the warning is shown; otherwise null. */
export const warning = createStore<number | null>(null);
