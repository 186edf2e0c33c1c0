import { gzipSync, strToU8 } from "fflate";
import { firstBatch } from "#shared/player/playerTiming.ts";
import type { Commit, SessionEvent } from "#shared/player/player.ts";
import type { ShellSession } from "#shared/player/shell.ts";

type Unconfirmed = () => { events: SessionEvent[]; activeMs: number };

/**
 * Sends the unconfirmed events of a closing page to the content origin. The shell receives `pagehide` before its
 * package, so everything the package sends afterwards is also sent at once, until the page is gone. All requests in
 * flight together may have 65,536 bytes (Fetch standard, keepalive): long ones are compressed, and what does not fit is
 * left for the next launch in this browser. The server accepts each number once, and waits for requests that overtake
 * each other.
 */
export function createClosingSender({ sessionId, token }: ShellSession, unconfirmed: Unconfirmed) {
  const url = `/commit/${sessionId}?token=${encodeURIComponent(token)}`;
  let isClosing = false;
  let sentSeq = 0;

  const send = () => {
    const { events, activeMs } = unconfirmed();
    let rest = events.filter(({ seq }) => seq > sentSeq);
    let batch = firstBatch(rest);
    do {
      const end = batch.length === rest.length && { end: "tab_closed" as const };
      if (sendOnClose(url, { events: batch, activeMs, failed: 0, ...end })) {
        sentSeq = batch.at(-1)?.seq ?? sentSeq;
        rest = rest.slice(batch.length);
        batch = firstBatch(rest);
      } else batch = batch.slice(0, Math.floor(batch.length / 2));
    } while (batch.length > 0);
  };
  return {
    isClosing: () => isClosing,
    /** Call it when the page begins to close. */
    start() {
      isClosing = true;
      send();
    },
    /** Call it when the page is back from the back/forward cache. */
    cancel() {
      isClosing = false;
      sentSeq = 0;
    },
    /** Call it after every event. */
    sendIfClosing() {
      if (isClosing) send();
    },
  };
}

/** False if the browser refuses the request because too much is in flight. */
function sendOnClose(url: string, commit: Commit) {
  const json = strToU8(JSON.stringify(commit));
  const body = json.length > 8000 ? gzipSync(json, { level: 6 }) : json;
  return navigator.sendBeacon(url, new Blob([body as BlobPart], { type: "text/plain" }));
}
