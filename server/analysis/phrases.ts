import type { StemOf } from "#server/analysis/stems.ts";
import { isFunctionWord } from "#server/analysis/words.ts";

/** The most content words of a phrase. */
const MAX_WORDS = 8;
/** The greatest distance between content words of a phrase, in words: at most one other word is between them. */
const MAX_GAP = 2;

type Message = { conversationId: string; person: string; words: string[]; stemOf: StemOf };
/** A message with the indexes of its content words. */
type Content = { message: Message; places: number[] };
/** The number of the phrase that starts at each content word of each message; undefined where none does. */
type Level = (number | undefined)[][];
type Phrase = { length: number; parts: number[]; conversations: number; people: number };

/**
 * The phrases in most conversations, by the stems of their content words: “swap a shift” equals “swapping shifts”.
 * Phrases of fewer than `minPeople`, and parts of longer phrases that are as frequent, are left out.
 */
export function findPhrases(messages: Message[], minPeople: number, listed: number) {
  const contents = messages.map((message): Content => ({
    message,
    places: [...message.words.keys()].filter((at) => !isFunctionWord(message.words[at] as string)),
  }));
  const phrases: Phrase[] = [];
  const levels = new Map([[1, numberStems(contents)]]);
  for (let length = 2; length <= MAX_WORDS; length++) {
    const before = phrases.length;
    levels.set(length, addLonger(contents, levels.get(length - 1) ?? [], length, minPeople, phrases));
    if (phrases.length === before) break;
  }
  const isPart = new Set(
    phrases.flatMap(({ parts, conversations }) =>
      parts.filter((part) => phrases[part]?.conversations === conversations),
    ),
  );
  return [...phrases.entries()]
    .filter(([number]) => !isPart.has(number))
    .toSorted(([, a], [, b]) => b.conversations - a.conversations || b.length - a.length)
    .slice(0, listed)
    .map(([number, { length, conversations, people }]) => ({
      text: commonForm(contents, levels.get(length) ?? [], number, length),
      conversations,
      people,
    }));
}

/** The phrases of one word, which have the same number if their stems are the same. */
function numberStems(contents: Content[]): Level {
  const numbers = new Map<string, number>();
  const numberOf = (stem: string) => {
    const number = numbers.get(stem) ?? numbers.size;
    numbers.set(stem, number);
    return number;
  };
  return contents.map(({ message, places }) =>
    places.map((at) => numberOf(message.stemOf(message.words[at] as string))),
  );
}

/** Adds the phrases that are one content word longer. Only those with two frequent parts can be frequent (Apriori). */
function addLonger(contents: Content[], shorter: Level, length: number, minPeople: number, phrases: Phrase[]): Level {
  const candidates = new Map<string, { conversations: Set<string>; people: Set<string>; parts: number[] }>();
  const keys = contents.map(({ message, places }, i) =>
    places.map((place, at) => {
      const [left, right] = [shorter[i]?.[at], shorter[i]?.[at + 1]];
      if (left === undefined || right === undefined) return undefined;
      if (length === 2 && (places[at + 1] as number) - place > MAX_GAP) return undefined;
      const key = `${left} ${right}`;
      const entry = candidates.get(key) ?? {
        conversations: new Set(),
        people: new Set(),
        parts: length === 2 ? [] : [left, right],
      };
      entry.conversations.add(message.conversationId);
      entry.people.add(message.person);
      candidates.set(key, entry);
      return key;
    }),
  );
  const numbers = new Map<string, number>();
  for (const [key, { conversations, people, parts }] of candidates) {
    if (conversations.size < 2 || people.size < minPeople) continue;
    numbers.set(key, phrases.length);
    phrases.push({ length, parts, conversations: conversations.size, people: people.size });
  }
  return keys.map((ofMessage) => ofMessage.map((key) => (key === undefined ? undefined : numbers.get(key))));
}

/** The most frequent wording of a phrase, with the words between; the shortest, if several are as frequent. */
function commonForm(contents: Content[], level: Level, number: number, length: number) {
  const forms = new Map<string, number>();
  for (const [i, { message, places }] of contents.entries())
    for (const [at, from] of places.entries()) {
      if (level[i]?.[at] !== number) continue;
      const form = message.words.slice(from, (places[at + length - 1] ?? from) + 1).join(" ");
      forms.set(form, (forms.get(form) ?? 0) + 1);
    }
  const [best] = [...forms].toSorted(
    ([a, timesA], [b, timesB]) => timesB - timesA || a.length - b.length || a.localeCompare(b),
  );
  return best?.[0] ?? "";
}
