import type { Section } from "#server/privacy/registryEntry.ts";
import { SAME_PERSON, contract, training, untilErased, ownedBy } from "#server/privacy/sectionParts.ts";
import { NOTIFICATION_DAYS } from "#shared/notifications.ts";
import { DELIVERY_DAYS } from "#shared/webhooks.ts";

/** What was sent to a person, and about a person to other systems. */
export const connectionSections: Section[] = [
  {
    key: "webhookDeliveries",
    purpose: "Passing values on to systems of the company",
    basis: training,
    retention: `${DELIVERY_DAYS} days`,
    table: "webhook_deliveries",
    joins: "join webhooks on webhooks.id = webhook_deliveries.webhook_id",
    extra: "webhooks.name as webhook, webhooks.url as url",
    omit: { user_id: SAME_PERSON, last_answer: "what the other system answered" },
    keys: ["id"],
    where: ownedBy("webhook_deliveries.user_id"),
  },
  {
    key: "notifications",
    purpose: "Telling you what needs your attention",
    basis: contract,
    retention: `${NOTIFICATION_DAYS} days`,
    table: "notifications",
    omit: { user_id: SAME_PERSON },
    keys: ["id"],
    where: ownedBy("user_id"),
  },
  {
    key: "notificationChoices",
    purpose: "Sending only the notifications you want",
    basis: contract,
    retention: untilErased,
    table: "notification_choices",
    omit: { user_id: SAME_PERSON },
    keys: ["kind"],
    where: ownedBy("user_id"),
  },
];
