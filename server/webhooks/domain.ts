import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved } from "#server/core/domains/tables.ts";
import { deleteOldDeliveries } from "#server/webhooks/jobs.ts";
import { webhookRoutes } from "#server/webhooks/routes.ts";
import { DELIVERY_DAYS } from "#shared/webhooks/webhooks.ts";
import { personalData } from "#server/webhooks/personalData.ts";

export const webhooks = defineDomain({
  name: "webhooks",
  routes: [webhookRoutes],
  jobs: [deleteOldDeliveries],
  tables: {
    webhooks: {
      growth: rows(1, "company"),
      kept: untilRemoved,
      authors: { created_by: "Webhooks you added" },
      notPersonal: { "the receiver and its last answer": "name url secret last_answer" },
    },
    webhook_deliveries: { growth: rows(50, "learner"), kept: `${DELIVERY_DAYS} days` },
  },
  personalData,
});
