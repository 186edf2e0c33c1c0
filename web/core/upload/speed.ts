/** Seconds over which the speed is averaged: short enough to follow changes, long enough to be steady. */
const WINDOW_S = 4;

/**
 * Measures a transfer in bytes per second; null for the first half second. Times are seconds of any monotonic clock.
 */
export function createSpeed() {
  let samples: [at: number, sent: number][] = [];
  return {
    add(sent: number, now: number): number | null {
      const last = samples.at(-1);
      // Start again after a connection was lost: the byte count drops, or nothing was sent for a while.
      if (last && (sent < last[1] || now - last[0] > WINDOW_S)) samples = [];
      samples.push([now, sent]);
      while (samples.length > 2 && now - (samples[1]?.[0] ?? now) > WINDOW_S) samples.shift();
      const [at, before] = samples[0] ?? [now, sent];
      return now - at > 0.5 ? (sent - before) / (now - at) : null;
    },
    reset: () => {
      samples = [];
    },
  };
}
