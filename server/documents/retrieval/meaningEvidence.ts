import type { Services } from "#server/core/services.ts";
import type { Answer, Sentence } from "#server/documents/retrieval/foundSentences.ts";
import { type Meaning, measureNearness } from "#server/documents/retrieval/meaning.ts";

// The sentence that answers a question in other words, where an embedding model compares them

export type MeaningFeatures = {
  /** How near the sentence is: standard deviations above what does not answer the question. */
  nearness: number;
  /** By how much it is nearer than the nearest sentence of another passage. */
  lead: number;
};

/** Fitted by `npm run answers -- FOLDER --embedder URL --fit`. */
const WEIGHTS: MeaningFeatures = { nearness: 0.77, lead: 1 };
/** The fit has -2.8. With 1 less, hardly anything is quoted that the decision by words refuses rightly. */
const BIAS = -3.8;
/** Weight of the nearness in the choice of the sentence, beside its score by words. */
const NEARNESS = 2;

export type Judged = { answer: Answer; nearness: Map<Sentence, number>; features: MeaningFeatures; score: number };

/** The best sentence by words and meaning, and whether it answers the question; null if the provider fails. */
export async function judge(services: Services, meaning: Meaning, found: Answer): Promise<Judged | null> {
  const { sentences } = found;
  const measured = await measureNearness(services, meaning, sentences);
  if (!measured) return null;
  const nearness = new Map(sentences.slice(0, measured.length).map((sentence, at) => [sentence, measured[at]!]));
  const scoreOf = ([{ score }, near]: [Sentence, number]) => score + NEARNESS * near;
  const [best, ...others] = [...nearness].toSorted((a, b) => scoreOf(b) - scoreOf(a));
  if (!best) return null;
  const [first, near] = best;
  const other = Math.max(0, ...others.filter(([{ passage }]) => passage !== first.passage).map(([, value]) => value));
  const features = { nearness: near, lead: near - other };
  // Models find “class 5” and “class 77” alike.
  const score = first.missingNumbers > 0 ? -Infinity : scoreMeaning(features);
  return { answer: { ...found, first }, nearness, features, score };
}

/** The logit of the probability that the sentence answers the question, 0 at the threshold. */
export const scoreMeaning = ({ nearness, lead }: MeaningFeatures) =>
  WEIGHTS.nearness * nearness + WEIGHTS.lead * lead + BIAS;
