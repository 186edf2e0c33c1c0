import type { Expression, SqlBool } from "kysely";
import type { Tx } from "#server/core/db.ts";

/** Takes values out of the queues of webhooks: what was deleted or corrected before it was sent is not sent any more. */
export const dropPendingDeliveries = (tx: Tx, isDropped: Expression<SqlBool>) =>
  tx
    .deleteFrom("webhookDeliveries")
    .where("status", "=", "pending")
    .where("valueId", "in", tx.selectFrom("variableValues as v").where(isDropped).select("v.id"))
    .execute();
