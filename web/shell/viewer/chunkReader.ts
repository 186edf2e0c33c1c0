import { type Cleaning, TooLargeError } from "#web/shell/recording/cleanAttributes.ts";
import { cleanEvent, type CleanEvent } from "#web/shell/recording/cleanEvent.ts";
import { createImageBudget } from "#web/shell/recording/dataImages.ts";
import { mapCssUrls, parseUrl } from "#web/shell/recording/styleText.ts";
import {
  MAX_CHUNK_BYTES_INFLATED,
  MAX_NODES,
  MAX_RECORDING_BYTES_INFLATED,
  MAX_RECORDING_EVENTS,
  MAX_RECORDING_NODES,
  PACKAGE_PATH,
} from "#shared/recordings/recordingLimits.ts";
import { addMissing, type Missing } from "#shared/recordings/missingKinds.ts";

/** The bytes of a gzip stream as text. Throws `TooLargeError` as soon as there are more than `maxBytes`. */
async function inflate(body: ArrayBuffer, maxBytes: number) {
  const reader = new Blob([body]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), bytes };
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new TooLargeError();
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * Reads the chunks of a recording, which may be forged: checks limits first, then removes everything that a recording
 * does not keep. `files` is the folder of the package, with the grant of a review.
 */
export function createChunkReader(files: string) {
  const events: CleanEvent[] = [];
  const acceptsImage = createImageBudget();
  let missing: Missing = {};
  let [bytes, nodes, nodesOfEvent] = [0, 0, 0];
  const folder = new URL(files, location.origin);
  /** The address of a file of the package; empty for any other, also for one that leaves its folder. */
  const url = (stored: string) => {
    if (acceptsImage(stored)) return stored;
    if (!stored.startsWith(PACKAGE_PATH)) return "";
    const found = parseUrl(stored.slice(PACKAGE_PATH.length), folder);
    return found && found.origin === folder.origin && found.pathname.startsWith(folder.pathname) ? found.href : "";
  };
  const cleaning: Cleaning = {
    text: (text) => text,
    name: (text) => text,
    css: (css) => mapCssUrls(css, url),
    url,
    countNode: () => {
      if (++nodes > MAX_RECORDING_NODES || ++nodesOfEvent > MAX_NODES) throw new TooLargeError();
    },
    miss: () => {},
    tags: new Map(),
  };
  const readChunk = async (body: ArrayBuffer) => {
    const inflated = await inflate(body, MAX_CHUNK_BYTES_INFLATED);
    bytes += inflated.bytes;
    if (bytes > MAX_RECORDING_BYTES_INFLATED) throw new TooLargeError();
    const found: unknown = JSON.parse(inflated.text);
    if (!Array.isArray(found)) throw new SyntaxError("A chunk is a list of events.");
    for (const event of found) {
      nodesOfEvent = 0;
      const clean = cleanEvent(event, cleaning);
      if (clean?.type === 5) missing = addMissing(missing, clean.data.payload as Missing);
      else if (clean) events.push(clean);
      if (events.length > MAX_RECORDING_EVENTS) throw new TooLargeError();
    }
  };
  return {
    /**
     * Skips chunks that are not gzip or not JSON. Throws if none can be read, and `TooLargeError` beyond the limits.
     */
    async read(bodies: ArrayBuffer[]) {
      let unreadable: unknown = null;
      for (const body of bodies)
        await readChunk(body).catch((error: unknown) => {
          if (error instanceof TooLargeError) throw error;
          unreadable = error;
        });
      if (events.length === 0 && unreadable) throw unreadable;
    },
    events: () => events,
    missing: () => missing,
  };
}
