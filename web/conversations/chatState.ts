import type { Choices } from "#web/conversations/branch.ts";
import type { Unsent } from "#web/conversations/outbox.ts";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";
import type { Conversation, conversations, Turn } from "#shared/conversations/conversations.ts";
import type { BodyOf } from "#shared/core/route.ts";

export type Channel = NonNullable<BodyOf<typeof conversations.start>["channel"]>;

/** `signIn`: only people with an account may talk to it. `closed`: it does not exist, or is not open to this person. */
export type ChatStatus = "loading" | "ready" | "signIn" | "closed" | "unreachable";

export type ChatState = {
  status: ChatStatus;
  bot: PublicBot | null;
  /** Null until the first message. */
  conversation: Conversation | null;
  choices: Choices;
  unsent: Unsent | null;
  /** Whether the last attempt reached the server. */
  isConnected: boolean;
  /** Message about the last attempt to send, such as a text that is too long. */
  problem: string | null;
  draft: string;
  /** The question that is being edited. */
  editing: Turn | null;
};

export const emptyChat: ChatState = {
  status: "loading",
  bot: null,
  conversation: null,
  choices: {},
  unsent: null,
  isConnected: true,
  problem: null,
  draft: "",
  editing: null,
};
