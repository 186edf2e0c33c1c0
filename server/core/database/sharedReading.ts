import type { Ctx } from "#server/core/http/http.ts";

/** The largest age of a shared result, in ms. */
const MAX_AGE_MS = 1000;
type Reading = { startedAt: number; result: Promise<unknown> };
const readingsOfNodes = new WeakMap<Ctx["pool"], Map<string, Reading>>();

/**
 * The result of `read`, shared by requests of this node with the same `key` while it runs, if it started less than a
 * second ago. Finished results are not kept. The key must contain everything that the result depends on, above all the
 * scope of the user. Anything that must happen for each reader, such as an audit entry, belongs outside of `read`.
 */
export function shareReading<T>({ pool }: Pick<Ctx, "pool">, key: unknown[], read: () => Promise<T>): Promise<T> {
  const readings = readingsOfNodes.get(pool) ?? new Map<string, Reading>();
  readingsOfNodes.set(pool, readings);
  const name = JSON.stringify(key);
  const running = readings.get(name);
  if (running && performance.now() - running.startedAt < MAX_AGE_MS) return running.result as Promise<T>;
  const result = read().finally(() => {
    if (readings.get(name)?.result === result) readings.delete(name);
  });
  readings.set(name, { startedAt: performance.now(), result });
  return result;
}
