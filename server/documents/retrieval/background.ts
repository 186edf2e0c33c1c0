import { LRUCache } from "lru-cache";
import type { Embedder } from "#server/documents/retrieval/embedder.ts";
import { cosineOf, normalise, type Ranking, type Spread, spreadOf } from "#server/documents/retrieval/similarity.ts";
import { UNRELATED } from "#server/documents/retrieval/unrelatedTexts.ts";

// Which cosines mean nothing. Models differ: unrelated texts have 0.1 with one, 0.7 with another.

/** Weight of the unrelated texts, as a number of passages: small libraries say little about cosines. */
const PRIOR = 100;

type Spreads = { byLanguage: Map<string, Spread>; all: Spread };
const spreads = new LRUCache<string, Spreads>({ max: 20 });

/** Makes the vectors of texts, in the order of the texts; null if that is not possible now. */
export type MakeVectors = (texts: string[]) => Promise<Float32Array[] | null>;

/** The cosines of unrelated texts, for each model once; null if the model does not answer. */
export async function readSpreads({ connectorId, model, size }: Embedder, make: MakeVectors): Promise<Spreads | null> {
  const key = `${connectorId} ${model} ${size}`;
  const known = spreads.get(key);
  if (known) return known;
  const texts = Object.values(UNRELATED).flat();
  const vectors = (await make(texts))?.map(normalise);
  if (!vectors) return null;
  const sums = { count: 0, sum: 0, squares: 0 };
  const byLanguage = new Map<string, Spread>();
  for (const [language, own] of Object.entries(UNRELATED)) {
    const part = vectors.splice(0, own.length);
    const cosines = part.flatMap((vector, at) => part.slice(at + 1).map((other) => cosineOf(vector, other)));
    const counted = {
      count: cosines.length,
      sum: cosines.reduce((sum, cosine) => sum + cosine, 0),
      squares: cosines.reduce((sum, cosine) => sum + cosine ** 2, 0),
    };
    byLanguage.set(language, spreadOf(counted));
    for (const name of ["count", "sum", "squares"] as const) sums[name] += counted[name];
  }
  const made = { byLanguage, all: spreadOf(sums) };
  spreads.set(key, made);
  return made;
}

/**
 * The cosines that a question has with what does not answer it: with the passages of the scope except the nearest one,
 * and with unrelated texts in the language of that passage.
 */
export async function readBackground(
  embedder: Embedder,
  { nearest, all }: Ranking,
  language: string,
  make: MakeVectors,
): Promise<Spread | null> {
  const known = await readSpreads(embedder, make);
  if (!known) return null;
  const prior = known.byLanguage.get(language) ?? known.all;
  const best = nearest[0]?.similarity ?? 0;
  return spreadOf({
    count: all.count - 1 + PRIOR,
    sum: all.sum - best + PRIOR * prior.mean,
    squares: all.squares - best ** 2 + PRIOR * (prior.deviation ** 2 + prior.mean ** 2),
  });
}
