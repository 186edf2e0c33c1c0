import { setImmediate as nextTurn } from "node:timers/promises";

/** The longest run of work before other work of the process gets a turn, in ms. */
const TURN_MS = 10;

/** For long loops: awaited in each iteration, it lets other work of the process run in between. */
export function createBreather() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
