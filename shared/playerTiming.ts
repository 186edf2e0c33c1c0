// The rhythm and the measures of tracking; apart from the contracts so that the player shell stays small

/** Longest time between a change and its commit, in ms. */
export const COMMIT_MS = 1500;
/** A window without activity for this long is idle; idle time is not active time. */
export const IDLE_MS = 60_000;
/** Pause between two signs of life without events, in ms, and the silence after which the sweeper closes a session. */
export const HEARTBEAT_MS = 20_000;
export const SILENCE_SECONDS = 120;
/** Events in one commit, and the longest value of one (suspend data holds 64,000 characters in SCORM 2004 and here in 1.2 too). */
export const BATCH_EVENTS = 500;
/** Characters of JSON in one commit: in UTF-8 and with escapes it stays well below what the server takes (4 MB). */
export const BATCH_CHARS = 500_000;

/** The first events that fit into one commit; at least one. */
export function firstBatch<E>(events: E[], most: number = BATCH_EVENTS): E[] {
  let chars = 0;
  const end = events
    .slice(0, most)
    .findIndex((event, at) => (chars += JSON.stringify(event).length) > BATCH_CHARS && at > 0);
  return events.slice(0, end < 0 ? most : end);
}
export const VALUE_CHARS = 70_000;
