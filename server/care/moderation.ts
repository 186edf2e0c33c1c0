import { alertCare, type CareTopic } from "#server/care/alerts.ts";
import { readCareContacts } from "#server/care/service.ts";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import { moderate } from "#server/connectors/moderation/moderate.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";

type Message = {
  text: string;
  turnId: string;
  conversationId: string;
  companyId: string | null;
  userId: string | null;
  visitorId: string | null;
  chatbot: { id: string; name: string };
  /** A term was found in it, so that it has been reported. */
  isFound: boolean;
};

/** Categories of OpenAI and Mistral, the gravest first. */
const topics: [pattern: RegExp, topic: CareTopic][] = [
  [/^self[-_ ]?harm/i, "selfHarm"],
  [/^(?:violence|harassment\/threatening|hate\/threatening|violence_and_threats)/i, "violence"],
  [/^(?:harassment|hate)/i, "harassment"],
];

/**
 * Asks the moderation model of the company about a message, whether a term was found or not: the list of calls would
 * otherwise tell. Its verdict adds an alert and shows the help text; it takes none away. Never throws, and nobody waits
 * for it. `mayAlert`: whether the limits of alerts allow one.
 */
export async function moderateMessage(services: Services, message: Message, mayAlert: (tx: Tx) => Promise<boolean>) {
  const { db, log } = services;
  const { turnId, companyId, conversationId, chatbot } = message;
  try {
    const contacts = await readCareContacts(db, companyId);
    if (!contacts?.moderator) return;
    const found = await moderate(services, { ...message, ...contacts.moderator, chatbotId: chatbot.id });
    const topic = topics.find(([pattern]) => found.some((category) => pattern.test(category)))?.[1];
    if (!topic || message.isFound) return;
    await inTransaction(db, async (tx) => {
      await tx.updateTable("turns").set({ showsHelp: true }).where("id", "=", turnId).execute();
      if (await mayAlert(tx))
        await alertCare(services, tx, { conversationId, companyId, chatbot: chatbot.name, topic });
    });
  } catch (error) {
    if (!(error instanceof GatewayError)) log.warn({ err: error, turnId }, "a message was not moderated");
  }
}
