/** Times to wait before the next attempt, in ms: each about twice as long as the one before, up to `maxMs`. */
export function createBackOff(firstMs: number, maxMs: number) {
  let delay = firstMs;
  return {
    /** After an attempt that has succeeded, the next wait is a short one again. */
    reset() {
      delay = firstMs;
    },
    next() {
      // Not all browsers come back at the same moment.
      const wait = delay * (0.75 + Math.random() / 2);
      delay = Math.min(maxMs, delay * 2);
      return wait;
    },
  };
}

/**
 * The server has ended a stream because the same person has opened too many: coming back at once would end another one.
 */
export const isDisplaced = (message: string) => message.startsWith("event: displaced\n");
