import { ApiError, isCode, isStatus } from "#web/core/http/http.ts";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import { newId } from "#web/core/random.ts";
import type { ChatClient } from "#web/conversations/chatClient.ts";
import type { ChatState } from "#web/conversations/chatState.ts";
import { pause } from "#web/conversations/followAnswer.ts";
import type { Outbox, Unsent } from "#web/conversations/outbox.ts";
import { type Conversation, conversations, isOpenState, type Turn } from "#shared/conversations/conversations.ts";

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 15_000;

type Parts = {
  store: { get: () => ChatState };
  update: (changes: Partial<ChatState>) => void;
  outbox: Outbox;
  start: (id: string) => Promise<Conversation>;
  show: (conversation: Conversation) => void;
  add: (turns: Turn[]) => void;
  refresh: () => Promise<void>;
  call: ChatClient["call"];
  tellTabs: () => void;
};

/**
 * Delivers messages: each is kept in the browser until the server has stored it, and is always sent with the same id.
 */
export function createDelivery(
  { store, update, outbox, start, show, add, refresh, call, tellTabs }: Parts,
  signal: AbortSignal,
) {
  let isRunning = false;

  function keep(unsent: Unsent) {
    outbox.keep(unsent);
    update({ unsent });
  }
  async function deliver({ id, conversationId, text, parentId, buttonId, spoken }: Unsent) {
    let parent = parentId;
    if (store.get().conversation?.id !== conversationId) {
      const started = await start(conversationId);
      show(started);
      // A scene starts with a turn of the chatbot.
      const [first] = started.turns;
      if (first?.role === "assistant") parent ??= first.id;
    }
    const { question, answer } = await call(conversations.send, {
      params: { id: conversationId },
      body: { id, text, parentId: parent, ...(buttonId && { buttonId }), ...(spoken && { spoken }) },
    });
    outbox.clear();
    update({ unsent: null, isConnected: true });
    add([question, answer]);
    tellTabs();
    // This turn may have ended the scene.
    if (!isOpenState(answer.state) && store.get().bot?.pedagogy === "scene") await refresh();
  }
  /** Returns the text to the message field, with the reason. */
  function giveBack({ text }: Unsent, error: unknown) {
    outbox.clear();
    outbox.keepDraft(text);
    update({ unsent: null, draft: text, problem: issuesOf(error)["text"] ?? messageOf(error) });
  }
  async function flush() {
    if (isRunning) return;
    isRunning = true;
    let delay = FIRST_RETRY_MS;
    let restarts = 0;
    try {
      for (let unsent = store.get().unsent; unsent && !signal.aborted; unsent = store.get().unsent) {
        // It is sent once the running answer has ended.
        if (store.get().conversation?.turns.some(({ state }) => isOpenState(state))) return;
        try {
          await deliver(unsent);
        } catch (error) {
          const isTransient = error instanceof ApiError && (error.status === 0 || error.status >= 500);
          const isGone = isCode(error, "conversations.visitorExpired") || isStatus(error, 404);
          if (isCode(error, "conversations.answering")) {
            await refresh();
            await pause(delay, signal);
          } else if (isTransient) {
            update({ isConnected: false });
            await pause(delay, signal);
            delay = Math.min(MAX_RETRY_MS, delay * 2);
          } else if (isGone && restarts++ === 0) {
            // The conversation was deleted, or belongs to an expired visit: the message starts a new one.
            update({ conversation: null });
            keep({ ...unsent, id: newId(), conversationId: newId(), parentId: null });
          } else giveBack(unsent, error);
        }
      }
    } finally {
      isRunning = false;
    }
  }
  return {
    flush,
    send(unsent: Unsent) {
      keep(unsent);
      void flush();
    },
  };
}
