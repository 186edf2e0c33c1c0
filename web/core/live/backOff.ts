/** Delays before the next attempt, in ms: each about twice the previous one, up to `maxMs`. */
export function createBackOff(firstMs: number, maxMs: number) {
  let delay = firstMs;
  return {
    /** Call it after a success: the next delay is the shortest again. */
    reset() {
      delay = firstMs;
    },
    next() {
      // Jitter, so that browsers do not all reconnect at the same moment.
      const wait = delay * (0.75 + Math.random() / 2);
      delay = Math.min(maxMs, delay * 2);
      return wait;
    },
  };
}

/**
 * True if the server has ended a stream because the person has opened too many: reconnecting at once would end another
 * one.
 */
export const isDisplaced = (message: string) => message.startsWith("event: displaced\n");
