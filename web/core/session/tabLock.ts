/**
 * Takes a name that only one tab of this browser may hold, and returns how to give it back. Null when another tab has it,
 * or when waiting for it was aborted. Where the browser has no Web Locks (a page on plain http), every tab gets it.
 */
export function acquireTabLock(name: string, { wait }: { wait?: AbortSignal } = {}): Promise<(() => void) | null> {
  const { locks } = navigator;
  if (!locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    const options = wait ? { signal: wait } : { ifAvailable: true };
    locks
      .request(name, options, (lock) => (lock ? new Promise<void>((release) => resolve(release)) : resolve(null)))
      .catch(() => resolve(null));
  });
}
