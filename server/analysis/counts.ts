import { findPhrases } from "#server/analysis/phrases.ts";
import { createQuestionIndex, questionKey } from "#server/analysis/questions/questionKeys.ts";
import { readStems, type StemOf } from "#server/analysis/stems.ts";
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
    unanswered: groupQuestions(unanswered, stemsOf),
  };
}

/** Groups similar questions, the most frequent first. */
export function groupQuestions(
  questions: string[],
  stemsOf: (text: string) => StemOf,
): RunResult["counts"]["unanswered"] {
  const index = createQuestionIndex<string[]>([]);
  const groups: string[][] = [];
  for (const text of questions) {
    const key = questionKey(text, stemsOf(text));
    const group = index.find(key);
    if (group) group.push(text);
    else {
      const added = [text];
      groups.push(added);
      index.add({ group: added, key });
    }
  }
  return groups
    .toSorted((a, b) => b.length - a.length)
    .slice(0, LISTED)
    .map((texts) => ({
      question: texts[0] as string,
      times: texts.length,
      others: [...new Set(texts)].slice(1, 6),
    }));
}
