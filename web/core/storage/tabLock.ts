/**
 * Acquires a lock that only one tab of this browser can hold, and returns its release function. Null if another tab
 * holds it, or if waiting was aborted. Without the Web Locks API (pages without https), every tab gets the lock.
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
