import { sql } from "kysely";
import { createRandom } from "#server/demo/random.ts";
import type { Db } from "#server/core/database/db.ts";
import type { Embedder } from "#server/documents/retrieval/embedder.ts";
import type { Provider } from "#test/providers/provider.ts";

/** A connector in use whose only model makes vectors at a stand-in. */
export async function addEmbedder(db: Db, provider: Provider, size: number): Promise<Embedder> {
  provider.expectKey(null);
  const model = { id: "stand-in-vectors", use: "embedding" as const, prices: [] };
  const { id } = await db
    .insertInto("connectors")
    .values({
      name: "Vectors",
      kind: "openai",
      baseUrl: provider.url,
      models: JSON.stringify([model]),
      status: "active",
      vectorSizes: JSON.stringify({ [model.id]: { stored: size, sent: null } }),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { connectorId: id, model: model.id, size };
}

type Made = { title: string; passages: number; companyIds?: string[]; size: number };
/** Passages per statement. */
const BATCH = 500;

/**
 * A live document with passages that are not found by words, and made-up vectors of them: the same for the same title.
 */
export async function addEmbeddedDocument(db: Db, { connectorId, model }: Embedder, made: Made) {
  const { title, passages, companyIds, size } = made;
  const random = createRandom([...title].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7));
  const document = await db
    .insertInto("documents")
    .values({ title, source: "text", allCompanies: !companyIds })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const companyId of companyIds ?? [])
    await db.insertInto("documentCompanies").values({ documentId: document.id, companyId }).execute();
  const version = await db
    .insertInto("documentVersions")
    .values({ documentId: document.id, number: 1, name: title, kind: "text", state: "ready", language: "en", passages })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (let from = 1; from <= passages; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, passages - from + 1) }, (_, at) => from + at);
    const vectors = numbers.map(() => {
      const vector = Float32Array.from({ length: size }, () => random() * 2 - 1);
      const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
      return Buffer.from(vector.map((value) => value / length).buffer).toString("base64");
    });
    await sql`
      with added as (
        insert into passages (version_id, number, char_from, char_to, text)
        select ${version.id}, number, 0, 1, 'p' from unnest(${numbers}::int[]) number returning id, number
      )
      insert into passage_vectors (passage_id, connector_id, model, size, vector)
      select added.id, ${connectorId}, ${model}, ${size}, decode(one.vector, 'base64')
      from unnest(${numbers}::int[], ${vectors}::text[]) one (number, vector) join added using (number)`.execute(db);
  }
  await db.updateTable("documents").set({ liveVersionId: version.id }).where("id", "=", document.id).execute();
  return document.id;
}
