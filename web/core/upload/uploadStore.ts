import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Target } from "#web/core/upload/uploadProtocol.ts";
import { UPLOAD_DATABASE } from "#shared/consent/consent.ts";
import { UPLOAD_DAYS } from "#shared/files/files.ts";

/** An upload as stored in IndexedDB, to continue after a reload. Its bytes are stored separately if there is space. */
export type StoredUpload = {
  id: string;
  userId: string;
  kind: string;
  slot: string;
  about: unknown;
  target: Target;
  name: string;
  size: number;
  lastModified: number;
  /** URL of the upload on the server, and the bytes it had received. */
  url: string | null;
  sent: number;
  paused: boolean;
  /**
   * `finish`: all bytes are stored, the handler of the domain has to run. `dropped`: it has to be cancelled on the
   * server.
   */
  stage: "upload" | "finish" | "dropped";
  at: number;
};

interface Schema extends DBSchema {
  uploads: { key: string; value: StoredUpload };
  files: { key: string; value: { id: string; file: File } };
}

/** Storage that a copy of a file must leave free, in bytes. */
const RESERVED_BYTES = 100 * 1024 ** 2;
/** Largest copy in bytes if the browser does not report its quota. */
const MAX_BYTES_WITHOUT_QUOTA = 100 * 1024 ** 2;
const MAX_AGE_MS = UPLOAD_DAYS * 86_400_000;

type FormerTarget = { path: string; contentType: string; metadata: Target["customMetadata"] };
/** Earlier versions of the application stored the target with the names of the protocol. */
function withCurrentNames(upload: StoredUpload): StoredUpload {
  if (!("path" in upload.target)) return upload;
  const { path, contentType, metadata } = upload.target as unknown as FormerTarget;
  return { ...upload, target: { fullPath: path, contentType, customMetadata: metadata } };
}

let opened: Promise<IDBPDatabase<Schema> | null> | null = null;
/** Null if the browser blocks IndexedDB: uploads then work, but do not survive a reload. */
const open = () =>
  (opened ??= openDB<Schema>(UPLOAD_DATABASE, 1, {
    upgrade(db) {
      db.createObjectStore("uploads", { keyPath: "id" });
      db.createObjectStore("files", { keyPath: "id" });
    },
  }).catch(() => null));

const ignoringErrors = async <T>(work: (db: IDBPDatabase<Schema>) => Promise<T>, fallback: T): Promise<T> => {
  try {
    const db = await open();
    return db ? await work(db) : fallback;
  } catch {
    return fallback;
  }
};

export const storeUpload = (upload: StoredUpload) =>
  ignoringErrors(async (db) => void (await db.put("uploads", upload)), undefined);
export const readUpload = (id: string) =>
  ignoringErrors(async (db) => {
    const upload = await db.get("uploads", id);
    return upload && withCurrentNames(upload);
  }, undefined);

export const deleteUpload = (id: string) =>
  ignoringErrors(async (db) => {
    const tx = db.transaction(["uploads", "files"], "readwrite");
    await Promise.all([tx.objectStore("uploads").delete(id), tx.objectStore("files").delete(id), tx.done]);
  }, undefined);

/** Stores a copy of the bytes if there is space and the upload is still stored. Returns whether it did. */
export const storeFile = (id: string, file: File) =>
  ignoringErrors(async (db) => {
    if (!(await hasSpaceFor(file.size))) return false;
    const tx = db.transaction(["uploads", "files"], "readwrite");
    const known = await tx.objectStore("uploads").getKey(id);
    if (known) await tx.objectStore("files").put({ id, file });
    await tx.done;
    return known !== undefined;
  }, false);

async function hasSpaceFor(size: number) {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined
    ? size <= MAX_BYTES_WITHOUT_QUOTA
    : quota - usage > size + RESERVED_BYTES;
}

/** The stored bytes, if they exist and are readable. */
export const readFile = (id: string) =>
  ignoringErrors(async (db) => {
    const file = (await db.get("files", id))?.file;
    if (file) await file.slice(0, 1).arrayBuffer();
    return file;
  }, undefined);

/** The uploads of a user, oldest first. Deletes outdated uploads of all users. */
export const readUploads = (userId: string) =>
  ignoringErrors(async (db) => {
    const all = (await db.getAll("uploads")).map(withCurrentNames);
    const stale = new Set(all.filter(({ at }) => Date.now() - at > MAX_AGE_MS).map(({ id }) => id));
    const files = await db.getAllKeys("files");
    for (const id of new Set([...stale, ...files.filter((key) => !all.some(({ id }) => id === key))]))
      await deleteUpload(id);
    return all.filter((upload) => upload.userId === userId && !stale.has(upload.id)).toSorted((a, b) => a.at - b.at);
  }, []);

/** Deletes all uploads of a user, after they have signed out. */
export const deleteUploadsOf = (userId: string) =>
  ignoringErrors(async (db) => {
    const keys = (await db.getAll("uploads")).filter((upload) => upload.userId === userId).map(({ id }) => id);
    for (const id of keys) await deleteUpload(id);
  }, undefined);
