/** Seconds over which the speed is measured: short enough to follow, long enough to be calm. */
const WINDOW_S = 4;

/** Bytes per second of something that grows. `null` until half a second was seen. Times are seconds of any clock. */
export function createSpeed() {
  let seen: [at: number, sent: number][] = [];
  return {
    note(sent: number, now: number): number | null {
      const last = seen.at(-1);
      // Bytes that were lost with a connection, and the silence after it, are not a speed.
      if (last && (sent < last[1] || now - last[0] > WINDOW_S)) seen = [];
      seen.push([now, sent]);
      while (seen.length > 2 && now - (seen[1]?.[0] ?? now) > WINDOW_S) seen.shift();
      const [at, before] = seen[0] ?? [now, sent];
      return now - at > 0.5 ? (sent - before) / (now - at) : null;
    },
    reset: () => {
      seen = [];
    },
  };
}
