import { type Expression, sql, type SqlBool } from "kysely";
import type { Tx } from "#server/core/database/db.ts";

/** Takes values out of the queues of webhooks: what was deleted before it was sent is not sent any more. */
export const dropPendingDeliveries = (tx: Tx, isDropped: Expression<SqlBool>) =>
  tx
    .deleteFrom("webhookDeliveries")
    .where("status", "=", "pending")
    .where("valueId", "in", tx.selectFrom("variableValues as v").where(isDropped).select("v.id"))
    .execute();

/**
 * Takes values that were corrected out of the queues of webhooks. Their rows stay without content until old deliveries
 * are deleted: they tell that the correction has to be sent.
 */
export const withdrawPendingDeliveries = (tx: Tx, ids: number[]) =>
  tx
    .updateTable("webhookDeliveries")
    .set({ status: "withdrawn", body: "" })
    .where("status", "=", "pending")
    .where(
      "valueId",
      "in",
      tx
        .selectFrom("variableValues")
        .where(sql<boolean>`id = any(${ids}::bigint[])`)
        .where("isCorrected", "=", sql<boolean>`true`)
        .where("deletionId", "is", null)
        .select("id"),
    )
    .execute();
