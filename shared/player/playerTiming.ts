// Intervals, limits and the header of tracking, separate from the contracts to keep zod out of the player shell

/** Header with the token of a session. */
export const SESSION_HEADER = "x-session-token";
/** Maximum delay between a change and its commit, in ms. */
export const COMMIT_INTERVAL_MS = 1500;
/** A window without activity for this long is idle, in ms; idle time does not count as active time. */
export const IDLE_AFTER_MS = 60_000;
/** Interval of heartbeat commits while there are no events, in ms. */
export const HEARTBEAT_INTERVAL_MS = 20_000;
/** A session without a commit for this long is closed by a job, in seconds. */
export const SESSION_TIMEOUT_SECONDS = 120;
/** Maximum number of events in one commit. */
export const MAX_BATCH_EVENTS = 500;
/**
 * Maximum size of one commit, in characters of JSON: in UTF-8 with escapes it stays well below the body limit of 4 MB.
 */
export const MAX_BATCH_CHARS = 500_000;
/**
 * Maximum length of one value: cmi.suspend_data holds 64,000 characters in SCORM 2004, and as many are accepted in 1.2.
 */
export const MAX_VALUE_CHARS = 70_000;

/** The longest prefix of `events` that fits into one commit; at least one event. */
export function firstBatch<E>(events: E[], maxEvents: number = MAX_BATCH_EVENTS): E[] {
  let chars = 0;
  const end = events
    .slice(0, maxEvents)
    .findIndex((event, index) => (chars += JSON.stringify(event).length) > MAX_BATCH_CHARS && index > 0);
  return events.slice(0, end < 0 ? maxEvents : end);
}

/**
 * Events that the server adds to a session have numbers above this one: the browser numbers its own from 1 without
 * gaps, and never gets so far.
 */
export const SERVER_SEQ = 1_000_000_000;

/** The events of a session by their time if the server has added some; otherwise their numbers are in order. */
export const inOrder = <E extends { seq: number; t: number }>(events: E[]): E[] =>
  events.some(({ seq }) => seq > SERVER_SEQ) ? events.toSorted((a, b) => a.t - b.t) : events;
