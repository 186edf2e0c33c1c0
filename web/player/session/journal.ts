import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { JOURNAL_DATABASE } from "#shared/consent/consent.ts";
import type { SessionEvent } from "#shared/player/player.ts";

/** A session that may have unsent events: its user, and the token for its commits. */
export type JournalSession = { sessionId: string; userId: string; token: string; at: number };

interface Schema extends DBSchema {
  sessions: { key: string; value: JournalSession };
  events: { key: [string, number]; value: SessionEvent & { sessionId: string } };
}

/**
 * Unsent events are deleted after this time, in ms; the server has then rejected them for a month. A session without
 * events is kept as long: its last events may still be on the content origin, and a relaunch after a crash recognizes
 * it as its own.
 */
const RETENTION_MS = 30 * 86_400_000;

let database: Promise<IDBPDatabase<Schema> | null> | null = null;

/**
 * The journal, in IndexedDB of the application's origin, where no package can read it. Null if storage is not
 * available.
 */
const open = () =>
  (database ??= openDB<Schema>(JOURNAL_DATABASE, 1, {
    upgrade(db) {
      db.createObjectStore("sessions", { keyPath: "sessionId" });
      db.createObjectStore("events", { keyPath: ["sessionId", "seq"] });
    },
  }).catch(() => null));

export async function saveSession(session: JournalSession) {
  await (await open())?.put("sessions", session);
}

/**
 * Stores events before they are sent. The transaction is committed immediately, so that they survive a crash of the
 * tab. False if storage is not available.
 */
export async function saveEvents(sessionId: string, events: SessionEvent[]) {
  const db = await open();
  if (!db) return false;
  if (events.length === 0) return true;
  const tx = db.transaction("events", "readwrite", { durability: "relaxed" });
  for (const event of events) void tx.store.put({ ...event, sessionId });
  tx.commit();
  await tx.done;
  return true;
}

/** Deletes the events that the server has confirmed. */
export async function deleteEvents(sessionId: string, upTo: number) {
  await (await open())?.delete("events", IDBKeyRange.bound([sessionId, 0], [sessionId, upTo]));
}

/** A session that was started in this browser; undefined if it was not, or if it has ended with everything stored. */
export const getSession = async (sessionId: string) => (await open())?.get("sessions", sessionId);

export async function deleteSession(sessionId: string) {
  await deleteEvents(sessionId, Number.MAX_SAFE_INTEGER);
  await (await open())?.delete("sessions", sessionId);
}

/** The sessions of a user that have unsent events, oldest first, with these events in order. */
export async function listUnsentSessions(userId: string): Promise<(JournalSession & { events: SessionEvent[] })[]> {
  const db = await open();
  if (!db) return [];
  const sessions = (await db.getAll("sessions"))
    .filter((session) => session.userId === userId)
    .toSorted((a, b) => a.at - b.at);
  const withEvents = await Promise.all(
    sessions.map(async (session) => {
      const events = await db.getAll(
        "events",
        IDBKeyRange.bound([session.sessionId, 0], [session.sessionId, Number.MAX_SAFE_INTEGER]),
      );
      return { ...session, events: events.map(({ sessionId: _, ...event }) => event) };
    }),
  );
  const expired = withEvents.filter(({ at }) => Date.now() - at > RETENTION_MS);
  for (const { sessionId } of expired) await deleteSession(sessionId);
  return withEvents.filter((session) => session.events.length > 0 && !expired.includes(session));
}
