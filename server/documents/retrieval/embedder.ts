import type { Db } from "#server/core/database/db.ts";

/** What makes vectors. Only vectors of the same connector, model and size are ever compared. */
export type Embedder = { connectorId: string; model: string };

/**
 * The embedding model in use: of the default connector, or else of the oldest active one that has one. Null for words
 * alone.
 */
export async function findEmbedder(db: Db): Promise<Embedder | null> {
  const connectors = await db
    .selectFrom("connectors")
    .where("status", "=", "active")
    .orderBy("isDefault", "desc")
    .orderBy("createdAt")
    .select(["id", "models"])
    .execute();
  for (const { id, models } of connectors) {
    const model = models.find(({ use }) => use === "embedding");
    if (model) return { connectorId: id, model: model.id };
  }
  return null;
}
