import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Target } from "#web/core/upload/uploadProtocol.ts";
import { UPLOAD_DAYS } from "#shared/files.ts";

/** An upload as it outlives a reload. The bytes lie beside it when there was room for them. */
export type Remembered = {
  id: string;
  userId: string;
  kind: string;
  slot: string;
  about: unknown;
  target: Target;
  name: string;
  size: number;
  lastModified: number;
  /** Address of the session on the server, and how much it had. */
  url: string | null;
  sent: number;
  paused: boolean;
  /** `finish`: all bytes are stored, the domain's step is left. `dropped`: the server has to be told that it was cancelled. */
  stage: "upload" | "finish" | "dropped";
  at: number;
};

interface Schema extends DBSchema {
  uploads: { key: string; value: Remembered };
  files: { key: string; value: { id: string; file: File } };
}

/** Space that a copy of a file must leave free, in bytes; and the largest copy where the browser does not tell its space. */
const SPARE = 100 * 1024 ** 2;
const BLIND = 100 * 1024 ** 2;
const KEPT_MS = UPLOAD_DAYS * 86_400_000;

let opened: Promise<IDBPDatabase<Schema> | null> | null = null;
/** Null where the browser forbids storage: then nothing outlives a reload, and everything else works. */
const open = () =>
  (opened ??= openDB<Schema>("lyceum-uploads", 1, {
    upgrade(db) {
      db.createObjectStore("uploads", { keyPath: "id" });
      db.createObjectStore("files", { keyPath: "id" });
    },
  }).catch(() => null));

const quietly = async <T>(work: (db: IDBPDatabase<Schema>) => Promise<T>, otherwise: T): Promise<T> => {
  try {
    const db = await open();
    return db ? await work(db) : otherwise;
  } catch {
    return otherwise;
  }
};

export const remember = (upload: Remembered) =>
  quietly(async (db) => void (await db.put("uploads", upload)), undefined);
export const readRemembered = (id: string) => quietly((db) => db.get("uploads", id), undefined);

export const forgetUpload = (id: string) =>
  quietly(async (db) => {
    const tx = db.transaction(["uploads", "files"], "readwrite");
    await Promise.all([tx.objectStore("uploads").delete(id), tx.objectStore("files").delete(id), tx.done]);
  }, undefined);

/** Keeps a copy of the bytes, if there is room and the upload is still remembered. False when it did not work. */
export const keepFile = (id: string, file: File) =>
  quietly(async (db) => {
    if (!(await hasRoom(file.size))) return false;
    const tx = db.transaction(["uploads", "files"], "readwrite");
    const known = await tx.objectStore("uploads").getKey(id);
    if (known) await tx.objectStore("files").put({ id, file });
    await tx.done;
    return known !== undefined;
  }, false);

async function hasRoom(size: number) {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined ? size <= BLIND : quota - usage > size + SPARE;
}

/** The kept bytes, if they are there and can still be read. */
export const readFile = (id: string) =>
  quietly(async (db) => {
    const file = (await db.get("files", id))?.file;
    if (file) await file.slice(0, 1).arrayBuffer();
    return file;
  }, undefined);

/** The uploads of a person, oldest first. What is too old, of whomever, is removed. */
export const readUploads = (userId: string) =>
  quietly(async (db) => {
    const all = await db.getAll("uploads");
    const stale = new Set(all.filter(({ at }) => Date.now() - at > KEPT_MS).map(({ id }) => id));
    const files = await db.getAllKeys("files");
    for (const id of new Set([...stale, ...files.filter((key) => !all.some(({ id }) => id === key))]))
      await forgetUpload(id);
    return all.filter((one) => one.userId === userId && !stale.has(one.id)).toSorted((a, b) => a.at - b.at);
  }, []);

/** Removes everything of a person: they have signed out. */
export const forgetPerson = (userId: string) =>
  quietly(async (db) => {
    const keys = (await db.getAll("uploads")).filter((one) => one.userId === userId).map(({ id }) => id);
    for (const id of keys) await forgetUpload(id);
  }, undefined);
