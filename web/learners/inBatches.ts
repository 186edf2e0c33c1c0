/** Bulk calls take this many ids at most (shared/learners.ts). */
const AT_ONCE = 1000;

/** Sends ids in portions and adds up how many rows changed. */
export async function inBatches(ids: string[], send: (ids: string[]) => Promise<{ changed: number }>) {
  let changed = 0;
  for (let at = 0; at < ids.length; at += AT_ONCE) changed += (await send(ids.slice(at, at + AT_ONCE))).changed;
  return changed;
}
