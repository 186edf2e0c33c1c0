import levenshtein from "damerau-levenshtein";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { termOf } from "#server/documents/retrieval/stems.ts";
import { isUnspaced } from "#server/documents/retrieval/words.ts";

// Misspelt words of a question, corrected by the words of the documents

type Word = { language: string; stem: string };

/** Shorter stems are not corrected: too many words are one edit away. */
const MIN_LETTERS = 4;
/** Stems from this length may differ in two edits, others in one. An exchange of two neighbours is one edit. */
const LONG_LETTERS = 8;
/** Terms of the index that are compared with a word. */
const MAX_COMPARED = 5000;
const MAX_WORDS = 4;

/**
 * The stem that each unknown word is probably a misspelling of, by its term; none for words that are like no other.
 * `versions`: SQL of the versions to search, with `id`; words of others are never used.
 */
export async function findSpellings(db: Db, words: Word[], versions: RawBuilder<unknown>) {
  const spellings = new Map<string, string>();
  for (const { language, stem } of words.filter(isCorrectable).slice(0, MAX_WORDS)) {
    const similar = await findSimilar(db, language, stem);
    const [best] = similar.length > 0 ? await orderByUse(db, language, similar, versions) : [];
    if (best) spellings.set(termOf(language, stem), best);
  }
  return spellings;
}

/** The stems that occur in the versions, the most frequent first. */
async function orderByUse(db: Db, language: string, stems: string[], versions: RawBuilder<unknown>) {
  const { rows } = await sql<{ term: string }>`
    select term
    from passage_terms
    where term = any(${stems.map((stem) => termOf(language, stem))}::text[])
      and version_id in (select id from (${versions}) searched)
    group by term
    order by count(*) desc, term`.execute(db);
  return rows.map(({ term }) => term.slice(termOf(language, "").length));
}

const isCorrectable = ({ stem }: Word) =>
  stem.length >= MIN_LETTERS && !isUnspaced(stem) && /^[\p{L}\p{M}]+$/u.test(stem);
const editsFor = (stem: string) => (stem.length >= LONG_LETTERS ? 2 : 1);

/**
 * The stems with the same first letter that are closest to a stem. Steps from term to term through the index, because
 * every term has many postings.
 */
async function findSimilar(db: Db, language: string, stem: string) {
  const prefix = termOf(language, [...stem][0] ?? "");
  const edits = editsFor(stem);
  const letters = termOf(language, stem).length;
  const { rows } = await sql<{ term: string }>`
    with recursive vocabulary (term, place) as (
      (
        select term, 1
        from passage_terms
        where term >= ${prefix}
        order by term
        limit 1
      )
      union all
      select next.term, place + 1
      from vocabulary
      cross join lateral (
        select term
        from passage_terms
        where passage_terms.term > vocabulary.term
        order by passage_terms.term
        limit 1
      ) next
      where starts_with(next.term, ${prefix})
        and place < ${MAX_COMPARED}
    )
    select term
    from vocabulary
    where starts_with(term, ${prefix})
      and length(term) between ${letters - edits} and ${letters + edits}`.execute(db);
  const near = rows
    .map(({ term }) => term.slice(termOf(language, "").length))
    .map((other) => ({ other, steps: levenshtein(stem, other).steps }))
    .filter(({ other, steps }) => steps <= edits && /^[\p{L}\p{M}]+$/u.test(other));
  const fewest = Math.min(...near.map(({ steps }) => steps));
  return near.filter(({ steps }) => steps === fewest).map(({ other }) => other);
}
