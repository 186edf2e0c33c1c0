/** A storage that never throws: if the browser blocks it (private mode, strict settings), values are kept in memory. */
function createStorage(open: () => Storage) {
  const memory = new Map<string, string>();
  return {
    get(key: string): string | null {
      try {
        return open().getItem(key);
      } catch {
        return memory.get(key) ?? null;
      }
    },
    set(key: string, value: string) {
      try {
        open().setItem(key, value);
      } catch {
        memory.set(key, value);
      }
    },
    remove(key: string) {
      memory.delete(key);
      try {
        open().removeItem(key);
      } catch {
        // blocked
      }
    },
    /** All stored keys. */
    keys(): string[] {
      try {
        return Object.keys(open());
      } catch {
        return [...memory.keys()];
      }
    },
  };
}

/** localStorage: of this browser. */
export const storage = createStorage(() => localStorage);
/** sessionStorage: of this tab, until it is closed. */
export const tabStorage = createStorage(() => sessionStorage);

/** The JSON value stored under `key`; null if there is none or it is invalid. */
export function readJson(key: string, from = storage): unknown {
  try {
    return JSON.parse(from.get(key) ?? "null");
  } catch {
    return null;
  }
}
