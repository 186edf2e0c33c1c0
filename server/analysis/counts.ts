import { findPhrases } from "#server/analysis/phrases.ts";
import { createQuestionGroups, termsOf } from "#server/analysis/questions/questionGroups.ts";
import { readWords, type WordsOf } from "#server/analysis/readWords.ts";
import { readStems } from "#server/analysis/stems.ts";
import { wordsOf } from "#server/analysis/words.ts";
import type { Db } from "#server/core/database/db.ts";
import type { RunResult } from "#shared/analysis/analysisRuns.ts";

// What is counted in conversations without a model

export type Message = {
  conversationId: string;
  person: string;
  text: string;
  isUnanswered: boolean;
  /** In the person's own words: neither picked nor suggested. */
  isOwn: boolean;
};

const LISTED = 20;
/** The other wordings of a question that are listed. */
const LISTED_WORDINGS = 5;

/**
 * Counts phrases of two to eight content words that people wrote in their own words, by conversation, and unanswered
 * questions, including suggested ones. Both are compared by word stems. Phrases of fewer than `minPeople` are left out,
 * because they could reveal their authors.
 */
export async function countMessages(
  db: Db,
  messages: Message[],
  minPeople: number,
): Promise<Omit<RunResult["counts"], "tone">> {
  const stemsOf = await readStems(
    db,
    messages.map(({ text }) => text),
  );
  const own = messages.filter(({ isOwn }) => isOwn);
  const split = own.map((one) => ({ ...one, words: wordsOf(one.text), stemOf: stemsOf(one.text) }));
  const unanswered = messages.filter(({ isUnanswered }) => isUnanswered).map(({ text }) => text);
  return {
    people: new Set(own.map(({ person }) => person)).size,
    messages: own.length,
    words: split.reduce((sum, { words }) => sum + words.length, 0),
    phrases: findPhrases(split, minPeople, LISTED),
    unanswered: groupQuestions(unanswered, await readWords(db, unanswered)),
  };
}

/** Groups questions that are alike, the most frequent group first, each with its most typical question. */
export function groupQuestions(questions: string[], wordsOf: WordsOf): RunResult["counts"]["unanswered"] {
  const terms = new Map(questions.map((text) => [text, termsOf(wordsOf(text))]));
  const index = createQuestionGroups<string[]>(questions.map((text) => terms.get(text)!));
  const groups: string[][] = [];
  for (const text of questions) {
    let group = index.find(terms.get(text)!);
    if (!group) groups.push((group = []));
    group.push(text);
    index.add(group, terms.get(text)!);
  }
  return groups
    .toSorted((a, b) => b.length - a.length)
    .slice(0, LISTED)
    .map((group) => {
      const [question = "", ...others] = [...new Set(group)].toSorted(
        (a, b) => index.typicality(group, terms.get(b)!) - index.typicality(group, terms.get(a)!),
      );
      return { question, times: group.length, others: others.slice(0, LISTED_WORDINGS) };
    });
}
