import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { UNSENT_DATABASE } from "#shared/consent/consent.ts";

/** An event as a shell keeps it; `entry` has a MAC (unsentEntries.ts). */
export type UnsentRow = { attemptId: string; sessionId: string; seq: number; entry: string };
type UnsentKey = [sessionId: string, seq: number];
interface Schema extends DBSchema {
  events: { key: UnsentKey; value: UnsentRow };
}
export type UnsentDatabase = {
  /**
   * Writes a row. When this returns, it has been sent to the browser's storage process; the rows of one task share a
   * transaction.
   */
  add: (row: UnsentRow) => void;
  /** Deletes the rows of a session up to `seq`, shortly afterwards and many at once. */
  removeSoon: (sessionId: string, upTo: number) => void;
  list: () => Promise<UnsentRow[]>;
  remove: (keys: UnsentKey[]) => void;
};

const OPEN_TIMEOUT_MS = 2000;
const READ_TIMEOUT_MS = 2000;
const REMOVAL_DELAY_MS = 250;
/** Maximum number of rows read, because packages can write here too. A session leaves far fewer. */
const MAX_ROWS = 20_000;
const MAX_CHARS = 20_000_000;

/**
 * The IndexedDB of unsent events on the content origin. localStorage alone is not enough: a browser writes it to disk
 * only seconds later, whereas a relaxed transaction of IndexedDB is written at once. Null if storage is not available.
 */
export async function openUnsentDatabase(): Promise<UnsentDatabase | null> {
  const opening = openDB<Schema>(UNSENT_DATABASE, 1, {
    upgrade: (db) => void db.createObjectStore("events", { keyPath: ["sessionId", "seq"] }),
    // A package that deletes all databases must not wait for this one.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  }).catch(() => null);
  const db = await Promise.race([opening, new Promise<null>((resolve) => setTimeout(resolve, OPEN_TIMEOUT_MS, null))]);
  if (!db) void opening.then((late) => late?.close());
  return db && createUnsentDatabase(db);
}

function createUnsentDatabase(db: IDBPDatabase<Schema>): UnsentDatabase {
  const write = () => {
    const tx = db.transaction("events", "readwrite", { durability: "relaxed" });
    tx.done.catch(() => {});
    return tx;
  };
  let current: ReturnType<typeof write> | null = null;
  const removals = new Map<string, number>();
  /**
   * Storage may be full, deleted by a package, or unavailable: the copies in localStorage and in the journal remain.
   */
  const attempt = (work: () => void) => {
    try {
      work();
    } catch {
      current = null;
    }
  };

  const commit = () =>
    attempt(() => {
      const tx = current;
      current = null;
      tx?.commit();
    });
  const removeNow = () =>
    attempt(() => {
      const tx = write();
      for (const [sessionId, upTo] of removals)
        tx.store.delete(IDBKeyRange.bound([sessionId, 0], [sessionId, upTo])).catch(() => {});
      removals.clear();
      tx.commit();
    });
  return {
    add: (row) =>
      attempt(() => {
        if (!current) queueMicrotask(commit);
        current ??= write();
        current.store.put(row).catch(() => {});
      }),
    removeSoon(sessionId, upTo) {
      if (removals.size === 0) setTimeout(removeNow, REMOVAL_DELAY_MS);
      removals.set(sessionId, Math.max(upTo, removals.get(sessionId) ?? 0));
    },
    list: () => readRows(db).catch(() => []),
    remove: (keys) =>
      attempt(() => {
        const tx = write();
        for (const key of keys) tx.store.delete(key).catch(() => {});
        tx.commit();
      }),
  };
}

/**
 * Reads the remaining rows, and removes rows that no shell has written. Reads a bounded number, because a package may
 * have written many.
 */
async function readRows(db: IDBPDatabase<Schema>): Promise<UnsentRow[]> {
  const rows: UnsentRow[] = [];
  const until = performance.now() + READ_TIMEOUT_MS;
  let [read, chars] = [0, 0];
  for await (const cursor of db.transaction("events", "readwrite").store) {
    if (++read > MAX_ROWS || performance.now() > until) break;
    if (!isRow(cursor.value)) {
      cursor.delete().catch(() => {});
      continue;
    }
    chars += cursor.value.entry.length;
    if (chars > MAX_CHARS) break;
    rows.push(cursor.value);
  }
  return rows;
}

const isRow = ({ attemptId, sessionId, seq, entry }: UnsentRow) =>
  [attemptId, sessionId, entry].every((text) => typeof text === "string") && typeof seq === "number";
