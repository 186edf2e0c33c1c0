import { sql } from "kysely";
import { z } from "zod";
import { readCareContacts } from "#server/care/service.ts";
import type { Tx } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { notify } from "#server/notifications/notify.ts";
import { ALERT_DAYS } from "#shared/care/care.ts";
import texts from "#shared/locales/en/chat.json" with { type: "json" };

export type CareTopic = keyof typeof texts.careTopics;
type Alert = { conversationId: string; companyId: string | null; chatbot: string; topic: CareTopic };

/**
 * Tells the people whom the company has named; nobody else learns of it, and nothing else is stored. Nobody is told
 * where nobody is named.
 */
export async function alertCare(services: Services, tx: Tx, { conversationId, companyId, chatbot, topic }: Alert) {
  const contacts = await readCareContacts(tx, companyId);
  if (!contacts) return;
  await notify(services, tx, {
    to: contacts.personIds,
    companyId,
    kind: "chatAlert",
    params: { name: chatbot, topic: texts.careTopics[topic] },
    link: `/reports/chatbots?conversation=${conversationId}`,
    key: `chatAlert ${conversationId} ${crypto.randomUUID()}`,
  });
}

/** Deletes what tells that a message raised an alert: notifications and their mails. */
export const deleteOldAlerts = job(
  "care:deleteOldAlerts",
  z.object({}),
  async ({ db }) => {
    const isOld = sql<boolean>`created_at < now() - make_interval(days => ${ALERT_DAYS})`;
    await db.deleteFrom("notifications").where("kind", "=", "chatAlert").where(isOld).execute();
    await db.deleteFrom("mails").where("reason", "=", "notifications.chatAlert").where(isOld).execute();
  },
  "40 3 * * *",
);
