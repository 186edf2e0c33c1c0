/** What a blocked localStorage would have held; gone with the page. */
const memory = new Map<string, string>();

/** localStorage that never throws: where a browser forbids it (private frames, strict settings) values live in memory. */
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
      // Nothing was there.
    }
  },
  /** Names of what is kept. */
  keys(): string[] {
    try {
      return Object.keys(localStorage);
    } catch {
      return [...memory.keys()];
    }
  },
};

/** JSON that was kept under `key`; null when there is none or it is broken. */
export function readJson(key: string): unknown {
  try {
    return JSON.parse(storage.get(key) ?? "null");
  } catch {
    return null;
  }
}
