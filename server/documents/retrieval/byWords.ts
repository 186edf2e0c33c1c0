import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { TurnSource } from "#shared/conversations/conversations.ts";
import { B, K1, rankByProximity } from "#server/documents/retrieval/proximity.ts";
import { isLightWord } from "#server/documents/retrieval/lightWords.ts";
import { findSpellings } from "#server/documents/retrieval/spelling.ts";
import { stemWords, termOf } from "#server/documents/retrieval/stems.ts";

/** Scope of a search, applied before anything is scored. */
export type Search = {
  question: string;
  /** The end of `question` that was asked last: a quoted sentence must contain one of its words, if it has any. */
  followUp?: string;
  /** Only these documents. */
  documentIds?: string[];
  /** Only documents for this company. */
  companyId?: string | null;
  /** Only documents for all companies: for people without a company. */
  isPublic?: boolean;
  /** Searches this version, live or not, instead of the live versions. */
  versionId?: string;
  /** Passages to return, at most 100. */
  limit: number;
  /** Cancels the call of an embedding model; the search then uses words alone. */
  signal?: AbortSignal;
};

/** A passage that matches a question, and the ranks that explain its place. */
export type Passage = {
  id: string;
  documentId: string;
  versionId: string;
  version: number;
  number: number;
  title: string;
  /** The headings above it, from the outermost, separated by ` › `. */
  heading: string;
  page: number | null;
  pageTo: number | null;
  text: string;
  /** Offsets of `text` in the text of the version. */
  charFrom: number;
  charTo: number;
  score: number;
  /** Share of the weighted words of the question that occur in it, 0 to 1. */
  coverage: number;
  /** Rank by words, and by meaning if an embedding model is used; from 1. */
  ranks: { words: number | null; meaning: number | null };
  /** Of its version (ISO 639-1), empty if it is not recognised. */
  language: string;
  /** The part of a course that it is from. */
  part: TurnSource["part"] | null;
};

/** A word of a question, by its stem in one language. */
export type AskedTerm = {
  stem: string;
  word: string;
  /** Inverse document frequency of the word in the scope of the search, reduced for words that say little. */
  weight: number;
  /** Certainty that the stem is what was meant: 1, or less for a corrected spelling. */
  certainty: number;
};
/** A question as the search has read it. */
export type AskedQuestion = {
  /** Passages in the scope of the search. */
  passages: number;
  /** The terms in the order of the question, by the language of the documents. */
  termsByLanguage: Map<string, AskedTerm[]>;
};

/** Passages passed from the first step to the second. */
const CANDIDATES = 100;
/**
 * Minimum passages of a large library, in which words of more than this share of the passages do not select candidates.
 */
const LARGE = 5000;
const COMMON_SHARE = 0.1;
/** Maximum words of a question; further ones are ignored. */
const MAX_TERMS = 64;

/**
 * SQL: the versions in the scope of a search, as `id`, `document_id`, `number`, `title`, `language`, `passages` and
 * `words`.
 */
export const versionsToSearch = ({
  documentIds,
  companyId,
  isPublic,
  versionId,
}: Omit<Search, "question" | "followUp" | "limit" | "signal">) => sql`
  select version.id, version.document_id, version.number, documents.title, version.language,
    version.passages, version.words
  from documents
  join document_versions version
    on ${versionId ? sql`version.document_id = documents.id` : sql`version.id = documents.live_version_id`}
  where ${versionId ? sql`version.id = ${versionId}::uuid` : sql`documents.status = 'active'`}
    ${documentIds ? sql`and ${isOneOf("documents.id", documentIds)}` : sql``}
    ${
      companyId
        ? sql`and (
            documents.all_companies
            or exists (
              select from document_companies allowed
              where allowed.document_id = documents.id
                and allowed.company_id = ${companyId}::uuid))`
        : sql``
    }
    ${isPublic ? sql`and documents.all_companies` : sql``}`;

/** SQL: the columns of `Passage` from `passages` and from `versionsToSearch` as `searched`. */
export const passageColumns = sql`
  passages.id::text, searched.document_id, searched.id as version_id, searched.number as version,
  passages.number, searched.title, passages.heading, passages.page_from as page, passages.page_to,
  passages.text, passages.char_from, passages.char_to, searched.language,
  (
    select jsonb_build_object('courseId', course_id, 'sco', part ->> 'sco', 'title', part ->> 'title')
    from course_texts
    join course_versions on course_versions.id = course_texts.course_version_id
    cross join jsonb_array_elements(course_versions.parts) with ordinality listed (part, place)
    where course_texts.version_id = searched.id
      and part ->> 'href' is not null
    order by place
    offset greatest(passages.page_from, 1) - 1
    limit 1
  ) as part`;

type Size = { language: string; passages: number; words: number };
type Found = Omit<Passage, "ranks" | "coverage"> & { stems: string };

/**
 * The passages that match a question best: BM25 over the words of title, headings and text (Robertson and Zaragoza
 * 2009; k1 1.2, b 0.75), each document in its own language, then reranked by the proximity of the words. Passages
 * without a word of the question are never found.
 */
export async function retrieveByWords(db: Db, search: Search): Promise<Passage[]> {
  return (await searchByWords(db, search)).passages;
}

/** The passages of `retrieveByWords`, and how the question was read. */
export async function searchByWords(db: Db, search: Search): Promise<{ passages: Passage[]; question: AskedQuestion }> {
  const { rows: sizes } = await sql<Size>`
    select language, sum(passages)::int as passages, sum(words) as words
    from (${versionsToSearch(search)}) searched
    group by language`.execute(db);
  const total = countPassages(sizes);
  let words = await stemQuestion(db, search.question, sizes);
  if (words.length === 0) return { passages: [], question: { passages: total, termsByLanguage: new Map() } };
  let { found, frequencies } = await findCandidates(db, search, sizes, words);
  const spellings = await findSpellings(
    db,
    words.filter(({ word }) => frequencies[word] === undefined),
    versionsToSearch(search),
  );
  if (spellings.size > 0) {
    words = words.map((one) => {
      const stem = spellings.get(termOf(one.language, one.stem));
      return stem ? { ...one, stem, certainty: CORRECTED } : one;
    });
    ({ found, frequencies } = await findCandidates(db, search, sizes, words));
  }
  // A word that occurs in no passage counts as occurring in half a passage: with less, it would dominate in a small
  // library.
  const weigh = (word: string) => rarity(total, Math.max(0.5, frequencies[word] ?? 0));
  const wordsByLanguage = Map.groupBy(words, ({ language }) => language);
  const passages = rankAnew(found, wordsByLanguage, sizes, weigh).slice(0, search.limit);
  const termsByLanguage = new Map(
    [...wordsByLanguage].map(([language, own]) => [language, own.map((one) => toTerm(one, weigh))]),
  );
  return { passages, question: { passages: total, termsByLanguage } };
}

/** The words of a question in order, with their stems in each language of the documents. */
async function stemQuestion(db: Db, question: string, sizes: Size[]): Promise<QuestionWord[]> {
  const words: QuestionWord[] = [];
  for (const { language } of sizes) {
    const [own = []] = await stemWords(db, language, [question]);
    // Every form of a word is counted as the first one.
    const first = new Map<string, string>();
    for (const { word, stem } of own.slice(0, MAX_TERMS)) {
      if (!first.has(stem)) first.set(stem, word);
      words.push({ language, stem, word: first.get(stem)!, certainty: 1 });
    }
  }
  return words;
}

/** Weight of a light word relative to another word as rare. */
const LIGHT = 0.4;
const toTerm = ({ language, word, stem, certainty }: QuestionWord, weigh: (word: string) => number): AskedTerm => ({
  stem,
  word,
  certainty,
  weight: weigh(word) * (isLightWord(language, word) ? LIGHT : 1),
});

/** Certainty that a corrected word is the one that was meant. */
const CORRECTED = 0.8;
/** A word of a question with its stem in one language. The rarity of a word is counted over all languages. */
type QuestionWord = { language: string; word: string; stem: string; certainty: number };

/**
 * The candidates with the best words. The postings are read once, to count the words and then to weight them. In a
 * large library, common words do not select candidates if there are rarer ones; they count in the second step.
 */
async function findCandidates(db: Db, search: Search, sizes: Size[], words: QuestionWord[]) {
  const terms = [...new Map(words.map((one) => [termOf(one.language, one.stem), one])).values()];
  const sizeOf = new Map(sizes.map((size) => [size.language, size]));
  const total = countPassages(sizes);
  const { rows } = await sql<Found & { frequencies: Record<string, number> }>`
    with searched as materialized (${versionsToSearch(search)}),
    asked as (
      select *
      from unnest(
        ${terms.map(({ language, stem }) => termOf(language, stem))}::text[],
        ${terms.map(({ word }) => word)}::text[],
        ${terms.map(({ language }) => averageOf(sizeOf.get(language)))}::float8[]
      ) terms (term, word, average)
    ),
    postings as materialized (
      select asked.word, asked.average, posting.passage_id, posting.frequency, posting.length
      from asked
      join passage_terms posting on posting.term = asked.term
      where posting.version_id in (select id from searched)
    ),
    counted as materialized (
      select word, count(*)::int as holding, count(*) <= ${total * COMMON_SHARE}::float8 as rare
      from postings
      group by word
    ),
    chosen as materialized (
      select word, ln(1 + (${total}::float8 - holding + 0.5) / (holding + 0.5)) as weight
      from counted
      where rare
        or ${total <= LARGE}
        or not exists (select from counted where rare)
    ),
    best as (
      select
        postings.passage_id,
        sum(
          chosen.weight * postings.frequency * ${K1 + 1}::float8
          / (postings.frequency
            + ${K1}::float8 * (1 - ${B}::float8 + ${B}::float8 * postings.length / postings.average))
        ) as score
      from postings
      join chosen on chosen.word = postings.word
      group by postings.passage_id
      order by score desc, postings.passage_id
      limit ${CANDIDATES}
    )
    select ${passageColumns}, best.score, passages.stems,
      (select jsonb_object_agg(word, holding) from counted) as frequencies
    from best
    join passages on passages.id = best.passage_id
    join searched on searched.id = passages.version_id
    order by best.score desc, passages.id`.execute(db);
  return { found: rows.map(({ frequencies: _, ...passage }) => passage), frequencies: rows[0]?.frequencies ?? {} };
}

/** Inverse document frequency of a word that `holding` of `total` passages contain. */
const rarity = (total: number, holding: number) => Math.log(1 + (total - holding + 0.5) / (holding + 0.5));

const countPassages = (sizes: Size[]) => sizes.reduce((sum, { passages }) => sum + passages, 0);
const averageOf = (size: Size | undefined) => (size && size.passages > 0 ? Math.max(1, size.words / size.passages) : 1);

function rankAnew(
  candidates: Found[],
  wordsByLanguage: Map<string, QuestionWord[]>,
  sizes: Size[],
  weigh: (word: string) => number,
) {
  const ranked: Passage[] = [];
  for (const size of sizes) {
    const { language } = size;
    const inLanguage = candidates.flatMap((passage, at) => (passage.language === language ? [{ passage, at }] : []));
    const words = wordsByLanguage.get(language) ?? [];
    const wordOf = new Map(words.map(({ word, stem }) => [stem, word]));
    const scores = rankByProximity(
      words.map(({ stem }) => stem),
      inLanguage.map(({ passage }) => ({ stems: passage.stems.split(" ") })),
      (stem) => weigh(wordOf.get(stem) ?? ""),
      averageOf(size),
    );
    for (const [i, { passage, at }] of inLanguage.entries()) {
      const { stems: _, ...shown } = passage;
      const { score, coverage } = scores[i]!;
      ranked.push({ ...shown, score, coverage, ranks: { words: at + 1, meaning: null } });
    }
  }
  ranked.sort((a, b) => b.score - a.score || Number(a.id) - Number(b.id));
  return ranked.map((passage, at) => ({ ...passage, ranks: { ...passage.ranks, words: at + 1 } }));
}
