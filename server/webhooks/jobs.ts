import { sql } from "kysely";
import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { DELIVERY_DAYS } from "#shared/webhooks/webhooks.ts";

export const deleteOldDeliveries = job(
  "webhooks:deleteOldDeliveries",
  z.object({}),
  async ({ db }) => {
    await db
      .deleteFrom("webhookDeliveries")
      .where("createdAt", "<", sql<string>`now() - make_interval(days => ${DELIVERY_DAYS})`)
      .execute();
  },
  "40 3 * * *",
);
