import { sql } from "kysely";
import type { Passage as GatewayPassage } from "#server/connectors/gatewayCall.ts";
import type { Services } from "#server/core/services.ts";
import {
  type Passage,
  passageColumns,
  type Search,
  searchByWords,
  versionsToSearch,
} from "#server/documents/retrieval/byWords.ts";
import { findEvidence } from "#server/documents/retrieval/evidence.ts";
import type { Range } from "#server/documents/retrieval/foundSentences.ts";
import { findByMeaning } from "#server/documents/retrieval/meaning.ts";
import type { Near } from "#server/documents/retrieval/similarity.ts";

export type { Search } from "#server/documents/retrieval/byWords.ts";
/** A passage, and its sentences that answer the question: what may be quoted without a language model. */
export type FoundPassage = Passage & { evidence: Range[] };

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
export async function retrieve(services: Services, search: Search): Promise<FoundPassage[]> {
  const { ranked, scoredByWords, question, meaning } = await rankPassages(services, search);
  const { followUp } = search;
  const evidence = await findEvidence(services, question, scoredByWords, { followUp, meaning });
  return ranked.slice(0, search.limit).map((passage) => ({ ...passage, evidence: evidence.get(passage.id) ?? [] }));
}

/** The passages in the order of the search; `scoredByWords`: with their scores by words, 0 without a word. */
export async function rankPassages(services: Services, search: Search) {
  const [{ passages: byWords, question }, meaning] = await Promise.all([
    searchByWords(services.db, { ...search, limit: Math.max(DEPTH, search.limit) }),
    findMeaning(services, search),
  ]);
  const ranked = meaning ? await fuse(services, search, byWords, meaning.nearest) : byWords;
  const wordScores = new Map(byWords.map(({ id, score }) => [id, score]));
  const scoredByWords = ranked.map((passage) => ({ ...passage, score: wordScores.get(passage.id) ?? 0 }));
  return { ranked, scoredByWords, question, meaning };
}

/** Joins the rankings by words and by meaning. */
async function fuse(services: Services, search: Search, byWords: Passage[], byMeaning: Near[]): Promise<Passage[]> {
  const passagesById = new Map(byWords.map((passage) => [passage.id, passage]));
  for (const passage of await readPassagesById(
    services,
    search,
    byMeaning.flatMap(({ id }) => (passagesById.has(id) ? [] : [id])),
  ))
    passagesById.set(passage.id, passage);
  const rankOf = new Map(byMeaning.map(({ id }, at) => [id, at + 1]));
  const share = (rank: number | null) => (rank === null ? 0 : 1 / (RRF_K + rank));
  return [...passagesById.values()]
    .map((passage) => {
      const ranks = { words: passage.ranks.words, meaning: rankOf.get(passage.id) ?? null };
      return { ...passage, ranks, score: share(ranks.words) + share(ranks.meaning) };
    })
    .toSorted((a, b) => b.score - a.score || Number(a.id) - Number(b.id));
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

/** The passages with sentences that answer the question, for the built-in connector, which quotes them. */
export const toQuotable = (passages: FoundPassage[]): GatewayPassage[] =>
  passages
    .filter(({ evidence }) => evidence.length > 0)
    .map(({ id, documentId, title, heading, page, text, score, evidence }) => ({
      id,
      documentId,
      title,
      heading,
      page,
      text,
      score,
      quotes: evidence,
    }));
