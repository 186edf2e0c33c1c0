import type { Frame, Page } from "@playwright/test";

/** A file inside IndexedDB, as it is written to JSON. */
type StoredFile = { $file: string; name: string; type: string; lastModified: number };
type Store = {
  name: string;
  keyPath: string | string[] | null;
  indexes: { name: string; keyPath: string | string[] }[];
  records: unknown[];
};
/** All data of one origin in one tab: localStorage, sessionStorage and IndexedDB, with files as base64. */
export type BrowserState = {
  local: Record<string, string>;
  session: Record<string, string>;
  databases: { name: string; version: number; stores: Store[] }[];
};

/** Reads the stored data of the origin of a page or frame. */
export const readBrowserState = (frame: Page | Frame): Promise<BrowserState> =>
  frame.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(new Error(String(request.error))));
      });
    const base64 = (blob: Blob) =>
      new Promise<string>((resolve) => {
        const reader = new FileReader();
        reader.addEventListener("load", () => resolve(String(reader.result).replace(/^.*?,/, "")));
        reader.readAsDataURL(blob);
      });
    const encode = async (value: unknown): Promise<unknown> => {
      if (value instanceof File) {
        const { name, type, lastModified } = value;
        return { $file: await base64(value), name, type, lastModified } satisfies StoredFile;
      }
      if (Array.isArray(value)) return Promise.all(value.map(encode));
      if (typeof value !== "object" || value === null) return value;
      const entries = Object.entries(value).map(async ([key, one]) => [key, await encode(one)]);
      return Object.fromEntries(await Promise.all(entries)) as unknown;
    };
    const databases = [];
    for (const { name = "" } of await indexedDB.databases()) {
      const db = await done(indexedDB.open(name));
      const stores = [];
      for (const storeName of db.objectStoreNames) {
        const store = db.transaction(storeName).objectStore(storeName);
        const indexes = [...store.indexNames].map((index) => ({ name: index, keyPath: store.index(index).keyPath }));
        const { keyPath } = store;
        const records = (await encode(await done(store.getAll()))) as unknown[];
        stores.push({ name: storeName, keyPath, indexes, records });
      }
      databases.push({ name, version: db.version, stores });
      db.close();
    }
    return { local: { ...localStorage }, session: { ...sessionStorage }, databases };
  });

/** Replaces the stored data of the origin of a page or frame. */
export const writeBrowserState = (frame: Page | Frame, state: BrowserState): Promise<void> =>
  frame.evaluate(async ({ local, session, databases }) => {
    const decode = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(decode);
      if (typeof value !== "object" || value === null) return value;
      const { $file, name, ...facts } = value as StoredFile;
      if ($file !== undefined)
        return new File([Uint8Array.from(atob($file), (letter) => letter.charCodeAt(0))], name, facts);
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, decode(one)]));
    };
    localStorage.clear();
    sessionStorage.clear();
    for (const [key, value] of Object.entries(local)) localStorage.setItem(key, value);
    for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
    for (const { name, version, stores } of databases)
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.open(name, version);
        request.addEventListener("upgradeneeded", () => {
          for (const store of stores) {
            const made = request.result.createObjectStore(store.name, { keyPath: store.keyPath });
            for (const index of store.indexes) made.createIndex(index.name, index.keyPath);
          }
        });
        request.addEventListener("error", () => reject(new Error(String(request.error))));
        request.addEventListener("success", () => {
          if (stores.length === 0) return resolve();
          const tx = request.result.transaction(
            stores.map((store) => store.name),
            "readwrite",
          );
          for (const store of stores)
            for (const record of store.records) tx.objectStore(store.name).put(decode(record));
          tx.addEventListener("complete", () => {
            request.result.close();
            resolve();
          });
          tx.addEventListener("abort", () => reject(new Error(String(tx.error))));
        });
      });
  }, state);
