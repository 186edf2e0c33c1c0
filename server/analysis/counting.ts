import { createQuestionIndex, questionKey } from "#server/analysis/questionKeys.ts";
import { isFunctionWord, wordsOf } from "#server/analysis/words.ts";
import type { RunResult } from "#shared/analysisRuns.ts";

// What can be said about conversations without a model

export type Said = { conversationId: string; person: string; text: string; isUnanswered: boolean };

const LISTED = 20;
const MAX_WORDS = 3;
/**
 * Counts what people wrote: phrases of two or three words by conversations, and questions without an answer. Phrases of fewer than
 * `minPeople` are left out, because they could tell who wrote them.
 */
export function countSaid(said: Said[], minPeople: number): RunResult["counts"] {
  const messages = said.map((one) => ({ ...one, words: wordsOf(one.text) }));
  return {
    people: new Set(said.map(({ person }) => person)).size,
    messages: said.length,
    words: messages.reduce((sum, { words }) => sum + words.length, 0),
    phrases: findPhrases(messages, minPeople),
    unanswered: groupQuestions(said.filter(({ isUnanswered }) => isUnanswered).map(({ text }) => text)),
  };
}

type Message = Said & { words: string[] };
function findPhrases(messages: Message[], minPeople: number) {
  const found = new Map<string, { conversations: Set<string>; people: Set<string> }>();
  for (const { words, conversationId, person } of messages)
    for (let length = 2; length <= MAX_WORDS; length++)
      for (let at = 0; at + length <= words.length; at++) {
        // A phrase begins and ends with a word of its own.
        if (isFunctionWord(words[at] as string) || isFunctionWord(words[at + length - 1] as string)) continue;
        const text = words.slice(at, at + length).join(" ");
        const entry = found.get(text) ?? { conversations: new Set(), people: new Set() };
        entry.conversations.add(conversationId);
        entry.people.add(person);
        found.set(text, entry);
      }
  const counted = new Map(
    [...found]
      .filter(([, { conversations, people }]) => conversations.size > 1 && people.size >= minPeople)
      .map(([text, { conversations, people }]) => [text, { conversations: conversations.size, people: people.size }]),
  );
  // A part of a longer phrase that is as frequent says nothing new.
  const parts = new Set<string>();
  for (const [text, { conversations }] of counted)
    for (const part of partsOf(text)) if (counted.get(part)?.conversations === conversations) parts.add(part);
  return [...counted]
    .filter(([text]) => !parts.has(text))
    .map(([text, counts]) => ({ text, ...counts }))
    .toSorted(
      (a, b) => b.conversations - a.conversations || b.text.length - a.text.length || a.text.localeCompare(b.text),
    )
    .slice(0, LISTED);
}

/** A phrase without its last and without its first word. */
const partsOf = (text: string) => [text.slice(0, text.lastIndexOf(" ")), text.slice(text.indexOf(" ") + 1)];

/** Groups similar questions, the most frequent first. */
export function groupQuestions(questions: string[]): RunResult["counts"]["unanswered"] {
  const index = createQuestionIndex<string[]>([]);
  const groups: string[][] = [];
  for (const text of questions) {
    const key = questionKey(text);
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

/** The 95 % interval of a share (Wilson 1927). */
export function wilson(part: number, whole: number): { low: number; high: number } {
  if (whole === 0) return { low: 0, high: 1 };
  const z = 1.96;
  const share = part / whole;
  const middle = (share + (z * z) / (2 * whole)) / (1 + (z * z) / whole);
  const half = (z / (1 + (z * z) / whole)) * Math.sqrt((share * (1 - share)) / whole + (z * z) / (4 * whole * whole));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
