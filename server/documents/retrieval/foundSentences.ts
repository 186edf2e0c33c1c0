import type { Passage } from "#server/documents/retrieval/byWords.ts";

// The sentences of passages that could answer a question, and what is known of them

/** A sentence of a passage: `start` and `end` are offsets in its text, in UTF-16 units. */
export type Range = { start: number; end: number };
/** A sentence that could answer. The shares are of the weight of the question, and together at most 1. */
export type SentenceFeatures = {
  /** Share of the words in it. */
  words: number;
  /** Share of words that are only similar to words in it, weighted by the similarity. */
  similar: number;
  /** Further share in the title and the headings. */
  headings: number;
  /** Further share in the sentences before and after it. */
  neighbours: number;
  /** Score of its passage relative to the best one. */
  rank: number;
};

/** A question and its best sentence. */
export type AnswerFeatures = {
  /** Score of the sentence. */
  sentence: number;
  /** Weight of the words found in the sentence and the headings, relative to a word that one passage contains. */
  found: number;
  /** Distance of the best passage from the second, as a share of its score; 0 without a second one. */
  lead: number;
  /** Share of the question's weight that the passage does not contain. */
  missingInPassage: number;
  /** Share of the question's weight in words with digits that the passage does not contain. */
  missingNumbers: number;
  /** 1 for scripts without spaces, whose pairs of characters match by chance more often than words. */
  unspaced: number;
};

/** `matches`: of each word of the question, with the sentence; `own`: also with the headings. */
export type Sentence = Range & {
  passage: Passage;
  matches: number[];
  own: number[];
  features: SentenceFeatures;
  score: number;
  /** Share of the question's weight in words with digits that its passage does not contain. */
  missingNumbers: number;
};
/** The best sentence of a question, and all others. */
export type Answer = {
  first: Sentence;
  sentences: Sentence[];
  /** Whether the best sentence contains a word of the question. */
  hasWords: boolean;
  features: AnswerFeatures;
};
