import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { stemTexts, termOf } from "#server/documents/retrieval/stems.ts";

/** The indexed part of a passage. */
export type IndexedPassage = { id: number; heading: string; text: string };
/** A version whose passages are indexed; its title is indexed with each of them. */
export type IndexedVersion = { id: string; language: string; title: string };

/**
 * Writes the postings of passages, with every occurrence of a word in title, headings and text. Returns the number of
 * words. The caller deletes earlier postings of the passages.
 */
export async function indexPassages(db: Db, version: IndexedVersion, passages: IndexedPassage[]): Promise<number> {
  const { language } = version;
  const [title = [], ...bodies] = await stemTexts(db, language, [
    version.title,
    ...passages.map(({ heading, text }) => `${heading}\n${text}`),
  ]);
  const terms: string[] = [];
  const ids: number[] = [];
  const frequencies: number[] = [];
  const lengths: number[] = [];
  let words = 0;
  for (const [at, passage] of passages.entries()) {
    const counts = new Map<string, number>();
    const body = bodies[at] ?? [];
    for (const stem of title) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    for (const stem of body) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    const length = title.length + body.length;
    words += length;
    for (const [stem, frequency] of counts) {
      terms.push(termOf(language, stem));
      ids.push(passage.id);
      frequencies.push(frequency);
      lengths.push(length);
    }
  }
  await sql`
    insert into passage_terms (term, version_id, passage_id, frequency, length)
    select term, ${version.id}::uuid, passage_id, frequency, length
    from unnest(
      ${terms}::text[],
      ${ids}::bigint[],
      ${frequencies}::real[],
      ${lengths}::real[]
    ) postings (term, passage_id, frequency, length)`.execute(db);
  await sql`
    update passages
    set stems = indexed.stems
    from unnest(
      ${passages.map(({ id }) => id)}::bigint[],
      ${bodies.map((body) => [...title, ...body].join(" "))}::text[]
    ) indexed (id, stems)
    where passages.id = indexed.id`.execute(db);
  return words;
}
