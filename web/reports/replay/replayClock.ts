import { useSyncExternalStore } from "react";

export type Span = { from: number; to: number };
/** Skipping of idle time stops this long before its end, in ms, so that the next event is seen as it happens. */
const LEAD_MS = 700;

/**
 * The position of a replay, in ms since the start of the session. Kept outside React: during playback, only components
 * whose selected value has changed are rendered.
 */
export function createReplayClock(duration: number, idle: Span[], start: number) {
  const listeners = new Set<() => void>();
  let now = Math.min(Math.max(0, start), duration);
  let playing = false;
  let speed = 1;
  let skipsIdle = true;
  let frame = 0;
  let last = 0;
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const tick = (at: number) => {
    const passed = Math.min(at - last, 250);
    last = at;
    now += passed * speed;
    const span = skipsIdle && idle.find(({ from, to }) => now > from && now < to - LEAD_MS);
    if (span) now = span.to - LEAD_MS;
    if (now >= duration) {
      now = duration;
      playing = false;
    } else frame = requestAnimationFrame(tick);
    notify();
  };
  const pause = () => {
    cancelAnimationFrame(frame);
    playing = false;
    notify();
  };
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    now: () => now,
    isPlaying: () => playing,
    speed: () => speed,
    skipsIdle: () => skipsIdle,
    duration,
    seek: (time: number) => {
      now = Math.min(Math.max(0, time), duration);
      notify();
    },
    pause,
    play: () => {
      if (playing) return;
      if (now >= duration) now = 0;
      playing = true;
      last = performance.now();
      frame = requestAnimationFrame(tick);
      notify();
    },
    setSpeed: (next: number) => {
      speed = next;
      notify();
    },
    setSkipsIdle: (next: boolean) => {
      skipsIdle = next;
      notify();
    },
  };
}
export type ReplayClock = ReturnType<typeof createReplayClock>;

/** Subscribes a component to a value derived from the clock; it is rendered only when that value changes. */
export const useClock = <T extends string | number | boolean>(clock: ReplayClock, select: (clock: ReplayClock) => T) =>
  useSyncExternalStore(clock.subscribe, () => select(clock));
export const secondOf = (clock: ReplayClock) => Math.floor(clock.now() / 1000);

/** The index of the last of sorted times that is not after a time; -1 if all are. */
export function indexAt(times: ArrayLike<number>, time: number) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
