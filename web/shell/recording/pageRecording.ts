import { cleanEvent } from "#web/shell/recording/cleanEvent.ts";
import { type Cleaning, TooLargeError } from "#web/shell/recording/cleanAttributes.ts";
import { createChunkSender } from "#web/shell/recording/chunkSender.ts";
import { createTypedRuns } from "#web/shell/recording/typedRuns.ts";
import { createImageBudget, isInlineImage } from "#web/shell/recording/dataImages.ts";
import { createMissingParts } from "#web/shell/recording/missingParts.ts";
import { createMaskedTexts } from "#web/shell/recording/maskedTexts.ts";
import { BLOCKED, EDITABLE } from "#web/shell/recording/removedElements.ts";
import { mapCssTexts, mapCssUrls, parseUrl } from "#web/shell/recording/styleText.ts";
import {
  CHUNK_INTERVAL_MS,
  MAX_CHARS_PER_MINUTE,
  MAX_CHUNK_EVENTS,
  MAX_MS_PER_MINUTE,
  MAX_NODES,
  MAX_PAGE_ELEMENTS,
  MAX_SNAPSHOT_CHARS,
  PACKAGE_PATH,
} from "#shared/recordings/recordingLimits.ts";
import { MISSING_TAG } from "#shared/recordings/missingKinds.ts";
import type { RecordingEnd, ShellSession } from "#shared/player/shell.ts";

type Hooks = {
  onStart: () => void;
  /** Called when the recording ends by itself, with the reason. */
  onEnd: (reason: RecordingEnd) => void;
};
/** A chunk is sent when its events have this many characters. */
const CHUNK_CHARS = 1_000_000;
/** How long Exit waits for the last chunks, in ms. */
const DRAIN_MS = 800;

/**
 * Records the shell with the package in it (rrweb), part by part, and sends chunks. Private texts are masked before
 * anything leaves the page. It ends by itself when it becomes too expensive, without affecting the course.
 */
export function createPageRecording(session: ShellSession, files: string, hidden: string[], hooks: Hooks) {
  const texts = createMaskedTexts(hidden);
  const typing = createTypedRuns(texts);
  const missing = createMissingParts();
  const acceptsImage = createImageBudget();
  let isEnded = false;
  let isOpen = false;
  let stopObserving: (() => void) | undefined;
  let parts = 0;
  let chunk: string[] = [];
  let chunkChars = 0;
  let lastTime = 0;
  let minute = { at: 0, chars: 0, ms: 0 };

  const stop = () => {
    isEnded = true;
    clearInterval(timer);
    document.removeEventListener("visibilitychange", flush);
    sender.stop();
    stopObserving?.();
    stopObserving = undefined;
  };
  const end = (reason: RecordingEnd) => {
    if (isEnded) return;
    stop();
    hooks.onEnd(reason);
  };
  const sender = createChunkSender(session, end);
  const flush = () => {
    if (chunk.length === 0 || isEnded) return;
    missing.look(window);
    const payload = missing.take();
    if (payload) chunk.push(JSON.stringify({ type: 5, timestamp: lastTime, data: { tag: MISSING_TAG, payload } }));
    sender.add(`[${chunk.join(",")}]`);
    chunk = [];
    chunkChars = 0;
  };
  const timer = setInterval(flush, CHUNK_INTERVAL_MS);
  // A hidden tab is often closed next.
  document.addEventListener("visibilitychange", flush);

  /** True while a page is read for the first time: later, a script could have drawn typed text into a picture. */
  let isPageRead = false;
  /** The address of a file of the package without the grant, or a small picture; empty for any other. */
  const storedUrl = (url: string) => {
    if (isInlineImage(url)) {
      if (isPageRead && acceptsImage(url)) return url;
      missing.add("image");
      return "";
    }
    const { origin, pathname } = parseUrl(url, location.origin + files) ?? {};
    return origin === location.origin && pathname?.startsWith(files) ? PACKAGE_PATH + pathname.slice(files.length) : "";
  };
  let nodes = 0;
  const cleaning: Cleaning = {
    text: texts.mask,
    name: texts.maskValues,
    css: (css) => mapCssTexts(mapCssUrls(css, storedUrl), texts.mask),
    url: storedUrl,
    countNode: () => {
      if (++nodes > MAX_NODES) throw new TooLargeError();
    },
    miss: missing.add,
    tags: new Map(),
  };
  const add = (event: { type: number; timestamp: number }) => {
    nodes = 0;
    const { data } = event as { data?: { isAttachIframe?: boolean } };
    isPageRead = event.type === 2 || data?.isAttachIframe === true;
    const clean = cleanEvent(event, cleaning);
    if (!clean) return;
    const t = Math.max(0, Math.round(event.timestamp - session.startedAt));
    const json = JSON.stringify({ ...clean, timestamp: t }).replaceAll(files, PACKAGE_PATH);
    lastTime = t;
    // A snapshot of the shell, or of the page that a frame has loaded.
    const isSnapshot = isPageRead;
    if (isSnapshot && json.length > MAX_SNAPSHOT_CHARS) throw new TooLargeError();
    if (t - minute.at > 60_000) minute = { at: t, chars: 0, ms: 0 };
    if (isSnapshot) typing.watch(window);
    if (!isSnapshot) minute.chars += json.length;
    if (minute.chars > MAX_CHARS_PER_MINUTE || minute.ms > MAX_MS_PER_MINUTE) throw new TooLargeError();
    if (chunkChars + json.length > CHUNK_CHARS) flush();
    chunk.push(json);
    chunkChars += json.length;
    if (chunk.length >= MAX_CHUNK_EVENTS) flush();
  };
  const emit = (event: { type: number; timestamp: number }) => {
    if (isEnded) return;
    const start = performance.now();
    try {
      add(event);
    } catch (error) {
      end(error instanceof TooLargeError ? "tooLarge" : "failed");
    }
    minute.ms += performance.now() - start;
  };

  const observe = async (part: number) => {
    const refusal = isOpen ? null : await sender.open();
    if (refusal) return end(refusal);
    isOpen = true;
    if (countElements(window) > MAX_PAGE_ELEMENTS) return end("tooLarge");
    const { record } = await import("@rrweb/record");
    if (isEnded || part !== parts) return;
    stopObserving = record({
      emit,
      maskAllInputs: true,
      maskInputFn: (text, element) => {
        if (element?.tagName !== "SELECT" && element) texts.setCurrent(element, text);
        return "*".repeat(text.length);
      },
      maskTextSelector: EDITABLE,
      maskTextFn: (text, element) => {
        if (element?.closest(EDITABLE)) texts.setCurrent(element, text);
        return text.replace(/\S/g, "*");
      },
      blockSelector: BLOCKED,
      slimDOMOptions: "all",
      inlineStylesheet: false,
      sampling: { mousemove: 100, scroll: 200 },
      errorHandler: () => {
        end("failed");
        return true;
      },
    });
    // The first snapshot may have ended it.
    if (!isEnded) return hooks.onStart();
    stopObserving?.();
    stopObserving = undefined;
  };
  return {
    /** A part has loaded: its page is recorded once the browser has nothing else to do. */
    open() {
      if (isEnded) return;
      typing.watch(window);
      const part = ++parts;
      const start = () => void (part === parts && !isEnded && observe(part).catch(() => end("failed")));
      if ("requestIdleCallback" in window) requestIdleCallback(start, { timeout: 3000 });
      else setTimeout(start, 500);
    },
    /** The part is being left. */
    close() {
      parts++;
      typing.end();
      stopObserving?.();
      stopObserving = undefined;
      flush();
    },
    /** Waits until all chunks are sent, at most `DRAIN_MS`. Call it after `close`. */
    drain: () => sender.drain(DRAIN_MS),
    hide: texts.hide,
    stop,
  };
}
export type PageRecording = ReturnType<typeof createPageRecording>;

/** Elements of a window and of the frames in it that can be read. */
function countElements(frame: Window): number {
  try {
    let count = frame.document.getElementsByTagName("*").length;
    for (let i = 0; i < frame.frames.length; i++) count += countElements(frame.frames[i] as Window);
    return count;
  } catch {
    return 0;
  }
}
