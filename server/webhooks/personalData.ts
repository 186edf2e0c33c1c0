import { ownedBy, type PersonalData, SAME_PERSON, training } from "#server/core/domains/personalData.ts";
import { DELIVERY_DAYS } from "#shared/webhooks/webhooks.ts";

export const personalData: PersonalData = {
  entries: [
    {
      key: "webhookDeliveries",
      table: "webhook_deliveries",
      what: "Values of yours that were sent to other systems",
      fate: "delete",
      why: "Copies of values that are deleted as well; the receivers are asked by your company",
      where: ownedBy("user_id"),
    },
  ],
  sections: [
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
  ],
};
