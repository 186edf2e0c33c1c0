import type { TextWord } from "#server/analysis/readWords.ts";
import { createBreather } from "#server/core/breather.ts";

/** The most content words of a phrase. */
const MAX_WORDS = 8;
/** The greatest distance between content words of a phrase, in words: at most one other word is between them. */
const MAX_GAP = 2;
/** The greatest distance between two words that form a pair in any order: “reset the password”, “password reset”. */
const MAX_PAIR_GAP = 5;

export type Said = { conversationId: string; person: string; words: TextWord[] };
/** One word, a pair, or a phrase of more words, with the conversations and people that have it. */
export type Phrase = {
  /** Those of a pair are sorted. */
  stems: string[];
  /** Whether all of its words are about any subject. */
  isCommon: boolean;
  /** The numbers of the two phrases that are one word shorter. */
  parts: number[];
  conversations: Set<string>;
  people: Set<string>;
};
type Limits = { minPeople: number; minConversations: number };

/** A message with its content words and their places. */
type Content = { said: Said; words: TextWord[]; places: number[] };
/** The number of the phrase that starts at each content word of each message; undefined where none does. */
type Level = (number | undefined)[][];

function contentOf(said: Said): Content {
  const places = [...said.words.keys()].filter((at) => said.words[at]!.isContent);
  return { said, places, words: places.map((at) => said.words[at]!) };
}
/** The content words that form a pair with the one at a place: those after it and near it. */
function pairedWith({ places, words }: Content, at: number) {
  const paired: number[] = [];
  for (let next = at + 1; next < places.length && places[next]! - places[at]! <= MAX_PAIR_GAP; next++)
    if (words[next]!.stem !== words[at]!.stem) paired.push(next);
  return paired;
}
const pairOf = (one: string, other: string) => (one < other ? `${one} ${other}` : `${other} ${one}`);

/** What is said in messages, by the stems of the content words: “swap a shift” equals “swapping shifts”. */
export async function countPhrases(messages: Said[], limits: Limits) {
  const contents = messages.map(contentOf);
  const phrases: Phrase[] = [];
  const levels: Level[] = [];
  for (let length = 1; length <= MAX_WORDS; length++) {
    const before = phrases.length;
    levels.push(await addLonger(contents, levels.at(-1), length, { limits, phrases }));
    if (phrases.length === before) break;
  }
  return {
    phrases,
    /** The most frequent wording of a phrase, with the words between; the shortest, if several are as frequent. */
    wordingOf: (number: number) => {
      const { stems } = phrases[number]!;
      return stems.length === 2 ? pairForm(contents, stems) : commonForm(contents, levels, number, stems.length);
    },
  };
}

type Found = { limits: Limits; phrases: Phrase[] };
/** Adds the phrases of one length. Only those with two frequent parts can be frequent (Apriori). */
async function addLonger(
  contents: Content[],
  shorter: Level | undefined,
  length: number,
  { limits, phrases }: Found,
): Promise<Level> {
  const breathe = createBreather();
  const candidates = new Map<string, Phrase>();
  const add = ({ said, words }: Content, places: number[], key: string, parts: number[]) => {
    let phrase = candidates.get(key);
    if (!phrase) {
      const own = places.map((at) => words[at]!);
      const stems = own.map(({ stem }) => stem);
      phrase = {
        stems: length === 2 ? stems.toSorted() : stems,
        isCommon: own.every(({ text, isCommon }) => isCommon || !/\p{L}/u.test(text)),
        parts,
        conversations: new Set(),
        people: new Set(),
      };
      candidates.set(key, phrase);
    }
    phrase.conversations.add(said.conversationId);
    phrase.people.add(said.person);
    return key;
  };
  const addPair = (content: Content, numbers: Level[number], at: number, next: number) => {
    const parts = [numbers[at], numbers[next]];
    if (!areAllDefined(parts)) return undefined;
    return add(content, [at, next], pairOf(content.words[at]!.stem, content.words[next]!.stem), parts);
  };
  const keysIn = (content: Content, i: number) => {
    const { places, words } = content;
    const numbers = shorter?.[i] ?? [];
    return places.map((place, at) => {
      if (length === 1) return add(content, [at], words[at]!.stem, []);
      if (length === 2) {
        const [next, ...others] = pairedWith(content, at);
        for (const other of others) addPair(content, numbers, at, other);
        const key = next === undefined ? undefined : addPair(content, numbers, at, next);
        // Longer phrases consist of neighbours.
        return next === at + 1 && places[next]! - place <= MAX_GAP ? key : undefined;
      }
      const parts = [numbers[at], numbers[at + 1]];
      if (!areAllDefined(parts)) return undefined;
      const own = [...Array(length).keys()].map((n) => at + n);
      const isRepeated = new Set(own.map((one) => words[one]!.stem)).size < length;
      return isRepeated ? undefined : add(content, own, parts.join(" "), parts);
    });
  };
  const keys: (string | undefined)[][] = [];
  for (const [i, content] of contents.entries()) {
    await breathe();
    keys.push(keysIn(content, i));
  }
  const added = new Map<string, number>();
  for (const [key, phrase] of candidates)
    if (phrase.conversations.size >= limits.minConversations && phrase.people.size >= limits.minPeople) {
      const number = phrases.push(phrase) - 1;
      added.set(key, number);
    }
  return keys.map((ofMessage) => ofMessage.map((key) => (key === undefined ? undefined : added.get(key))));
}

const areAllDefined = (parts: (number | undefined)[]): parts is number[] => !parts.includes(undefined);

const textOf = (words: TextWord[]) => words.map(({ text }) => text).join(" ");
function mostFrequent(forms: string[]) {
  const times = new Map<string, number>();
  for (const form of forms) times.set(form, (times.get(form) ?? 0) + 1);
  const [best] = [...times].toSorted(
    ([a, timesA], [b, timesB]) => timesB - timesA || a.length - b.length || a.localeCompare(b),
  );
  return best?.[0] ?? "";
}

function commonForm(contents: Content[], levels: Level[], number: number, length: number) {
  const forms = (levels[length - 1] ?? []).flatMap((ofMessage, i) =>
    ofMessage.flatMap((phrase, at) => {
      const { said, places } = contents[i]!;
      return phrase === number ? textOf(said.words.slice(places[at], places[at + length - 1]! + 1)) : [];
    }),
  );
  return mostFrequent(forms);
}

/** The wording of a pair as one phrase or, if its words never stand together, the two with dots between. */
function pairForm(contents: Content[], stems: string[]) {
  const together: string[] = [];
  const apart: string[] = [];
  for (const content of contents) {
    const { said, places, words } = content;
    for (const at of places.keys()) {
      if (!stems.includes(words[at]!.stem)) continue;
      for (const next of pairedWith(content, at)) {
        if (!stems.includes(words[next]!.stem)) continue;
        if (places[next]! - places[at]! <= MAX_GAP)
          together.push(textOf(said.words.slice(places[at], places[next]! + 1)));
        else apart.push(`${words[at]!.text} … ${words[next]!.text}`);
      }
    }
  }
  return mostFrequent(together.length > 1 ? together : apart);
}

/** In how many conversations each phrase occurs; `keys` are the stems of the phrases joined by spaces. */
export async function countElsewhere(messages: Said[], keys: Set<string>) {
  let longest = 1;
  for (const key of keys) longest = Math.max(longest, key.split(" ").length);
  const found = new Map<string, Set<string>>();
  const count = (key: string, id: string) => {
    if (keys.has(key)) found.set(key, (found.get(key) ?? new Set()).add(id));
  };
  const breathe = createBreather();
  for (const said of messages) {
    await breathe();
    const content = contentOf(said);
    const { places, words } = content;
    for (const at of places.keys()) {
      count(words[at]!.stem, said.conversationId);
      for (const next of pairedWith(content, at))
        count(pairOf(words[at]!.stem, words[next]!.stem), said.conversationId);
      let key = words[at]!.stem;
      for (let length = 2; length <= longest && at + length <= places.length; length++) {
        if (places[at + length - 1]! - places[at + length - 2]! > MAX_GAP) break;
        key += ` ${words[at + length - 1]!.stem}`;
        if (length > 2) count(key, said.conversationId);
      }
    }
  }
  return new Map([...found].map(([key, conversations]) => [key, conversations.size]));
}
