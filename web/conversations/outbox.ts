import { readJson, storage, tabStorage } from "#web/core/storage/storage.ts";

/** A message that the server has not confirmed yet. Sent again with the same ids, it is stored once. */
export type Unsent = {
  id: string;
  conversationId: string;
  text: string;
  parentId: string | null;
  buttonId?: string;
  spoken?: boolean;
};
/** Prefix of the storage keys of the chat; each key belongs to one person and chatbot. */
const PREFIX = "chat.";

export type Outbox = ReturnType<typeof createOutbox>;

/** Stores the unsent message and the draft: for signed-in people in this browser, for visitors in this tab. */
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
