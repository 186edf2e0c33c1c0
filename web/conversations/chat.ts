import { isStatus, sendRequest } from "#web/core/http/http.ts";
import { newId } from "#web/core/random.ts";
import { createStore } from "#web/core/store.ts";
import { chosen, shownBranch, withTurns } from "#web/conversations/branch.ts";
import { createChatClient } from "#web/conversations/chatClient.ts";
import { type Channel, type ChatState, emptyChat } from "#web/conversations/chatState.ts";
import { createDelivery } from "#web/conversations/delivery.ts";
import { followAnswer } from "#web/conversations/followAnswer.ts";
import { createOutbox } from "#web/conversations/outbox.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import {
  type Conversation,
  conversations,
  isOpenState,
  type rating,
  type ratingReason,
  type Turn,
} from "#shared/conversations/conversations.ts";
import type { z } from "zod";

export type ChatPlace = {
  chatbotId: string;
  courseId: string | null;
  /** The event on whose page the chat was opened. */
  eventId: string | null;
  channel: Channel;
  /** The session of the course that runs beside the chat. */
  sessionId: string | null;
  /** Null: a visitor. */
  userId: string | null;
};
type Rating = { rating: z.infer<typeof rating> | null; reason?: z.infer<typeof ratingReason> | null; text?: string };

/** A conversation that was active within this time is continued when the chat is opened, in ms. */
const CONTINUE_MS = 24 * 3_600_000;
/** Interval of checking whether the conversation was continued elsewhere, while the page is visible, in ms. */
const POLL_MS = 20_000;
/** The longest time that a moderation model reads a message after its answer. */
const MODERATION_MS = 5500;

export type Chat = ReturnType<typeof createChat>;

/** State and actions of the chat with one chatbot, with one conversation at a time. */
export function createChat({ chatbotId, courseId, eventId, channel, sessionId, userId }: ChatPlace) {
  const isPreview = channel === "preview";
  const client = createChatClient({ chatbotId, courseId, isPreview, isVisitor: userId === null });
  const place = `${chatbotId}.${isPreview ? channel : (courseId ?? eventId ?? "")}`;
  const outbox = createOutbox(userId, place);
  const store = createStore<ChatState>({ ...emptyChat, draft: outbox.readDraft() });
  const tabs = new BroadcastChannel(`lyceum.chat.${userId ?? "visitor"}.${place}`);
  const stopping = new AbortController();
  let following: { id: string; stop: () => void } | null = null;
  /** Number of times that turns from this page were added. */
  let additions = 0;

  const update = (changes: Partial<ChatState>) => store.set({ ...store.get(), ...changes });
  const turns = () => store.get().conversation?.turns ?? [];
  const answerInProgress = () => turns().find(({ state }) => isOpenState(state));
  const tellTabs = () => tabs.postMessage(store.get().conversation?.id ?? null);

  function show(conversation: Conversation | null) {
    if (conversation?.id !== store.get().conversation?.id) {
      following?.stop();
      following = null;
      update({ conversation, choices: {}, editing: null, problem: null });
    } else update({ conversation });
    const open = answerInProgress();
    if (open) follow(open);
    else void delivery.flush();
  }
  /** Adds turns and shows them. */
  function add(changed: Turn[], isNew = true) {
    const { conversation, choices } = store.get();
    if (!conversation) return;
    if (isNew) additions++;
    update({
      conversation: { ...conversation, turns: withTurns(conversation.turns, changed) },
      ...(isNew && { choices: changed.reduce(chosen, choices) }),
    });
    const open = changed.find(({ state }) => isOpenState(state));
    if (open) follow(open);
  }
  function follow(answer: Turn) {
    if (following?.id === answer.id) return;
    following?.stop();
    const stop = followAnswer(client, answer, {
      onText: (text) => {
        const known = turns().find(({ id }) => id === answer.id);
        if (known) add([{ ...known, state: "streaming", text }], false);
      },
      onEnd: (turn) => {
        following = null;
        add([turn], false);
        void delivery.flush();
        // A moderation model may still be reading the question.
        if (store.get().bot?.care) setTimeout(() => void refresh(), MODERATION_MS);
      },
      onGone: () => {
        following = null;
        show(null);
      },
      onConnection: (isConnected) => update({ isConnected }),
    });
    following = { id: answer.id, stop };
  }

  /** Reloads the conversation after a change elsewhere. */
  async function refresh(id = store.get().conversation?.id) {
    if (!id) return;
    const additionsBefore = additions;
    try {
      const conversation = await client.call(conversations.get, { params: { id } });
      // The reply may be older than a message that was sent meanwhile, and would hide it.
      if (additions !== additionsBefore) return await refresh(id);
      // The text of a followed answer is ahead of the stored one.
      const growing = turns().find((turn) => turn.id === following?.id);
      const own = growing && conversation.turns.some((turn) => turn.id === growing.id && isOpenState(turn.state));
      show(own ? { ...conversation, turns: withTurns(conversation.turns, [growing]) } : conversation);
    } catch (error) {
      if (isStatus(error, 404)) show(null);
    }
  }
  const start = (id: string) =>
    client.call(conversations.start, { body: { id, chatbotId, courseId, eventId, sessionId, channel } });
  const delivery = createDelivery(
    { store, update, outbox, start, show, add, refresh, call: client.call, tellTabs },
    stopping.signal,
  );

  const isScene = () => store.get().bot?.pedagogy === "scene";
  async function startNew() {
    outbox.clear();
    update({ unsent: null, editing: null, problem: null });
    show(null);
    // A scene begins with the chatbot.
    if (isScene()) show(await start(newId()));
  }
  async function readLast(): Promise<Conversation | null> {
    if (isPreview || !client.isKnown()) return null;
    const { items } = await client.call(conversations.mine, {
      query: { chatbotId, size: 1, ...(courseId && { courseId }), ...(eventId && { eventId }) },
    });
    const last = items.find((one) => one.courseId === courseId && one.endedAt === null);
    if (!last || Date.now() - Date.parse(last.lastAt) > CONTINUE_MS) return null;
    return client.call(conversations.get, { params: { id: last.id } });
  }
  async function load() {
    update({ status: "loading" });
    const language = navigator.language.slice(0, 2).toLowerCase();
    const query = {
      ...(courseId && { courseId }),
      ...(/^[a-z]{2}$/.test(language) && { language }),
      ...(isPreview && { preview: "yes" as const }),
    };
    const sent = { params: { id: chatbotId }, query };
    try {
      const bot = await (userId === null ? sendRequest(chatbots.open, sent) : client.call(chatbots.open, sent));
      update({ bot, status: "ready" });
      const unsent = isPreview ? null : outbox.read();
      const isKept = unsent
        ? await client.call(conversations.get, { params: { id: unsent.conversationId } }).catch(() => null)
        : await readLast();
      update({ unsent });
      if (isKept || unsent) show(isKept);
      else await startNew();
      if (unsent) void delivery.flush();
    } catch (error) {
      if (isStatus(error, 404)) update({ status: userId === null ? "signIn" : "closed" });
      else if (!store.get().bot) update({ status: "unreachable" });
      else update({ isConnected: false });
    }
  }

  tabs.addEventListener("message", ({ data }: MessageEvent<string | null>) => {
    const current = store.get().conversation?.id;
    if (data && (current === data || !current)) void refresh(data);
  });
  const onReturn = () => {
    if (document.hidden) return;
    if (store.get().status === "unreachable") void load();
    else if (!following) void refresh();
  };
  async function poll() {
    const { conversation } = store.get();
    if (document.hidden || following || !conversation || isPreview) return;
    const { items } = await client.call(conversations.mine, { query: { chatbotId, size: 1 } });
    const [last] = items;
    if (last?.id === conversation.id && last.questions !== conversation.questions) await refresh();
  }
  const polling = setInterval(() => void poll().catch(() => {}), POLL_MS);
  addEventListener("online", onReturn);
  document.addEventListener("visibilitychange", onReturn);

  return {
    state: store,
    client,
    load,
    stop() {
      stopping.abort();
      following?.stop();
      clearInterval(polling);
      tabs.close();
      removeEventListener("online", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    },
    type(draft: string) {
      update({ draft, problem: null });
      outbox.keepDraft(draft);
    },
    /**
     * Sends the draft, or `text`, as the next message or as a new version of the edited question. `buttonId`: the
     * button whose label is `text`. `spoken`: it was transcribed.
     */
    send(text = store.get().draft, buttonId?: string, spoken = false) {
      const { editing, choices, conversation, unsent, draft } = store.get();
      if (!text.trim() || unsent) return;
      const last = shownBranch(turns(), choices).at(-1)?.turn;
      const parentId = editing ? editing.parentId : (last?.id ?? null);
      if (text === draft) this.type("");
      update({ editing: null, problem: null });
      delivery.send({
        id: newId(),
        conversationId: conversation?.id ?? newId(),
        text: text.trim(),
        parentId,
        ...(buttonId && { buttonId }),
        ...(spoken && { spoken }),
      });
    },
    edit(turn: Turn | null) {
      update({ editing: turn, problem: null });
      this.type(turn?.text ?? "");
    },
    async stopAnswer() {
      const answer = answerInProgress();
      if (answer) await client.call(conversations.stop, { params: { id: answer.id } }).catch(() => refresh());
    },
    async regenerate(turn: Turn) {
      try {
        add([await client.call(conversations.regenerate, { params: { id: turn.id }, body: { id: newId() } })]);
        tellTabs();
      } catch {
        await refresh();
      }
    },
    async rate({ id }: Turn, body: Rating) {
      add([await client.call(conversations.rate, { params: { id }, body })], false);
    },
    choose(id: string) {
      const turn = turns().find((one) => one.id === id);
      if (turn) update({ choices: chosen(store.get().choices, turn) });
    },
    open: (id: string) => refresh(id),
    startNew,
    async remove(id: string) {
      await client.call(conversations.remove, { params: { id } });
      if (store.get().conversation?.id === id) await startNew();
      tellTabs();
    },
  };
}
