/** Replacement for a blocked localStorage; lost with the page. */
const memory = new Map<string, string>();

/** localStorage that never throws: if the browser blocks it (private mode, strict settings), values are kept in memory. */
export const storage = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return memory.get(key) ?? null;
    }
  },
  set(key: string, value: string) {
    try {
      localStorage.setItem(key, value);
    } catch {
      memory.set(key, value);
    }
  },
  remove(key: string) {
    memory.delete(key);
    try {
      localStorage.removeItem(key);
    } catch {
      // localStorage is blocked
    }
  },
  /** All stored keys. */
  keys(): string[] {
    try {
      return Object.keys(localStorage);
    } catch {
      return [...memory.keys()];
    }
  },
};

/** The JSON value stored under `key`; null if there is none or it is invalid. */
export function readJson(key: string): unknown {
  try {
    return JSON.parse(storage.get(key) ?? "null");
  } catch {
    return null;
  }
}
