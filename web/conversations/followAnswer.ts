import { isStatus } from "#web/core/api/http.ts";
import { createBackOff, isDisplaced } from "#web/core/live/backOff.ts";
import type { ChatClient } from "#web/conversations/chatClient.ts";
import type { AnswerEvent, Turn } from "#shared/conversations/conversations.ts";

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** After the person has opened too many windows. */
const FIRST_DISPLACED_MS = 2000;
/** The server says at least every 15 s that it is there; a connection that is silent for longer is dead, in ms. */
const SILENCE_MS = 40_000;

type Hooks = {
  onText: (text: string) => void;
  onEnd: (turn: Turn) => void;
  /** The answer, or the right to read it, does not exist any more. */
  onGone: () => void;
  /** The connection is lost, or works again. */
  onConnection: (isConnected: boolean) => void;
};

/**
 * Follows a growing answer from what is known of it. A lost connection is opened again at the same character, at once
 * when the browser is online again. `onText` gets the whole text.
 */
export function followAnswer(client: ChatClient, { id, text: known }: Pick<Turn, "id" | "text">, hooks: Hooks) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let text = known;
  const lost = createBackOff(FIRST_RETRY_MS, MAX_RETRY_MS);
  // Not reset by an event: in a window that comes back to a growing answer, there is always one.
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
  /** By which is waited after the last attempt. */
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
