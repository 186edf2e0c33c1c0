import { setImmediate as nextTurn } from "node:timers/promises";

/** Work goes on for at most this long before others get their turn, in ms. */
const TURN_MS = 10;

/** For loops that could run for long: awaited in each round, it lets other work of the process run in between. */
export function createBreather() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
