import { readJson, storage, tabStorage } from "#web/core/session/storage.ts";

/** A message that the server has not confirmed yet. Sent again with the same ids, it is stored once. */
export type Unsent = {
  id: string;
  conversationId: string;
  text: string;
  parentId: string | null;
  buttonId?: string;
  spoken?: boolean;
};
/** Starts the names of what the chat keeps in the browser; each belongs to one person and chatbot. */
const PREFIX = "chat.";

export type Outbox = ReturnType<typeof createOutbox>;

/** Keeps an unsent message and what is being typed: of people in this browser, of visitors in this tab. */
export function createOutbox(owner: string | null, place: string) {
  const store = owner ? storage : tabStorage;
  const messageKey = `${PREFIX}unsent.${owner ?? "visitor"}.${place}`;
  const draftKey = `${PREFIX}draft.${owner ?? "visitor"}.${place}`;
  return {
    read: () => readJson(messageKey, store) as Unsent | null,
    keep: (message: Unsent) => store.set(messageKey, JSON.stringify(message)),
    clear: () => store.remove(messageKey),
    readDraft: () => tabStorage.get(draftKey) ?? "",
    keepDraft: (text: string) => (text ? tabStorage.set(draftKey, text) : tabStorage.remove(draftKey)),
  };
}
