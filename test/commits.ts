import { player, SESSION_HEADER, type Commit, type Launch, type SessionEvent } from "#shared/player/player.ts";
import type { start } from "#test/start.ts";

type As = Awaited<ReturnType<typeof start>>["as"];

// Commits and events for tests of the player and of what it stores.

/** Sends a commit of a session with its token. */
export const committer = (as: As) => (session: Launch, commit: Partial<Commit>) =>
  as(null, { [SESSION_HEADER]: session.token })(player.commit, {
    params: { id: session.sessionId },
    body: { events: [], ...commit },
  });

export const setValue = (seq: number, key: string, value: string, sco = "i1"): SessionEvent => ({
  seq,
  t: seq * 1000,
  type: "scorm.set",
  sco,
  key,
  value,
});

/** The two events with which a part starts. */
export const openPart = (seq = 1, sco = "i1"): SessionEvent[] => [
  { seq, t: 0, type: "nav", sco },
  { seq: seq + 1, t: 1, type: "scorm.init", sco },
];
