import { sql } from "kysely";
import pg from "pg";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { type Search, versionsToSearch } from "#server/documents/retrieval/byWords.ts";
import type { Embedder } from "#server/documents/retrieval/embedder.ts";
import type { Near, Ranking } from "#server/documents/retrieval/similarity.ts";

// Ranking by PostgreSQL if it has the extension `vector` (pgvector). It ranks a copy of the vectors of live passages.
// The copy is created by the server, not by a migration, because the extension may appear or disappear at any time. It
// is outside the schema `public`, so backups do not include it.

/** Maximum passages of a search whose vectors are compared in process. */
export const MAX_IN_PROCESS = 20_000;
/** Vectors per statement. */
const BATCH = 50;

/** The last logged warning, so that each is logged once. */
const lastWarning = new WeakMap<Services, string>();

/**
 * Updates the copy, if there are enough passages and PostgreSQL has the extension. For one server at a time. An error
 * of PostgreSQL is logged once; vectors are then compared in process.
 */
export async function copyVectors(services: Services, embedder: Embedder) {
  const { db, log } = services;
  if (!(await isNeeded(db))) return;
  try {
    if (!(await hasCopy(db))) await createCopy(db);
    await removeOutdated(db, embedder);
    await addMissing(db, embedder);
    lastWarning.delete(services);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (lastWarning.get(services) !== error.message)
      log.warn({ err: error.message }, "PostgreSQL cannot rank vectors: docs/operations.md, External PostgreSQL");
    lastWarning.set(services, error.message);
  }
}

async function isNeeded(db: Db) {
  const { rows } = await sql<{ passages: number; isAvailable: boolean }>`
    select
      coalesce(sum(version.passages), 0)::int as passages,
      exists (select from pg_available_extensions where name = 'vector') as is_available
    from documents
    join document_versions version on version.id = documents.live_version_id
    where documents.status = 'active'`.execute(db);
  return rows.some(({ passages, isAvailable }) => isAvailable && passages > MAX_IN_PROCESS);
}

/** Also false after the extension, and with it the column, was dropped. */
async function hasCopy(db: Db) {
  const { rows } = await sql`
    select from pg_attribute
    where attrelid = to_regclass('derived.passage_vectors')
      and attname = 'vector'
      and not attisdropped`.execute(db);
  return rows.length > 0;
}

const createCopy = (db: Db) =>
  inTransaction(db, async (tx) => {
    await sql`create extension if not exists vector`.execute(tx);
    await sql`create schema if not exists derived`.execute(tx);
    await sql`drop table if exists derived.passage_vectors`.execute(tx);
    await sql`create table derived.passage_vectors (
      passage_id bigint not null references passages (id) on delete cascade,
      version_id uuid not null,
      connector_id text not null,
      model text not null,
      size integer not null,
      vector vector not null,
      primary key (passage_id, connector_id, model, size)
    )`.execute(tx);
    await sql`create index passage_vectors_version on derived.passage_vectors (version_id)`.execute(tx);
  });

/** Removes the vectors of other models and lengths, and of versions that are not live any more. */
const removeOutdated = (db: Db, { connectorId, model, size }: Embedder) =>
  sql`
    delete from derived.passage_vectors copy
    where copy.connector_id <> ${connectorId}
      or copy.model <> ${model}
      or copy.size <> ${size}
      or not exists (
        select from documents
        where documents.live_version_id = copy.version_id
          and documents.status = 'active')`.execute(db);

async function addMissing(db: Db, { connectorId, model, size }: Embedder) {
  const { rows: missing } = await sql<{ id: number }>`
    select vectors.passage_id as id
    from documents
    join passages on passages.version_id = documents.live_version_id
    join passage_vectors vectors on vectors.passage_id = passages.id
    where documents.status = 'active'
      and vectors.connector_id = ${connectorId}
      and vectors.model = ${model}
      and not exists (
        select from derived.passage_vectors copy
        where copy.passage_id = vectors.passage_id
          and copy.connector_id = vectors.connector_id
          and copy.model = vectors.model
          and copy.size = vectors.size)
    order by vectors.passage_id`.execute(db);
  for (let from = 0; from < missing.length; from += BATCH) {
    const ids = missing.slice(from, from + BATCH).map(({ id }) => id);
    const { rows } = await sql<{ id: number; vector: Buffer }>`
      select passage_id as id, vector
      from passage_vectors
      where passage_id = any(${ids}::bigint[])
        and connector_id = ${connectorId}
        and model = ${model}
        and size = ${size}`.execute(db);
    await sql`
      insert into derived.passage_vectors (passage_id, version_id, connector_id, model, size, vector)
      select passages.id, passages.version_id, ${connectorId}, ${model}, ${size}, added.vector::vector
      from unnest(
        ${rows.map(({ id }) => id)}::bigint[],
        ${rows.map(({ vector }) => toText(vector))}::text[]
      ) added (id, vector)
      join passages on passages.id = added.id
      on conflict do nothing`.execute(db);
  }
}

/**
 * A vector in the text format of the extension. Parameters are text, because a prepared statement with a parameter of
 * type `vector` would fail after the extension was recreated.
 */
function toText(littleEndian: Buffer) {
  const numbers = Array.from({ length: littleEndian.length / 4 }, (_, at) => littleEndian.readFloatLE(at * 4));
  return `[${numbers.join(",")}]`;
}

type Scope = Omit<Search, "question" | "limit" | "signal">;

/** Whether PostgreSQL has a copy of the vectors of all passages in the scope. */
export async function isCopied(db: Db, { connectorId, model, size }: Embedder, scope: Scope) {
  if (!(await hasCopy(db))) return false;
  const { rows } = await sql<{ searched: number; copied: number }>`
    with searched as materialized (${versionsToSearch(scope)})
    select
      (select sum(passages) from searched)::int as searched,
      count(*)::int as copied
    from derived.passage_vectors copy
    where copy.connector_id = ${connectorId}
      and copy.model = ${model}
      and copy.size = ${size}
      and copy.version_id in (select id from searched)`.execute(db);
  return rows.some(({ copied, searched }) => copied === searched);
}

/**
 * The passages of a scope nearest to a vector, best first. Compares all of them, because an approximate index could
 * miss passages of the scope. Vectors have length 1, so the negative product of pgvector is their negative cosine.
 */
export async function rankInDatabase(
  db: Db,
  { connectorId, model }: Embedder,
  { vector, limit, ...scope }: Scope & { vector: Float32Array; limit: number },
): Promise<Ranking> {
  const { rows } = await sql<Near & Ranking["all"]>`
    with compared as materialized (
      select copy.passage_id, -(copy.vector <#> (select ${`[${vector.join(",")}]`}::text::vector)) as similarity
      from (${versionsToSearch(scope)}) searched
      join derived.passage_vectors copy on copy.version_id = searched.id
      where copy.connector_id = ${connectorId}
        and copy.model = ${model}
        and copy.size = ${vector.length}
    ),
    stats as materialized (
      select count(*)::int, sum(similarity), sum(similarity ^ 2) as squares
      from compared
    )
    select compared.passage_id::text as id, compared.similarity, stats.count, stats.sum, stats.squares
    from compared
    cross join stats
    order by compared.similarity desc, compared.passage_id
    limit ${limit}`.execute(db);
  const { count = 0, sum = 0, squares = 0 } = rows[0] ?? {};
  return { nearest: rows.map(({ id, similarity }) => ({ id, similarity })), all: { count, sum, squares } };
}
