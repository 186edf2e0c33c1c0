import type { Db } from "#server/core/database/db.ts";
import { detectLanguage } from "#server/documents/retrieval/languages.ts";
import { stemTexts } from "#server/documents/retrieval/stems.ts";
import type { Corpus } from "./_retrievalCorpora.ts";

const K1 = 1.2;
const B = 0.75;

/**
 * Plain BM25 over whole documents with the stems of the server, to compare with: the ids of the documents for a
 * question, best first.
 */
export async function createBm25(db: Db, { documents }: Corpus) {
  const language = await detectLanguage(documents.map(({ text }) => text).join("\n"));
  const stems = await stemTexts(
    db,
    language,
    documents.map(({ title, text }) => `${title}\n${text}`),
  );
  const average = stems.reduce((sum, own) => sum + own.length, 0) / documents.length;
  const counts = stems.map((own) => {
    const count = new Map<string, number>();
    for (const stem of own) count.set(stem, (count.get(stem) ?? 0) + 1);
    return count;
  });
  const holding = new Map<string, number>();
  for (const count of counts) for (const stem of count.keys()) holding.set(stem, (holding.get(stem) ?? 0) + 1);
  return async (question: string) => {
    const [asked = []] = await stemTexts(db, language, [question]);
    const scored = documents.map(({ id }, at) => {
      const norm = K1 * (1 - B + (B * (stems[at]?.length ?? 0)) / average);
      const score = [...new Set(asked)].reduce((sum, stem) => {
        const frequency = counts[at]?.get(stem) ?? 0;
        const having = holding.get(stem) ?? 0;
        const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
        return sum + (rarity * frequency * (K1 + 1)) / (frequency + norm);
      }, 0);
      return { id, score };
    });
    return scored
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ id }) => id);
  };
}
