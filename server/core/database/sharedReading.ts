import type { Ctx } from "#server/core/http/http.ts";

/** Aggregates are never older than this, in ms. */
const MAX_AGE_MS = 1000;
type Reading = { startedAt: number; result: Promise<unknown> };
const readingsOfNodes = new WeakMap<Ctx["pool"], Map<string, Reading>>();

/**
 * The result of `read`, shared by requests of this node for the same `key` while it is under way, if it began less than
 * a second before. What was read is not kept. The key contains everything that the result depends on, first of all the
 * scope of the user; what is done for each reader, such as its entry in the audit log, is done outside.
 */
export function shareReading<T>({ pool }: Pick<Ctx, "pool">, key: unknown[], read: () => Promise<T>): Promise<T> {
  const readings = readingsOfNodes.get(pool) ?? new Map<string, Reading>();
  readingsOfNodes.set(pool, readings);
  const name = JSON.stringify(key);
  const known = readings.get(name);
  if (known && performance.now() - known.startedAt < MAX_AGE_MS) return known.result as Promise<T>;
  const result = read().finally(() => {
    if (readings.get(name)?.result === result) readings.delete(name);
  });
  readings.set(name, { startedAt: performance.now(), result });
  return result;
}
