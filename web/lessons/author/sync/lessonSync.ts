import * as Y from "yjs";
import { call } from "#web/core/api/api.ts";
import { ApiError } from "#web/core/http/http.ts";
import { i18n } from "#web/core/i18n.ts";
import { createBackOff } from "#web/core/live/backOff.ts";
import { newId } from "#web/core/random.ts";
import { createStore } from "#web/core/store.ts";
import { dropUnsent, keepUnsent, listUnsent, type Unsent } from "#web/lessons/author/sync/unsentUpdates.ts";
import { decodeBase64 } from "#shared/core/encoding.ts";
import { drafts, MAX_UPDATE_BYTES, PRESENCE_SECONDS } from "#shared/lessons/drafts.ts";

/** Updates are collected for this long, so that a typed word is one request, in ms. */
const COLLECT_MS = 400;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 20_000;

/** `refused`: the server will never take what was written last; it stays in this browser. */
export type SyncPhase = "loading" | "saved" | "saving" | "offline" | "refused";
export type SyncState = { phase: SyncPhase; savedAt: Date | null; error: unknown };
export type LessonSync = ReturnType<typeof openLesson>;

/** The code of the error when words cannot be sent. */
const UNSENT = "lessonDrafts.unsent";

/** The origin of updates that the server has, or that are on their way. */
const KNOWN = "known";

/**
 * Opens the document of a lesson and keeps it the same as on the server: what is written here is stored in this
 * browser, then sent, and dropped here once it is acknowledged. Several tabs may do so at once.
 */
export function openLesson(lessonId: string, userId: string) {
  const doc = new Y.Doc();
  const state = createStore<SyncState>({ phase: "loading", savedAt: null, error: null });
  const isReady = createStore(false);
  const backOff = createBackOff(FIRST_RETRY_MS, MAX_RETRY_MS);
  const params = { id: lessonId };
  const stopping = new AbortController();
  const { signal } = stopping;
  let unsent: Unsent[] = [];
  /** What is sent under one key, also when it is sent again: the server stores a key once. */
  let batch: Batch | null = null;
  let number = 0;
  /** The last update that the server is known to have. */
  let latest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | null = null;
  let pulling: Promise<void> | null = null;

  const show = (change: Partial<SyncState>) => state.set({ ...state.get(), ...change });
  doc.on("update", (update: Uint8Array, origin: unknown) => {
    if (origin === KNOWN) return;
    const added = { id: newId(), lessonId, userId, update };
    unsent.push(added);
    void keepUnsent(added);
    if (state.get().phase !== "offline") show({ phase: "saving" });
    // The first update sets the time: without a pause in typing, a later one would never come.
    if (timer === undefined) sendIn(COLLECT_MS);
  });

  function sendIn(ms: number) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      void send();
    }, ms);
  }

  /** Fetches what others have written since the last time. */
  const pull = () => (pulling ??= pullAll().finally(() => (pulling = null)));
  async function pullAll() {
    for (;;) {
      const since = number;
      const { updates, until } = await call(drafts.updates, { params, query: { since } }, signal);
      Y.transact(
        doc,
        () => updates.forEach((update) => Y.applyUpdate(doc, decodeBase64(update, "base64"), KNOWN)),
        KNOWN,
      );
      number = Math.max(number, until);
      if (number >= latest || number === since) return;
    }
  }

  const send = () => (sending ??= sendBatch().finally(() => (sending = null)));
  async function sendBatch() {
    if (signal.aborted || !isReady.get()) return;
    batch ??= nextBatch(unsent);
    if (!batch) return;
    const { ids, body } = batch;
    try {
      const reply = await call(drafts.write, { params, body }, signal);
      batch = null;
      unsent = unsent.filter(({ id }) => !ids.has(id));
      void dropUnsent([...ids]);
      // A fetch that is on its way began before this update: it must not skip what others wrote in between.
      if (reply.number === number + 1 && !pulling) number = reply.number;
      backOff.reset();
      show(unsent.length > 0 ? { phase: "saving", error: null } : { phase: "saved", savedAt: new Date(), error: null });
      if (unsent.length > 0) sendIn(0);
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) show({ phase: "refused", error });
      else {
        show({ phase: "offline", error });
        sendIn(backOff.next());
      }
    }
  }

  /** Sends what is left now, as far as that is possible; whether nothing is left. */
  async function sendAll() {
    do await send();
    while (!signal.aborted && unsent.length > 0 && state.get().phase === "saving");
    const left = isReady.get() ? unsent : await listUnsent(lessonId, userId);
    return left.length === 0;
  }

  /** Sends what is left; rejects if that is not possible now. */
  async function flush() {
    if (await sendAll()) return;
    const error = new ApiError(0, { code: UNSENT, error: i18n.t("lessonDrafts.sync.unsent") });
    error.isForeign = true;
    throw error;
  }

  async function load() {
    unsent = await listUnsent(lessonId, userId);
    for (const { update } of unsent) Y.applyUpdate(doc, update, KNOWN);
    for (;;) {
      try {
        await pull();
        break;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError && error.status >= 400 && error.status < 500) throw error;
        show({ phase: "offline", error });
        await new Promise((resolve) => setTimeout(resolve, backOff.next()));
      }
    }
    backOff.reset();
    isReady.set(true);
    show({ phase: unsent.length > 0 ? "saving" : "saved", error: null });
    sendIn(0);
  }

  const enter = () => {
    if (!document.hidden) void call(drafts.enter, { params, body: {} }, signal).catch(() => {});
  };
  enter();
  const presence = setInterval(enter, (PRESENCE_SECONDS / 3) * 1000);
  addEventListener("online", () => sendIn(0), { signal });
  void load().catch((error: unknown) => show({ phase: "refused", error }));

  return {
    doc,
    lessonId,
    state,
    isReady,
    /** Called when the server has updates up to this number. */
    follow(stored: number) {
      latest = Math.max(latest, stored);
      if (isReady.get() && latest > number) void pull().catch(() => {});
    },
    flush,
    /** Sends what is left; what cannot be sent now is sent when the lesson is opened again. */
    close() {
      clearTimeout(timer);
      clearInterval(presence);
      void call(drafts.enter, { params, body: { isLeaving: true } }).catch(() => {});
      void sendAll().finally(() => stopping.abort());
    },
  };
}

function toBase64(bytes: Uint8Array) {
  let text = "";
  // The arguments of a call are limited.
  for (let from = 0; from < bytes.length; from += 8192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  return btoa(text);
}

type Batch = { ids: Set<string>; body: { key: string; update: string } };

/** As many updates as one request takes, the oldest first. */
function nextBatch(unsent: Unsent[]): Batch | null {
  if (unsent.length === 0) return null;
  let bytes = 0;
  const end = unsent.findIndex(({ update }) => (bytes += update.length) > MAX_UPDATE_BYTES);
  const batch = unsent.slice(0, end < 0 ? undefined : Math.max(1, end));
  const update = Y.mergeUpdates(batch.map((one) => one.update));
  return { ids: new Set(batch.map(({ id }) => id)), body: { key: newId(), update: toBase64(update) } };
}

const isFinal = (error: unknown) => error instanceof ApiError && [403, 404, 409, 413, 422].includes(error.status);
