import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** A check-in that the server has not received, by ticket or by registration. `refused`: why the server rejected it. */
export type QueuedCheckIn = {
  id: string;
  eventId: string;
  by: "ticket" | "person";
  value: string;
  name: string;
  at: string;
  refused?: string;
};
interface Schema extends DBSchema {
  kept: { key: string; value: QueuedCheckIn; indexes: { eventId: string } };
}

/** Used if the browser blocks IndexedDB; lost when the page closes. */
const memory = new Map<string, QueuedCheckIn>();
let opened: Promise<IDBPDatabase<Schema> | null> | null = null;
const open = () =>
  (opened ??= openDB<Schema>("lyceum-check-in", 1, {
    upgrade: (db) => void db.createObjectStore("kept", { keyPath: "id" }).createIndex("eventId", "eventId"),
  }).catch(() => null));

export async function storeQueued(checkIn: QueuedCheckIn) {
  const db = await open();
  if (db) await db.put("kept", checkIn);
  else memory.set(checkIn.id, checkIn);
}

export async function removeQueued(id: string) {
  const db = await open();
  if (db) await db.delete("kept", id);
  else memory.delete(id);
}

/** The queued check-ins of an event, oldest first. */
export async function readQueued(eventId: string): Promise<QueuedCheckIn[]> {
  const db = await open();
  const found = db
    ? await db.getAllFromIndex("kept", "eventId", eventId)
    : [...memory.values()].filter((checkIn) => checkIn.eventId === eventId);
  return found.toSorted((a, b) => a.at.localeCompare(b.at));
}
