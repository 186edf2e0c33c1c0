import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";

/** The source of vectors. Only vectors of the same connector, model and size are compared. */
export type Embedder = {
  connectorId: string;
  model: string;
  /** The numbers per vector; null before the first vector is made. */
  size: number | null;
};

/**
 * The embedding model: that of the default connector, or of the oldest active connector that has one. Null if there is
 * none; the search then uses words alone.
 */
export async function findEmbedder(db: Db): Promise<Embedder | null> {
  const connectors = await db
    .selectFrom("connectors")
    .where("status", "=", "active")
    .orderBy("isDefault", "desc")
    .orderBy("createdAt")
    .select(["id", "models", "vectorSizes"])
    .execute();
  for (const { id, models, vectorSizes } of connectors) {
    const model = models.find(({ use }) => use === "embedding");
    if (model) return { connectorId: id, model: model.id, size: vectorSizes[model.id]?.stored ?? null };
  }
  return null;
}

/** How many passages of a version have a vector of the model in use; null without a model or a version. */
export async function countVectors(db: Db, version: { id: string; passages: number } | null) {
  const embedder = version && (await findEmbedder(db));
  if (!embedder) return null;
  const { rows } = await sql<{ made: number }>`
    select count(*)::int as made
    from passages
    join passage_vectors vectors on vectors.passage_id = passages.id
    where passages.version_id = ${version.id}
      and vectors.connector_id = ${embedder.connectorId}
      and vectors.model = ${embedder.model}
      and vectors.size = ${embedder.size}`.execute(db);
  return { made: rows[0]?.made ?? 0, of: version.passages };
}
