import { sql } from "kysely";
import type { Services } from "#server/core/services.ts";
import {
  type Passage,
  passageColumns,
  retrieveByWords,
  type Search,
  versionsToSearch,
} from "#server/documents/retrieval/byWords.ts";
import { findByMeaning } from "#server/documents/retrieval/vectors.ts";

export type { Passage, Search } from "#server/documents/retrieval/byWords.ts";

/** Passages that each of the two rankings contributes. */
const DEPTH = 100;
/**
 * Constant of reciprocal-rank fusion (Cormack, Clarke and Büttcher 2009): the smaller, the more the first places count.
 */
const RRF_K = 60;

/**
 * The passages that match a question best in the scope of the search: by words and, if an embedding model is in use and
 * has vectors of all passages, also by meaning.
 */
export async function retrieve(services: Services, search: Search): Promise<Passage[]> {
  const [byWords, byMeaning] = await Promise.all([
    retrieveByWords(services.db, { ...search, limit: Math.max(DEPTH, search.limit) }),
    findMeaning(services, search),
  ]);
  if (!byMeaning) return byWords.slice(0, search.limit);
  const passagesById = new Map(byWords.map((passage) => [passage.id, passage]));
  for (const passage of await readPassagesById(
    services,
    search,
    byMeaning.filter((id) => !passagesById.has(id)),
  ))
    passagesById.set(passage.id, passage);
  const rankOf = new Map(byMeaning.map((id, at) => [id, at + 1]));
  const share = (rank: number | null) => (rank === null ? 0 : 1 / (RRF_K + rank));
  return [...passagesById.values()]
    .map((passage) => {
      const ranks = { words: passage.ranks.words, meaning: rankOf.get(passage.id) ?? null };
      return { ...passage, ranks, score: share(ranks.words) + share(ranks.meaning) };
    })
    .toSorted((a, b) => b.score - a.score || Number(a.id) - Number(b.id))
    .slice(0, search.limit);
}

async function findMeaning(services: Services, search: Search) {
  const { rows } = await sql<{ id: string; passages: number }>`
    select id, passages
    from (${versionsToSearch(search)}) searched
    where passages > 0`.execute(services.db);
  return findByMeaning(services, { ...search, limit: DEPTH }, rows);
}

/** Passages without a word of the question, found only by meaning. */
async function readPassagesById({ db }: Services, search: Search, ids: string[]): Promise<Passage[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Omit<Passage, "ranks" | "score" | "coverage">>`
    select ${passageColumns}
    from (${versionsToSearch(search)}) searched
    join passages on passages.version_id = searched.id
    where passages.id = any(${ids}::bigint[])`.execute(db);
  return rows.map((row) => ({ ...row, score: 0, coverage: 0, ranks: { words: null, meaning: null } }));
}

/** Share of a question that its best passage must cover to be quoted without a language model. */
const QUOTABLE_COVERAGE = 0.5;

/** The passages that the built-in connector may quote: none if even the best one covers too little of the question. */
export const quotablePassages = (passages: Passage[]): Passage[] =>
  passages.some(({ coverage }) => coverage >= QUOTABLE_COVERAGE) ? passages : [];
