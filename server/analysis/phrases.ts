import type { StemOf } from "#server/analysis/stems.ts";
import { isFunctionWord } from "#server/analysis/words.ts";

/** Content words of the longest phrase. */
const MAX_WORDS = 8;
/** From one content word of a phrase to the next: at most one other word between them. */
const MAX_GAP = 2;

type Message = { conversationId: string; person: string; words: string[]; stemOf: StemOf };
/** The places of the content words of a message. */
type Content = { message: Message; places: number[] };
/**
 * Numbers of phrases by message and by the place of their first content word; undefined where none that counts begins.
 */
type Level = (number | undefined)[][];
type Phrase = { length: number; parts: number[]; conversations: number; people: number };

/**
 * The phrases that most conversations have, by the stems of their content words: “swap a shift” is the same as
 * “swapping shifts”. Phrases of fewer than `minPeople`, and parts of longer ones that are as frequent, are left out.
 */
export function findPhrases(messages: Message[], minPeople: number, listed: number) {
  const contents = messages.map((message): Content => ({
    message,
    places: [...message.words.keys()].filter((at) => !isFunctionWord(message.words[at] as string)),
  }));
  const phrases: Phrase[] = [];
  const levels = new Map([[1, numberStems(contents)]]);
  for (let length = 2; length <= MAX_WORDS; length++) {
    const known = phrases.length;
    levels.set(length, addLonger(contents, levels.get(length - 1) ?? [], length, minPeople, phrases));
    if (phrases.length === known) break;
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

/** The same number for the same stem. */
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

/** Adds the phrases that are one content word longer: only those can be frequent whose two parts are. */
function addLonger(contents: Content[], shorter: Level, length: number, minPeople: number, phrases: Phrase[]): Level {
  const found = new Map<string, { conversations: Set<string>; people: Set<string>; parts: number[] }>();
  const keys = contents.map(({ message, places }, i) =>
    places.map((place, at) => {
      const [left, right] = [shorter[i]?.[at], shorter[i]?.[at + 1]];
      if (left === undefined || right === undefined) return undefined;
      if (length === 2 && (places[at + 1] as number) - place > MAX_GAP) return undefined;
      const key = `${left} ${right}`;
      const entry = found.get(key) ?? {
        conversations: new Set(),
        people: new Set(),
        parts: length === 2 ? [] : [left, right],
      };
      entry.conversations.add(message.conversationId);
      entry.people.add(message.person);
      found.set(key, entry);
      return key;
    }),
  );
  const numbers = new Map<string, number>();
  for (const [key, { conversations, people, parts }] of found) {
    if (conversations.size < 2 || people.size < minPeople) continue;
    numbers.set(key, phrases.length);
    phrases.push({ length, parts, conversations: conversations.size, people: people.size });
  }
  return keys.map((own) => own.map((key) => (key === undefined ? undefined : numbers.get(key))));
}

/** The most frequent form of a phrase, with the words between; of several, the shortest. */
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
