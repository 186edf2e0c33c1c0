import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** A check-in that has not reached the server: by ticket text or by registration. `refused` is why the server will never take it. */
export type Kept = {
  id: string;
  eventId: string;
  by: "ticket" | "person";
  value: string;
  name: string;
  at: string;
  refused?: string;
};
interface Schema extends DBSchema {
  kept: { key: string; value: Kept; indexes: { eventId: string } };
}

/** Where the browser forbids storage the queue lives as long as the page. */
const memory = new Map<string, Kept>();
let opened: Promise<IDBPDatabase<Schema> | null> | null = null;
const open = () =>
  (opened ??= openDB<Schema>("lyceum-check-in", 1, {
    upgrade: (db) => void db.createObjectStore("kept", { keyPath: "id" }).createIndex("eventId", "eventId"),
  }).catch(() => null));

export async function keep(one: Kept) {
  const db = await open();
  if (db) await db.put("kept", one);
  else memory.set(one.id, one);
}

export async function drop(id: string) {
  const db = await open();
  if (db) await db.delete("kept", id);
  else memory.delete(id);
}

/** What waits for one event, oldest first. */
export async function readKept(eventId: string): Promise<Kept[]> {
  const db = await open();
  const found = db
    ? await db.getAllFromIndex("kept", "eventId", eventId)
    : [...memory.values()].filter((one) => one.eventId === eventId);
  return found.toSorted((a, b) => a.at.localeCompare(b.at));
}
