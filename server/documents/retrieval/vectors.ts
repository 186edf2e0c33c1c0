import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { embed } from "#server/connectors/embeddings.ts";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Services } from "#server/core/services.ts";
import type { Search } from "#server/documents/retrieval/byWords.ts";
import { type Embedder, findEmbedder } from "#server/documents/retrieval/embedder.ts";
import {
  copyVectors,
  MAX_IN_PROCESS,
  rankInDatabase,
  readCopiedSize,
} from "#server/documents/retrieval/vectorsInDatabase.ts";

/** Passages per call of the provider. */
const BATCH = 64;

/**
 * Creates the missing vectors of the passages of live versions, on one server at a time, because every text is billed.
 * Stops at the first failure; the next run continues from there. Then copies the vectors for ranking by PostgreSQL, if
 * it supports that. False if another run was at it.
 */
export async function embedPassages(services: Services, signal?: AbortSignal) {
  const client = await services.pool.connect();
  let isLost = false;
  try {
    const taken = await client.query<{ ok: boolean }>("select pg_try_advisory_lock(hashtext($1)) as ok", [LOCK]);
    if (!taken.rows[0]?.ok) return false;
    await updateVectors(services, signal).finally(() =>
      client.query("select pg_advisory_unlock(hashtext($1))", [LOCK]).catch(() => {
        isLost = true;
      }),
    );
    return true;
  } finally {
    // A lock that could not be released ends with its connection.
    client.release(isLost);
  }
}

const LOCK = "passage vectors";

async function updateVectors(services: Services, signal?: AbortSignal) {
  const embedder = await findEmbedder(services.db);
  if (!embedder) return;
  await embedMissing(services, embedder, signal);
  await copyVectors(services, embedder);
}

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
        from documents
        join passages on passages.version_id = documents.live_version_id
        where documents.status = 'active'
          and not exists (
            select from passage_vectors vectors
            where vectors.passage_id = passages.id
              and vectors.connector_id = ${embedder.connectorId}
              and vectors.model = ${embedder.model})
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
    if (rows.length === 0) return;
    try {
      for (const same of Map.groupBy(rows, ({ companyIds }) => companyIds.join(" ")).values())
        if (!(await embedRows(services, embedder, same, signal))) return;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      log.warn({ code: error.code }, "passages were not embedded");
      return;
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
  const made = await embed(services, { ...embedder, texts, companyId: null, maskedCompanyIds, signal });
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

/** Scales a vector to length 1, so that the product of two is their cosine. */
function normalise(vector: Float32Array) {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

type Loaded = { ids: string[]; size: number; numbers: Float32Array };
const loaded = new LRUCache<string, Loaded>({
  maxSize: 128 * 1024 ** 2,
  sizeCalculation: ({ numbers }) => numbers.byteLength + 1,
});

/**
 * The passages nearest to a question in meaning, best first; `versions` is the scope of the search. Null without an
 * embedding model, if the provider fails, or while vectors are missing, because ranking only some passages would hide
 * the others.
 */
export async function findByMeaning(
  services: Services,
  { question, limit, signal, ...scope }: Search,
  versions: { id: string; passages: number }[],
): Promise<string[] | null> {
  const { companyId = null } = scope;
  const embedder = await findEmbedder(services.db);
  if (!embedder || versions.length === 0) return null;
  const isLarge = versions.reduce((sum, { passages }) => sum + passages, 0) > MAX_IN_PROCESS;
  const copiedSize = isLarge ? await readCopiedSize(services.db, embedder, scope) : null;
  const parts = copiedSize === null ? await loadVectors(services.db, embedder, versions) : [];
  if (!parts) return null;
  const maskedCompanyIds = companyId ? [companyId] : await listCompaniesOf(services.db, versions);
  const mask = { maskedCompanyIds, hidesContacts: companyId === null };
  const asks = { ...embedder, texts: [question], companyId, ...mask, isWaitedFor: true, signal };
  const made = await embed(services, asks).catch((error: unknown) => {
    if (!(error instanceof GatewayError) && !signal?.aborted) throw error;
    return null;
  });
  const [vector] = made?.vectors ?? [];
  const sizes = copiedSize === null ? parts.map(({ size }) => size) : [copiedSize];
  if (!made || !vector || sizes.some((size) => size !== made.size)) return null;
  const normalised = normalise(vector);
  if (copiedSize === null) return rankInProcess(parts, normalised, limit);
  return rankInDatabase(services.db, embedder, { ...scope, vector: normalised, limit });
}

function rankInProcess(parts: Loaded[], questionVector: Float32Array, limit: number) {
  const scores: { id: string; score: number }[] = [];
  for (const { ids, size, numbers } of parts)
    for (const [at, id] of ids.entries()) {
      let score = 0;
      for (let i = 0, from = at * size; i < size; i++) score += questionVector[i]! * numbers[from + i]!;
      scores.push({ id, score });
    }
  scores.sort((a, b) => b.score - a.score);
  return scores.slice(0, limit).map(({ id }) => id);
}

/**
 * The companies that mask names and that own documents or have them shared by name. Documents for everybody belong to
 * none.
 */
async function listCompaniesOf(db: Db, versions: { id: string }[]) {
  const versionIds = versions.map(({ id }) => id);
  const { rows } = await sql<{ id: string }>`
    select companies.id
    from companies
    where companies.mask_names
      and exists (
        select from document_versions version
        join documents on documents.id = version.document_id
        where ${isOneOf("version.id", versionIds)}
          and not documents.all_companies
          and ${isSharedWith})`.execute(db);
  return rows.map(({ id }) => id);
}

/** SQL condition: a company owns a document or has it shared by name. Requires `companies` and `documents`. */
const isSharedWith = sql`(
  companies.id = documents.company_id
  or exists (
    select from document_companies allowed
    where allowed.document_id = documents.id
      and allowed.company_id = companies.id))`;

/** The vectors of versions, cached in memory; null if one is missing. */
async function loadVectors(db: Db, { connectorId, model }: Embedder, versions: { id: string; passages: number }[]) {
  // The id of the first passage changes when a version is split again.
  const versionIds = versions.map(({ id }) => id);
  const { rows: firsts } = await sql<{ versionId: string; id: string }>`
    select version_id, id::text
    from passages
    where number = 1
      and ${isOneOf("version_id", versionIds)}`.execute(db);
  const firstOf = new Map(firsts.map(({ versionId, id }) => [versionId, id]));
  const parts: Loaded[] = [];
  for (const { id, passages } of versions) {
    const key = `${connectorId} ${model} ${id} ${firstOf.get(id)}`;
    let part = loaded.get(key);
    if (!part) {
      const { rows } = await sql<{ id: string; size: number; vector: Buffer }>`
        select passages.id::text, vectors.size, vectors.vector
        from passages
        join passage_vectors vectors on vectors.passage_id = passages.id
        where passages.version_id = ${id}
          and vectors.connector_id = ${connectorId}
          and vectors.model = ${model}
        order by passages.id`.execute(db);
      const size = rows[0]?.size ?? 0;
      if (rows.length < passages || rows.some((row) => row.size !== size)) return null;
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
