/**
 * Runs what has the same key one after another on this node, in the order of the calls, so that it waits here and not
 * on a connection of the database. A failure does not stop what comes after it.
 */
export function createKeyedQueue() {
  const last = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const previous = last.get(key) ?? Promise.resolve();
    const current = previous.catch(() => {}).then(work);
    last.set(key, current);
    const remove = () => {
      if (last.get(key) === current) last.delete(key);
    };
    current.then(remove, remove);
    return current;
  };
}
