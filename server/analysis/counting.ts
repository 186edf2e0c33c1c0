import type { RunResult } from "#shared/analysisRuns.ts";

// What can be said about conversations without a model

export type Said = { conversationId: string; person: string; text: string; isUnanswered: boolean };

const LISTED = 20;
const MAX_WORDS = 3;
/** Words that begin and end no phrase of their own: those of three letters or fewer, and these of six languages. */
const MAX_FUNCTION_LETTERS = 3;
const functionWords = new Set(
  `about after also because been before being could does from have here into just like more much must only other over should
  some such than that their them then there these they this those through very want were what when where which while will with would your
  aber alle auch beim dann dass denn dein diese dieser doch eine einem einen einer haben hier ihre kann mein mehr mich nach nicht noch oder
  schon sehr sein sich sind soll ueber und unter wann warum weil wenn werden wird wie wieder wurde zwischen
  avec cette comme dans donc elle elles entre etre leur mais meme nous plus pour pourquoi quand quel quelle sans sont sous tout tous vous
  como cuando cual desde donde esta estas este esto para pero porque puede quien sobre tambien todo una unos
  alle andre bare blir denne dere deres dette eller etter fordi hadde hans hennes hvem hver hvor hvordan ikke inn kan mange mellom noe noen
  etter eller fran hade hans inte kanske man mellan mycket nagon nar och ocksa sedan sina skulle till under utan vara vilken`.split(
    /\s+/,
  ),
);
export const isFunctionWord = (word: string) =>
  (/^\p{Script=Latin}+$/u.test(word) && word.length <= MAX_FUNCTION_LETTERS) ||
  functionWords.has(word.normalize("NFKD").replace(/\p{M}/gu, ""));

export const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKC")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word.length > 1);

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

/** Share of the words of the shorter question that both have, from which on they are the same question. */
const SAME_QUESTION = 0.6;

/** Groups similar questions, the most frequent first. */
export function groupQuestions(questions: string[]): RunResult["counts"]["unanswered"] {
  const groups: { size: number; texts: string[] }[] = [];
  /** Groups by the words of their first question. */
  const having = new Map<string, number[]>();
  for (const text of questions) {
    const words = new Set(wordsOf(text).filter((word) => word.length > 2));
    const shared = new Map<number, number>();
    for (const word of words) for (const at of having.get(word) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1);
    const same = [...shared]
      .filter(([at, count]) => count / Math.min(words.size, groups[at]?.size ?? 0) >= SAME_QUESTION)
      .map(([at]) => at);
    const group = groups[same.length > 0 ? same.reduce((a, b) => Math.min(a, b)) : -1];
    if (group) group.texts.push(text);
    else {
      for (const word of words) {
        const own = having.get(word);
        if (own) own.push(groups.length);
        else having.set(word, [groups.length]);
      }
      groups.push({ size: words.size, texts: [text] });
    }
  }
  return groups
    .toSorted((a, b) => b.texts.length - a.texts.length)
    .slice(0, LISTED)
    .map(({ texts }) => ({
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
