import type { OpenBot } from "#server/chatbots/botAccess.ts";
import type { ChatValue } from "#server/conversations/capture.ts";
import { phraseFinder } from "#server/conversations/phraseFinder.ts";
import type { TurnRow } from "#server/conversations/turnRows.ts";
import texts from "#shared/locales/en/chat.json" with { type: "json" };
import type { TurnState } from "#shared/conversations/conversations.ts";

/** An answer without a model, and the values set by a choice of a scene. */
export type Prepared = Pick<TurnRow, "text"> & { state: TurnState; options: string[]; sets?: ChatValue[] };

/** The answer when a limit of the chatbot is reached. */
export const limitedAnswer = ({ settings: { limits } }: OpenBot): Prepared => ({
  state: "limited",
  text: limits.text || texts.limit,
  options: [],
});

/** The answer to a message whose writer may need help from a person; exempt from the limits of the chatbot. */
export const careAnswer = ({ settings: { careText } }: OpenBot): Prepared => ({
  state: "care",
  text: careText || texts.care,
  options: [],
});

/** The answer to a message with a blocked phrase. */
export const blockedAnswer = ({ settings: { blockedText } }: OpenBot): Prepared => ({
  state: "blocked",
  text: blockedText || texts.blocked,
  options: [],
});

/** Whether a message contains a blocked phrase. Its turn is then `blocked`, and no model ever reads it. */
export const hasBlockedPhrase = ({ settings: { blockedPhrases } }: OpenBot, text: string) =>
  phraseFinder(blockedPhrases)(text);
