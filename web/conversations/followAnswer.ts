import { isStatus } from "#web/core/http/http.ts";
import { createBackOff, isDisplaced } from "#web/core/live/backOff.ts";
import type { ChatClient } from "#web/conversations/chatClient.ts";
import type { AnswerEvent, Turn } from "#shared/conversations/conversations.ts";

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** First delay after the person has opened too many windows, in ms. */
const FIRST_DISPLACED_MS = 2000;
/** The server sends a heartbeat at least every 15 s; a connection that is silent for this long is dead, in ms. */
const SILENCE_MS = 40_000;

type Hooks = {
  onText: (text: string) => void;
  onEnd: (turn: Turn) => void;
  /** The answer no longer exists, or may no longer be read. */
  onGone: () => void;
  /** The connection is lost, or works again. */
  onConnection: (isConnected: boolean) => void;
};

/**
 * Follows a growing answer from its known text on. A lost connection is resumed at the same character, immediately when
 * the browser is back online. `onText` gets the complete text.
 */
export function followAnswer(client: ChatClient, { id, text: known }: Pick<Turn, "id" | "text">, hooks: Hooks) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let text = known;
  const lost = createBackOff(FIRST_RETRY_MS, MAX_RETRY_MS);
  // Not reset by an event, because every reconnection to a growing answer gets one.
  const displaced = createBackOff(FIRST_DISPLACED_MS, MAX_RETRY_MS);

  const take = (event: AnswerEvent) => {
    lost.reset();
    if (event.type === "end") {
      stopping.abort();
      hooks.onEnd(event.turn);
    } else {
      text = text.slice(0, event.from) + event.text;
      hooks.onText(text);
    }
  };
  /** Back-off that applies to the last failure. */
  let backOff = lost;
  async function readOnce() {
    const cut = new AbortController();
    let silence = setTimeout(() => cut.abort(), SILENCE_MS);
    backOff = lost;
    try {
      const reader = await client.openStream(id, text.length, AbortSignal.any([signal, cut.signal]));
      hooks.onConnection(true);
      let rest = "";
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        clearTimeout(silence);
        silence = setTimeout(() => cut.abort(), SILENCE_MS);
        const messages = (rest + piece.value).split("\n\n");
        rest = messages.pop() ?? "";
        for (const message of messages)
          if (isDisplaced(message)) backOff = displaced;
          else if (message.startsWith("data: ")) take(JSON.parse(message.slice(6)) as AnswerEvent);
      }
    } finally {
      clearTimeout(silence);
    }
  }
  async function run() {
    while (!signal.aborted) {
      const isGone = await readOnce().then(
        () => false,
        (error: unknown) => isStatus(error, 404) || isStatus(error, 401),
      );
      if (signal.aborted) return;
      if (isGone) return hooks.onGone();
      hooks.onConnection(false);
      await pause(backOff.next(), signal);
    }
  }
  void run();
  return () => stopping.abort();
}

/** Ends after `ms`, when the browser is online again, or when `signal` aborts. */
export const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    }
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
