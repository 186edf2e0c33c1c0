import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "#server/core/services.ts";
import { isBadData } from "#server/core/db.ts";
import { conflict, Problem } from "#server/core/problem.ts";
import { hashToken, isSame } from "#server/core/secrets.ts";
import { fold, partStates } from "#server/player/fold.ts";
import { type Live, readLive } from "#server/player/live.ts";
import { createWriter, type Next } from "#server/player/write.ts";
import type { Commit, Receipt, SessionEvent } from "#shared/player.ts";

/** Sessions that commit now. Only a memory of what the database holds: every write compares the revision it was made on. */
const CACHED = 5000;
const CACHED_MS = 60_000;
const TRIES = 30;
/** Events up to this long after a revocation still count: what was done before it, by a clock that is not ours. */
const GRACE_MS = 2000;

type Entry = { live: Live; until: number };

export type Committer = (sessionId: string, token: string, commit: Commit) => Promise<Receipt>;

/**
 * Stores a batch of events and what follows from them, in one statement and so in one durable transaction: session,
 * events, part states, answers, attempt, enrolment. A batch that was stored before changes nothing and is acknowledged
 * again. Of two writers one finds another revision, reads afresh and tries again.
 */
export function createCommitter({ db, pool }: Pick<Services, "db" | "pool">): Committer {
  const write = createWriter(pool);
  const cache = new Map<string, Entry>();
  const queues = new Map<string, Promise<unknown>>();

  const remember = (live: Live) => {
    cache.delete(live.sessionId);
    cache.set(live.sessionId, { live, until: Date.now() + CACHED_MS });
    if (cache.size > CACHED) cache.delete(cache.keys().next().value as string);
  };
  const recall = async (sessionId: string, fresh: boolean) => {
    const held = cache.get(sessionId);
    if (held && !fresh && held.until > Date.now()) return held.live;
    cache.delete(sessionId);
    return readLive(db, sessionId);
  };

  const attempt = async (
    sessionId: string,
    tokenHash: string,
    commit: Commit & { inert?: boolean },
  ): Promise<Receipt> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const live = await recall(sessionId, tries > 0);
      if (!live || !isSame(live.tokenHash, tokenHash)) throw new Problem(401, "player.sessionUnknown");
      let next: Next;
      try {
        next = apply(live, commit);
      } catch (error) {
        // Another process may have written since this state was remembered: only a fresh one can tell a real gap.
        if (tries === 0) continue;
        throw error;
      }
      if (live.endReason === "revoked" && next.events.length === 0)
        return receipt(live, "ended", new Date().toISOString());
      try {
        const savedAt = await write(live, next);
        if (savedAt) {
          remember(next.live);
          return receipt(
            next.live,
            live.endReason === "revoked"
              ? "ended"
              : live.newer || live.endReason === "superseded"
                ? "superseded"
                : "live",
            savedAt,
          );
        }
        // Somebody else wrote this attempt first: a moment apart, so that several windows do not meet again and again.
        await sleep(Math.random() * 4 * (tries + 1));
      } catch (error) {
        // A value that the database cannot hold must not stop everything behind it: its number is kept, its effect is not.
        if (isBadData(error) && !commit.inert) return attempt(sessionId, tokenHash, { ...commit, inert: true });
        // It may have been stored or not; only the database knows.
        cache.delete(sessionId);
        throw error;
      }
    }
    throw new Problem(503, "core.unavailable");
  };

  return (sessionId, token, commit) => {
    const before = queues.get(sessionId) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(() => attempt(sessionId, hashToken(token), commit));
    queues.set(sessionId, mine);
    const done = () => {
      if (queues.get(sessionId) === mine) queues.delete(sessionId);
    };
    mine.then(done, done);
    return mine;
  };
}

/** What the commit makes of the session, without writing anything. Events that are stored already drop out; a gap is refused. */
function apply(live: Live, commit: Commit & { inert?: boolean }): Next {
  const revoked =
    live.endReason === "revoked"
      ? Date.parse(live.endedAt ?? live.startedAt) - Date.parse(live.startedAt) + GRACE_MS
      : Infinity;
  const events = commit.events
    .filter((event) => event.seq > live.lastSeq && event.t <= revoked)
    .toSorted((a, b) => a.seq - b.seq)
    .map(storable);
  const gap = events.findIndex((event, i) => event.seq !== live.lastSeq + 1 + i);
  if (gap >= 0) throw conflict("player.gap", { ackSeq: live.lastSeq }, { seq: live.lastSeq + 1 });
  const folded = fold(
    live.course,
    { attempt: live.attempt, parts: live.parts, reported: live.reported },
    commit.inert ? [] : events,
    live.overtaken,
  );
  const most = Date.now() - Date.parse(live.startedAt) + 5000;
  const activeMs = Math.max(live.activeMs, Math.min(commit.activeMs, most));
  const activeDelta = Math.floor(activeMs / 1000) - Math.floor(live.activeMs / 1000);
  const suspended = new Set(
    [...folded.changed.values()]
      .filter((part) => part.suspendData !== (live.parts.get(part.sco)?.suspendData ?? null))
      .map((part) => part.sco),
  );
  const now = new Date().toISOString();
  const closed =
    live.newer || live.endReason === "exit" || live.endReason === "superseded" || live.endReason === "revoked";
  const ended = commit.end
    ? { endedAt: live.endedAt ?? now, endReason: live.endReason ?? commit.end }
    : closed
      ? {}
      : { endedAt: null, endReason: null };
  return {
    live: {
      ...live,
      ...ended,
      activeMs,
      failedCommits: Math.max(live.failedCommits, commit.failed),
      lastSeq: live.lastSeq + events.length,
      reported: folded.reported,
      rev: live.rev + 1,
      attempt: folded.attempt,
      activeSeconds: live.activeSeconds + activeDelta,
      parts: new Map([...live.parts, ...folded.changed]),
    },
    events,
    changed: folded.changed,
    suspended,
    answers: [...folded.answers.values()],
    activeDelta,
    reportedDelta: Math.round(folded.attempt.reportedSeconds) - Math.round(live.attempt.reportedSeconds),
  };
}

const receipt = (live: Live, session: Receipt["session"], savedAt: string): Receipt => ({
  ackSeq: live.lastSeq,
  savedAt,
  session,
  attempt: {
    completion: live.attempt.completion,
    success: live.attempt.success,
    progress: live.attempt.progress,
    scorePercent: live.attempt.scorePercent,
    parts: partStates(live.course, (sco) => live.parts.get(sco)),
  },
});

/** Text that the database can hold: no U+0000, no half of a surrogate pair (an emoji that a package cut in two). */
const clean = (text: string) => text.toWellFormed().replaceAll("\0", "\ufffd");
const storable = (event: SessionEvent): SessionEvent => ({
  ...event,
  ...(event.key !== undefined && { key: clean(event.key) }),
  ...(event.value !== undefined && { value: clean(event.value) }),
});
