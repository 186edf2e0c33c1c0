import type { OpenBot } from "#server/chatbots/botAccess.ts";
import { readCareNotice } from "#server/care/service.ts";
import type { Db } from "#server/core/database/db.ts";
import type { ChatValue } from "#server/conversations/capture.ts";
import type { OwnedConversation } from "#server/conversations/owners.ts";
import { phraseFinder } from "#server/conversations/phraseFinder.ts";
import type { TurnRow } from "#server/conversations/turnRows.ts";
import texts from "#shared/locales/en/chat.json" with { type: "json" };
import { fillText } from "#shared/variables/templates.ts";
import type { TurnState } from "#shared/conversations/conversations.ts";

/** An answer without a model, and the values set by a choice of a scene. */
export type Prepared = Pick<TurnRow, "text"> & { state: TurnState; options: string[]; sets?: ChatValue[] };

/** The answer when a limit of the chatbot is reached. */
export const limitedAnswer = ({ settings: { limits } }: OpenBot): Prepared => ({
  state: "limited",
  text: limits.text || texts.limit,
  options: [],
});

/**
 * The answer to a message whose writer may need help from a person, with who is told; exempt from the limits of the
 * chatbot.
 */
export async function careAnswer(
  db: Db,
  { settings: { careText } }: OpenBot,
  { companyId, isPreview }: OwnedConversation,
): Promise<Prepared> {
  const notice = isPreview ? null : await readCareNotice(db, companyId);
  const people = new Intl.ListFormat("en").format(notice?.people ?? []);
  const reported = notice && fillText(texts.careReported, { people, hours: notice.hours.replace(/\.$/, "") });
  return { state: "care", text: [careText || texts.care, reported].filter(Boolean).join("\n\n"), options: [] };
}

/** The answer to a message with a blocked phrase. */
export const blockedAnswer = ({ settings: { blockedText } }: OpenBot): Prepared => ({
  state: "blocked",
  text: blockedText || texts.blocked,
  options: [],
});

/** Whether a message contains a blocked phrase. Its turn is then `blocked`, and no model ever reads it. */
export const hasBlockedPhrase = ({ settings: { blockedPhrases } }: OpenBot, text: string) =>
  phraseFinder(blockedPhrases)(text);
