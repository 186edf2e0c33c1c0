import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { SessionEvent } from "#shared/player.ts";

/** A session whose events may not all have arrived: whose it is, and the token that its commits need. */
export type Held = { sessionId: string; userId: string; token: string; at: number };

interface Schema extends DBSchema {
  sessions: { key: string; value: Held };
  events: { key: [string, number]; value: SessionEvent & { sessionId: string } };
}

/** Unsent events of a session that the server refuses for good are given up after this time, in ms. */
const KEPT_MS = 30 * 86_400_000;

/** A session without events is remembered this long, so that a relaunch after a crash knows it as its own. */
const ORPHAN_MS = 3_600_000;

let opened: Promise<IDBPDatabase<Schema> | null> | null = null;

/** The journal on the application's origin, where no package can read it. Null where the browser forbids storage. */
const open = () =>
  (opened ??= openDB<Schema>("lyceum-journal", 1, {
    upgrade(db) {
      db.createObjectStore("sessions", { keyPath: "sessionId" });
      db.createObjectStore("events", { keyPath: ["sessionId", "seq"] });
    },
  }).catch(() => null));

export async function holdSession(held: Held) {
  await (await open())?.put("sessions", held);
}

/** Writes events down before they are sent. The transaction is committed at once, so that a dying tab leaves them behind. */
export async function holdEvents(sessionId: string, events: SessionEvent[]) {
  const db = await open();
  if (!db || events.length === 0) return;
  const tx = db.transaction("events", "readwrite", { durability: "relaxed" });
  for (const event of events) void tx.store.put({ ...event, sessionId });
  tx.commit();
  await tx.done;
}

/** Forgets what the server has confirmed. */
export async function forgetEvents(sessionId: string, upTo: number) {
  await (await open())?.delete("events", IDBKeyRange.bound([sessionId, 0], [sessionId, upTo]));
}

/** Whether a session of this person began in this browser. */
export const isHeld = async (userId: string, sessionId: string) =>
  (await (await open())?.get("sessions", sessionId))?.userId === userId;

export async function forgetSession(sessionId: string) {
  await forgetEvents(sessionId, Number.MAX_SAFE_INTEGER);
  await (await open())?.delete("sessions", sessionId);
}

/** Sessions of a person that still have events here, oldest first, with those events in order. */
export async function readHeld(userId: string): Promise<(Held & { events: SessionEvent[] })[]> {
  const db = await open();
  if (!db) return [];
  const sessions = (await db.getAll("sessions"))
    .filter((held) => held.userId === userId)
    .toSorted((a, b) => a.at - b.at);
  const found = await Promise.all(
    sessions.map(async (held) => {
      const events = await db.getAll(
        "events",
        IDBKeyRange.bound([held.sessionId, 0], [held.sessionId, Number.MAX_SAFE_INTEGER]),
      );
      return { ...held, events: events.map(({ sessionId: _, ...event }) => event) };
    }),
  );
  const stale = found.filter(({ events, at }) => Date.now() - at > (events.length === 0 ? ORPHAN_MS : KEPT_MS));
  for (const { sessionId } of stale) await forgetSession(sessionId);
  return found.filter((held) => held.events.length > 0 && !stale.includes(held));
}
