import { sql } from "kysely";
import { embed } from "#server/connectors/embeddings.ts";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import type { Services } from "#server/core/services.ts";
import { type Embedder, findEmbedder } from "#server/documents/retrieval/embedder.ts";
import { isSharedWith } from "#server/documents/retrieval/maskedCompanies.ts";
import { normalise } from "#server/documents/retrieval/similarity.ts";
import { copyVectors } from "#server/documents/retrieval/vectorsInDatabase.ts";

/** Passages per call of the provider. */
const BATCH = 64;

/**
 * Creates the missing vectors of the passages of live versions, on one server at a time, because every text is billed.
 * Stops at the first failure; the next run continues from there. Then copies the vectors for ranking by PostgreSQL, if
 * it supports that.
 */
export async function embedPassages(services: Services, signal?: AbortSignal) {
  // What became live after the last look at the passages, and before the lock was released, is nobody else's work.
  for (let run = 0; run < MAX_RUNS; run++)
    if (!(await embedAlone(services, signal)) || !(await hasMissing(services))) return;
}
const MAX_RUNS = 3;

/** False if another server is doing it, or if the provider failed. */
async function embedAlone(services: Services, signal?: AbortSignal) {
  const client = await services.pool.connect();
  let isLost = false;
  try {
    const taken = await client.query<{ ok: boolean }>("select pg_try_advisory_lock(hashtext($1)) as ok", [LOCK]);
    if (!taken.rows[0]?.ok) return false;
    return await updateVectors(services, signal).finally(() =>
      client.query("select pg_advisory_unlock(hashtext($1))", [LOCK]).catch(() => {
        isLost = true;
      }),
    );
  } finally {
    // A lock that could not be released ends with its connection.
    client.release(isLost);
  }
}

const LOCK = "passage vectors";

async function updateVectors(services: Services, signal?: AbortSignal) {
  const embedder = await findEmbedder(services.db);
  if (!embedder) return false;
  await removeOutdated(services, embedder);
  const isComplete = await embedMissing(services, embedder, signal);
  await copyVectors(services, (await findEmbedder(services.db)) ?? embedder);
  return isComplete;
}

/** Removes the vectors that the model made with another length than it has now. */
const removeOutdated = ({ db }: Services, { connectorId, model, size }: Embedder) =>
  sql`
    delete from passage_vectors
    where connector_id = ${connectorId}
      and model = ${model}
      and size <> ${size}`.execute(db);

const withoutVectors = ({ connectorId, model }: Embedder) => sql`
  from documents
  join passages on passages.version_id = documents.live_version_id
  where documents.status = 'active'
    and not exists (
      select from passage_vectors vectors
      where vectors.passage_id = passages.id
        and vectors.connector_id = ${connectorId}
        and vectors.model = ${model})`;

async function hasMissing({ db }: Services) {
  const embedder = await findEmbedder(db);
  if (!embedder) return false;
  const { rows } = await sql`select ${withoutVectors(embedder)} limit 1`.execute(db);
  return rows.length > 0;
}

/** False if the provider failed. */
async function embedMissing(services: Services, embedder: Embedder, signal?: AbortSignal) {
  const { db, log } = services;
  for (;;) {
    // The companies of the document that mask names.
    const { rows } = await sql<{ id: number; text: string; companyIds: string[] }>`
      with missing as (
        select
          passages.id,
          documents.id as document_id,
          documents.title || E'\n' || passages.heading || E'\n' || passages.text as text
        ${withoutVectors(embedder)}
        order by passages.id
        limit ${BATCH}
      )
      select
        missing.id,
        missing.text,
        array(
          select companies.id
          from companies
          where companies.mask_names
            and (documents.all_companies or ${isSharedWith})
          order by companies.id
        ) as company_ids
      from missing
      join documents on documents.id = missing.document_id
      order by missing.id`.execute(db);
    if (rows.length === 0) return true;
    try {
      for (const same of Map.groupBy(rows, ({ companyIds }) => companyIds.join(" ")).values())
        if (!(await embedRows(services, embedder, same, signal))) return false;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      log.warn({ code: error.code }, "passages were not embedded");
      return false;
    }
  }
}

/** Creates and stores the vectors of passages for the same companies; false without an embedding model. */
async function embedRows(
  services: Services,
  embedder: Embedder,
  rows: { id: number; text: string; companyIds: string[] }[],
  signal?: AbortSignal,
) {
  const texts = rows.map(({ text }) => text);
  const maskedCompanyIds = rows[0]?.companyIds ?? [];
  const { connectorId, model } = embedder;
  const made = await embed(services, { connectorId, model, texts, companyId: null, maskedCompanyIds, signal });
  if (!made) return false;
  await sql`
    insert into passage_vectors (passage_id, connector_id, model, size, vector)
    select id, ${embedder.connectorId}, ${embedder.model}, ${made.size}, decode(vector, 'base64')
    from unnest(
      ${rows.map(({ id }) => id)}::bigint[],
      ${made.vectors.map(toBase64)}::text[]
    ) made (id, vector)
    where exists (select from passages where passages.id = made.id)
    on conflict do nothing`.execute(services.db);
  return true;
}

const toBase64 = (vector: Float32Array) => Buffer.from(normalise(vector).buffer).toString("base64");
