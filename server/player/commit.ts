import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Services } from "#server/core/services.ts";
import { type Db, isBadData, isDeadlock, isMissingReference } from "#server/core/database/db.ts";
import { conflict, Problem } from "#server/core/http/problem.ts";
import { createKeyedQueue } from "#server/core/keyedQueue.ts";
import { hashToken, isSame } from "#server/core/secrets.ts";
import { listPartStates } from "#server/player/completionRule.ts";
import { applyEvents } from "#server/player/applyEvents.ts";
import { toLessonReceipt } from "#server/player/lesson.ts";
import { readSessionState, readTokenHash, type SessionState } from "#server/player/sessionState.ts";
import { readRuleValues, withCaptured } from "#server/player/ruleValues.ts";
import { isKeptInMemory } from "#server/player/sequencing/fold.ts";
import { scheduleEnds } from "#server/player/quizzes/closing.ts";
import { type AppliedCommit, createCommitWriter, isCompletion } from "#server/player/commitWriter.ts";
import type { CompletionReactions } from "#server/player/completionReactions.ts";
import { type CapturedValue, createCapture } from "#server/variables/content/capture.ts";
import type { Commit, Receipt, SessionEvent } from "#shared/player/player.ts";

/** Active sessions in the cache, which may be stale: every write compares the revision that it was computed from. */
const CACHED_SESSIONS = 5000;
const CACHED_MS = 60_000;
const MAX_TRIES = 30;
/** How far the clock of a browser may be ahead of the server's. */
const CLOCK_TOLERANCE_MS = 2000;

type CachedSession = { session: SessionState; validUntil: number };
/** A commit; with `discardEffects` its events are stored and acknowledged, but not applied to the state. */
type CommitInput = Commit & { discardEffects?: boolean; receivedAt: number };

export type Committer = {
  /** Throws 401 unless the token belongs to the session. Called before the body of a commit is read. */
  authorise: (sessionId: string, token: string) => Promise<void>;
  commit: (sessionId: string, token: string, commit: Commit) => Promise<Receipt>;
  /** What follows from events that reach the server by another way. */
  effects: Effects;
};
export type Effects = Pick<CompletionReactions, "runWithin" | "request"> & { onValues: () => void };

/**
 * Stores a batch of events and its effects in one statement, and so in one durable transaction: session, events, part
 * states, answers, values of variables, attempt, enrolment. `onValues` is called after values were stored. A batch that
 * was stored before changes nothing and is acknowledged again. If another writer has changed the revision of the
 * attempt, the state is read again and the commit retried.
 */
export function createCommitter(
  { db, pool, config }: Pick<Services, "db" | "pool" | "config">,
  onValues = () => {},
  { runWithin, request }: Pick<CompletionReactions, "runWithin" | "request"> = { runWithin: null, request: () => {} },
): Committer {
  const write = createCommitWriter(pool, db, runWithin);
  const capture = createCapture(db);
  const cache = new LRUCache<string, CachedSession>({ max: CACHED_SESSIONS });
  const inTurn = createKeyedQueue();

  const loadSession = async (sessionId: string, skipCache: boolean) => {
    const cached = cache.get(sessionId);
    if (cached && !skipCache && cached.validUntil > Date.now()) return cached.session;
    cache.delete(sessionId);
    return readSessionState(db, sessionId);
  };

  const store = async (sessionId: string, tokenHash: string, commit: CommitInput): Promise<Receipt> => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const session = await withFreshValues(db, await loadSession(sessionId, tries > 0));
      if (!session || !isSame(session.tokenHash, tokenHash)) {
        // A launch may have given the cached session another token.
        if (session && tries === 0) continue;
        throw new Problem(401, "player.sessionUnknown");
      }
      let applied: Omit<AppliedCommit, "values">;
      try {
        // Access may have been restored since the state was cached.
        if (!session.hasAccess && tries === 0) continue;
        // The browser keeps the events. If access is restored, those from before the revocation are stored.
        if (!session.hasAccess) return toReceipt(session, "ended", new Date().toISOString());
        applied = applyCommit(session, commit, config.secret);
        // A completion is evaluated by the current rule, not by the one that was cached with the session.
        if (tries === 0 && isCompletion(session, applied)) continue;
      } catch (error) {
        // The cached state may be outdated by another process: only the database shows whether there is a real gap.
        if (tries === 0) continue;
        throw error;
      }
      if (session.endReason === "revoked" && applied.events.length === 0)
        return toReceipt(session, "ended", new Date().toISOString());
      try {
        const values = commit.discardEffects ? [] : await capture.read(session, applied.events);
        if (session.ruleValues.size > 0 && values.length > 0) {
          const wasCompletion = isCompletion(session, applied);
          const ruleValues = withCaptured(session.ruleValues, values, session.startedAt);
          applied = applyCommit({ ...session, ruleValues }, commit, config.secret);
          if (tries === 0 && !wasCompletion && isCompletion(session, applied)) continue;
        }
        const savedAt = await write(session, { ...applied, events: withoutUnchosen(applied.events, values), values });
        if (savedAt) {
          if (isKeptInMemory(applied.session.attempt))
            cache.set(sessionId, { session: applied.session, validUntil: Date.now() + CACHED_MS });
          else cache.delete(sessionId);
          if (values.length > 0) onValues();
          if (isCompletion(session, applied)) request();
          // Without the job, the attempt ends when its learner comes back.
          await scheduleEnds(db, session, applied.session).catch(() => {});
          return { ...toReceipt(applied.session, receiptStatus(session), savedAt), ...lessonsOf(applied, commit) };
        }
        // Another writer was first, or access was revoked. The random delay keeps windows from colliding repeatedly.
        await sleep(Math.random() * 4 * (tries + 1));
      } catch (error) {
        // A change of many enrolments locks them in another order.
        if (isDeadlock(error)) continue;
        // A variable was merged into another one: its definition is read again.
        if (isMissingReference(error) && tries < 2) {
          capture.forget(session.courseId);
          continue;
        }
        // A value that the database cannot store must not block later events: store the events without their effects.
        if (isBadData(error) && !commit.discardEffects)
          return store(sessionId, tokenHash, { ...commit, discardEffects: true });
        // Whether the commit was stored is unknown: the next one must read the database.
        cache.delete(sessionId);
        throw error;
      }
    }
    throw new Problem(503, "core.unavailable");
  };

  const authorise: Committer["authorise"] = async (sessionId, token) => {
    const tokenHash = hashToken(token);
    const cached = cache.get(sessionId)?.session.tokenHash;
    if (cached && isSame(cached, tokenHash)) return;
    // Reads one row only, because strangers can request any number of sessions.
    const stored = await readTokenHash(db, sessionId);
    if (!stored || !isSame(stored, tokenHash)) throw new Problem(401, "player.sessionUnknown");
  };

  // The commits of one session run one after another.
  const commit: Committer["commit"] = (sessionId, token, commit) => {
    // What waits its turn here has arrived.
    const input = { ...commit, receivedAt: Date.now() };
    return inTurn(sessionId, () => store(sessionId, hashToken(token), input));
  };

  return { authorise, commit, effects: { runWithin, request, onValues } };
}

/** With the values that chatbots, other courses and admins have set since the session was cached, if the rule asks. */
async function withFreshValues(db: Db, session: SessionState | null) {
  if (!session || session.ruleValues.size === 0 || session.attempt.completion === "complete") return session;
  const { courseId, attemptId, origin, course } = session;
  return { ...session, ruleValues: await readRuleValues(db, course.rule, { ...origin, courseId, attemptId }) };
}

/**
 * Removes values that a package shows but no admin has chosen to record, in case a browser sends them. The event keeps
 * its number.
 */
function withoutUnchosen(events: SessionEvent[], values: CapturedValue[]) {
  if (!events.some(({ type }) => type === "package.set")) return events;
  const chosen = new Set(values.map(({ seq }) => seq));
  return events.map((event) => {
    if (event.type !== "package.set" || chosen.has(event.seq)) return event;
    const { value: _, ...rest } = event;
    return rest;
  });
}

/** Computes the session after a commit, without I/O. Events that are already stored are dropped; a gap is a 409. */
function applyCommit(session: SessionState, commit: CommitInput, secret: string): Omit<AppliedCommit, "values"> {
  const lastValidMs = revokedAtMs(session) + CLOCK_TOLERANCE_MS;
  const maxTimeMs = elapsedMs(session) + CLOCK_TOLERANCE_MS;
  const events = commit.events
    .filter((event) => event.seq > session.lastSeq && event.t <= lastValidMs)
    .toSorted((a, b) => a.seq - b.seq)
    .map((event) => sanitizeEvent(event, maxTimeMs));
  const gap = events.findIndex((event, index) => event.seq !== session.lastSeq + 1 + index);
  if (gap >= 0) throw conflict("player.gap", { ackSeq: session.lastSeq }, { seq: session.lastSeq + 1 });
  const maxActiveMs = elapsedMs(session) + 5000;
  const activeMs = Math.max(session.activeMs, Math.min(commit.activeMs, maxActiveMs));
  const changes = {
    ...endOf(session, commit),
    activeMs,
    failedCommits: Math.max(session.failedCommits, commit.failed),
    lastSeq: session.lastSeq + events.length,
  };
  const { receivedAt, discardEffects = false } = commit;
  return applyEvents(session, events, changes, { secret, receivedAt, discardEffects });
}

function lessonsOf({ session, refused }: Pick<AppliedCommit, "session" | "refused">, { events }: Commit) {
  const lessons = toLessonReceipt(session, events, refused);
  return lessons && { lessons };
}

/** Time since the server opened the session, in ms. */
const elapsedMs = ({ startedAt }: SessionState) => Date.now() - Date.parse(startedAt);

/** When access was revoked, in ms since the session began; infinite if it was not. */
function revokedAtMs({ endReason, endedAt, startedAt }: SessionState) {
  return endReason === "revoked" ? Date.parse(endedAt ?? startedAt) - Date.parse(startedAt) : Infinity;
}

/**
 * End time and reason after the commit. A commit reopens a session that has timed out, or whose tab was reported as
 * closed.
 */
function endOf(session: SessionState, commit: Commit): Partial<Pick<SessionState, "endedAt" | "endReason">> {
  const { hasNewerSession, endReason, endedAt } = session;
  if (commit.end) return { endedAt: endedAt ?? new Date().toISOString(), endReason: endReason ?? commit.end };
  const staysEnded = hasNewerSession || ["exit", "superseded", "revoked"].includes(endReason ?? "");
  return staysEnded ? {} : { endedAt: null, endReason: null };
}

function receiptStatus({ endReason, hasNewerSession }: SessionState): Receipt["session"] {
  if (endReason === "revoked") return "ended";
  return hasNewerSession || endReason === "superseded" ? "superseded" : "live";
}

const toReceipt = (session: SessionState, status: Receipt["session"], savedAt: string): Receipt => ({
  ackSeq: session.lastSeq,
  savedAt,
  session: status,
  ...(session.course.isOver && { isStartedOver: true }),
  attempt: {
    completion: session.attempt.completion,
    success: session.attempt.success,
    progress: session.attempt.progress,
    scorePercent: session.attempt.scorePercent,
    parts: listPartStates(session.course, (sco) => session.parts.get(sco)),
  },
});

/** Replaces what PostgreSQL cannot store: U+0000, and lone surrogates (from an emoji that a package cut in two). */
const sanitizeText = (text: string) => text.toWellFormed().replaceAll("\0", "\ufffd");
const sanitizeEvent = (event: SessionEvent, maxTimeMs: number): SessionEvent => ({
  ...event,
  t: Math.min(event.t, maxTimeMs),
  ...(event.sco !== undefined && { sco: sanitizeText(event.sco) }),
  ...(event.key !== undefined && { key: sanitizeText(event.key) }),
  ...(event.value !== undefined && { value: sanitizeText(event.value) }),
});
