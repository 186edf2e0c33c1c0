import { type Expression, sql, type SqlBool } from "kysely";
import type { Tx } from "#server/core/database/db.ts";

/** Removes deleted values from the queues of webhooks. */
export const dropPendingDeliveries = (tx: Tx, isDropped: Expression<SqlBool>) =>
  tx
    .deleteFrom("webhookDeliveries")
    .where("status", "=", "pending")
    .where("valueId", "in", tx.selectFrom("variableValues as stored").where(isDropped).select("stored.id"))
    .execute();

/**
 * Withdraws corrected values from the queues of webhooks. Their rows remain without content until old deliveries are
 * deleted: they show that the correction has to be sent.
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
