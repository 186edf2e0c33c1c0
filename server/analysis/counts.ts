import type { Said } from "#server/analysis/phraseCounts.ts";
import { createQuestionGroups, termsOf } from "#server/analysis/questions/questionGroups.ts";
import { readWords, type WordsOf } from "#server/analysis/readWords.ts";
import { findTypicalPhrases } from "#server/analysis/typicalPhrases.ts";
import { createBreather } from "#server/core/breather.ts";
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

type Input = {
  messages: Message[];
  /** Messages of other conversations, with which these are compared. */
  background: Pick<Message, "conversationId" | "person" | "text">[];
  /** True if a lower-case word is part of a name. */
  isName: (word: string) => boolean;
  minPeople: number;
};
/**
 * Finds what is typical of what people wrote in their own words, and groups unanswered questions, including suggested
 * ones. Phrases of fewer than `minPeople` are left out, because they could reveal their authors; no phrase has a name.
 */
export async function countMessages(
  db: Db,
  { messages, background, isName, minPeople }: Input,
): Promise<Omit<RunResult["counts"], "tone">> {
  const own = messages.filter(({ isOwn }) => isOwn);
  const unanswered = messages.filter(({ isUnanswered }) => isUnanswered).map(({ text }) => text);
  const read = await readWords(
    db,
    [...own, ...background].map(({ text }) => text),
  );
  const breathe = createBreather();
  const split = async (list: Input["background"]) => {
    const said: Said[] = [];
    for (const { conversationId, person, text } of list) {
      await breathe();
      const words = read(text).map((word) => (isName(word.text) ? { ...word, isContent: false } : word));
      said.push({ conversationId, person, words });
    }
    return said;
  };
  const said = await split(own);
  const typical = await findTypicalPhrases({
    messages: said,
    background: await split(background),
    minPeople,
    listed: LISTED,
  });
  return {
    people: new Set(own.map(({ person }) => person)).size,
    messages: own.length,
    words: said.reduce((sum, { words }) => sum + words.length, 0),
    phrases: typical.map(({ text, ids, people }) => ({ text, conversations: ids.length, people })),
    unanswered: groupQuestions(unanswered, await readWords(db, unanswered)),
  };
}

/** Groups questions that are alike, the most frequent group first, each with its most typical question. */
export function groupQuestions(questions: string[], wordsOf: WordsOf): RunResult["counts"]["unanswered"] {
  const terms = new Map(questions.map((text) => [text, termsOf(wordsOf(text))]));
  const index = createQuestionGroups<string[]>(questions.map((text) => terms.get(text)!));
  const groups: string[][] = [];
  for (const text of questions) {
    let group = index.find({ terms: terms.get(text)! });
    if (!group) groups.push((group = []));
    group.push(text);
    index.add(group, { terms: terms.get(text)! });
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
