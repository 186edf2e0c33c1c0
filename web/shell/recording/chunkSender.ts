import { MAX_CHUNK_BYTES, MAX_WAITING_BYTES } from "#shared/recordings/recordingLimits.ts";
import { SESSION_HEADER } from "#shared/player/playerTiming.ts";
import type { RecordingEnd, ShellSession } from "#shared/player/shell.ts";

const RETRY_MS = [2000, 5000, 15_000, 30_000];

/** Compresses JSON with gzip. */
async function compress(json: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([json]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Sends chunks in order, one at a time, with low priority. The queue is bounded. `onEnd` is called once if the
 * recording cannot continue.
 */
export function createChunkSender({ sessionId, token }: ShellSession, onEnd: (reason: RecordingEnd) => void) {
  const headers = { "content-type": "application/gzip", [SESSION_HEADER]: token };
  const address = `/recording/${sessionId}`;
  let queue: Uint8Array<ArrayBuffer>[] = [];
  let next = 0;
  let failures = 0;
  let isStopped = false;
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let compressing: Promise<unknown> = Promise.resolve();

  const stop = () => {
    isStopped = true;
    queue = [];
    clearTimeout(timer);
  };
  const end = (reason: RecordingEnd) => {
    if (isStopped) return;
    stop();
    onEnd(reason);
  };
  const send = async () => {
    // `stop` empties the queue.
    while (queue[0]) {
      const response = await fetch(`${address}/${next}`, {
        method: "POST",
        headers,
        body: queue[0],
        priority: "low",
        credentials: "omit",
      }).catch(() => null);
      if (isStopped) return;
      if (response?.ok) {
        next++;
        queue.shift();
        failures = 0;
      } else if (response?.status === 403) end("withdrawn");
      // The session was taken over elsewhere, which ends it here with its own reason.
      else if (response?.status === 401) stop();
      else if (response?.status === 413) end("full");
      else if (response && response.status < 500 && response.status !== 429) end("failed");
      else {
        timer = setTimeout(start, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
        return;
      }
    }
  };
  const start = () => {
    running ??= send().finally(() => {
      running = null;
    });
  };
  const sendWaiting = async () => {
    await compressing;
    // The running request may have started before the last chunk was added.
    await running;
    clearTimeout(timer);
    start();
    await running;
  };
  return {
    /** Asks the server for the next chunk number. Returns why recording is not possible, or null. */
    async open(): Promise<RecordingEnd | null> {
      const request = fetch(address, { headers: { [SESSION_HEADER]: token }, credentials: "omit" });
      const response = await request.catch(() => null);
      if (!response) return "offline";
      if (!response.ok) return response.status === 403 ? "withdrawn" : "failed";
      ({ next } = (await response.json()) as { next: number });
      return null;
    },
    add(json: string) {
      compressing = compressing
        .then(() => compress(json))
        .then((bytes) => {
          if (isStopped) return;
          const waiting = queue.reduce((sum, { length }) => sum + length, bytes.length);
          if (bytes.length > MAX_CHUNK_BYTES) return end("tooLarge");
          if (waiting > MAX_WAITING_BYTES) return end("offline");
          queue.push(bytes);
          if (failures === 0) start();
        })
        .catch(() => end("failed"));
    },
    /** Resolves once all chunks are sent, or cannot be sent now, or after `ms`. */
    async drain(ms: number) {
      let timeout: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timeout = setTimeout(resolve, ms);
      });
      await Promise.race([sendWaiting(), late]);
      clearTimeout(timeout);
    },
    stop,
  };
}
