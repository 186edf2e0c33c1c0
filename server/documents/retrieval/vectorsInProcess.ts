import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Embedder } from "#server/documents/retrieval/embedder.ts";
import type { Ranking } from "#server/documents/retrieval/similarity.ts";

// Ranking by meaning in this process, with vectors that stay in memory

export type Loaded = { ids: string[]; size: number; numbers: Float32Array };
const loaded = new LRUCache<string, Loaded>({
  maxSize: 128 * 1024 ** 2,
  sizeCalculation: ({ numbers }) => numbers.byteLength + 1,
});

/** The vectors of versions, cached in memory; null if one is missing. */
export async function loadVectors(
  db: Db,
  { connectorId, model, size: length }: Embedder,
  versions: { id: string; passages: number }[],
) {
  // The id of the first passage changes when a version is split again.
  const versionIds = versions.map(({ id }) => id);
  const { rows: firsts } = await sql<{ versionId: string; id: string }>`
    select version_id, id::text
    from passages
    where number = 1
      and ${isOneOf("version_id", versionIds)}`.execute(db);
  const firstOf = new Map(firsts.map(({ versionId, id }) => [versionId, id]));
  const parts: Loaded[] = [];
  if (length === null) return null;
  for (const { id, passages } of versions) {
    const key = `${connectorId} ${model} ${length} ${id} ${firstOf.get(id)}`;
    let part = loaded.get(key);
    if (!part) {
      const { rows } = await sql<{ id: string; vector: Buffer }>`
        select passages.id::text, vectors.vector
        from passages
        join passage_vectors vectors on vectors.passage_id = passages.id
        where passages.version_id = ${id}
          and vectors.connector_id = ${connectorId}
          and vectors.model = ${model}
          and vectors.size = ${length}
        order by passages.id`.execute(db);
      const size = length;
      if (rows.length < passages) return null;
      const numbers = new Float32Array(size * rows.length);
      for (const [at, { vector }] of rows.entries())
        for (let i = 0; i < size; i++) numbers[at * size + i] = vector.readFloatLE(i * 4);
      part = { ids: rows.map((row) => row.id), size, numbers };
      loaded.set(key, part);
    }
    parts.push(part);
  }
  return parts;
}

/** The passages nearest to a vector, best first. Vectors have length 1, so the product of two is their cosine. */
export function rankInProcess(parts: Loaded[], questionVector: Float32Array, limit: number): Ranking {
  const scores: { id: string; similarity: number }[] = [];
  for (const { ids, size, numbers } of parts)
    for (const [at, id] of ids.entries()) {
      let similarity = 0;
      for (let i = 0, from = at * size; i < size; i++) similarity += questionVector[i]! * numbers[from + i]!;
      scores.push({ id, similarity });
    }
  scores.sort((a, b) => b.similarity - a.similarity);
  let sum = 0;
  let squares = 0;
  for (const { similarity } of scores) {
    sum += similarity;
    squares += similarity ** 2;
  }
  return { nearest: scores.slice(0, limit), all: { count: scores.length, sum, squares } };
}
