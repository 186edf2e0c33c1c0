/** Maximum number of ids per bulk call (shared/learners.ts). */
const BATCH_SIZE = 1000;

/** Sends ids in batches and returns the total number of changed rows. */
export async function inBatches(ids: string[], send: (ids: string[]) => Promise<{ changed: number }>) {
  let changed = 0;
  for (let at = 0; at < ids.length; at += BATCH_SIZE) changed += (await send(ids.slice(at, at + BATCH_SIZE))).changed;
  return changed;
}
