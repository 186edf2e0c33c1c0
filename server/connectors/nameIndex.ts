import { UNSPACED_SCRIPTS } from "#shared/core/sentences.ts";

// Finds the names of people in a text.

/** Words, and the escaped line breaks of JSON, which are not part of a word. */
const WORD = /\\[nrtbf]|[\p{L}\p{M}\p{N}]+/gu;
/** In Korean, particles follow names without a space. */
const UNSPACED = new RegExp(String.raw`[${UNSPACED_SCRIPTS}\p{Script=Hangul}]`, "u");
/** Between the parts of a name. */
const GAP = /^(?:[\s.,'’-]|\\[nrt]){1,4}$/;
/** Particles shared by many names, which identify nobody on their own. */
const PARTICLES = new Set("al bin da de del della den der di dos du el la le ten ter van von zu zur".split(" "));

const fold = (word: string) => word.normalize("NFC").toLowerCase();
const wordsOf = (text: string) => text.match(WORD) ?? [];

/** Number of occurrences of each value. */
type Counts<T> = Map<T, number>;
/**
 * The indexes by which names are found, with the number of people for each entry, so that names can be removed again.
 */
export type Names = {
  /** Whole names in lower case, as written and with the last part first. */
  whole: Counts<string>;
  /** Numbers of words of the whole names, by first word. */
  lengths: Map<string, Counts<number>>;
  /** Single parts of names, as written in the account. */
  parts: Map<string, Counts<string>>;
  /** Names in scripts without spaces between words, and their lengths. */
  unspaced: Counts<string>;
  unspacedLengths: Counts<number>;
};

const standsAlone = (word: string) => [...word].length > 1 && !PARTICLES.has(word);

function count<T>(counts: Counts<T>, key: T, by: number) {
  const now = (counts.get(key) ?? 0) + by;
  if (now > 0) counts.set(key, now);
  else counts.delete(key);
}
function countIn<T>(lists: Map<string, Counts<T>>, list: string, key: T, by: number) {
  const counts = lists.get(list) ?? new Map<T, number>();
  count(counts, key, by);
  if (counts.size > 0) lists.set(list, counts);
  else lists.delete(list);
}

export const createNames = (): Names => ({
  whole: new Map(),
  lengths: new Map(),
  parts: new Map(),
  unspaced: new Map(),
  unspacedLengths: new Map(),
});

function countName({ whole, lengths, parts, unspaced, unspacedLengths }: Names, name: string, by: 1 | -1) {
  const words = wordsOf(name);
  if (UNSPACED.test(name))
    for (const word of words.filter((one) => [...one].length > 1).map((one) => one.normalize("NFC"))) {
      count(unspaced, word, by);
      count(unspacedLengths, word.length, by);
    }
  const folded = words.map(fold);
  if (folded.length > 1)
    for (const order of [folded, [...folded.slice(-1), ...folded.slice(0, -1)]]) {
      count(whole, order.join(" "), by);
      countIn(lengths, order[0] as string, order.length, by);
    }
  for (const [at, word] of words.entries())
    if (standsAlone(folded[at] as string) || words.length === 1)
      countIn(parts, folded[at] as string, word.normalize("NFC"), by);
}
export const addName = (names: Names, name: string) => countName(names, name, 1);
/** Removes a name. */
export const removeName = (names: Names, name: string) => countName(names, name, -1);

export function indexNames(list: Iterable<string>): Names {
  const names = createNames();
  for (const name of list) addName(names, name);
  return names;
}

/** The names to find: all of them, and those of the writer. */
type Wanted = { own: Names; all: Names[] };

/** Whether a word is part of a name: as written there, in capitals, or, for the writer's own name, in any case. */
function isPart({ own, all }: Wanted, word: string, isOwnText: boolean) {
  const folded = fold(word);
  if (isOwnText && own.parts.has(folded) && [...folded].length > 2 && standsAlone(folded)) return true;
  const text = word.normalize("NFC");
  return all.some(({ parts }) =>
    parts
      .get(folded)
      ?.keys()
      .some((form) => {
        const [first = "", ...rest] = form;
        return text === form || text === form.toUpperCase() || text === first.toUpperCase() + rest.join("");
      }),
  );
}

/** Calls `onName` with the start and end offsets of every name in a text. */
export function findNames(
  nameSet: Wanted,
  text: string,
  isOwnText: boolean,
  onName: (from: number, to: number) => void,
) {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word,
    folded: fold(word),
    from: index,
    to: index + word.length,
  }));
  /** The number of words of the longest whole name that starts at a word, and whether a genitive s follows it. */
  function findWhole(at: number) {
    const { folded } = words[at] as (typeof words)[number];
    let best = { length: 0, hasGenitive: false };
    for (const { whole, lengths } of nameSet.all)
      for (const length of lengths.get(folded)?.keys() ?? []) {
        const part = words.slice(at, at + length);
        if (length <= best.length || part.length < length) continue;
        if (part.some(({ from }, step) => step > 0 && !GAP.test(text.slice(part[step - 1]?.to, from)))) continue;
        const order = part.map((one) => one.folded).join(" ");
        if (whole.has(order)) best = { length, hasGenitive: false };
        else if (order.endsWith("s") && whole.has(order.slice(0, -1))) best = { length, hasGenitive: true };
      }
    return best;
  }
  for (let at = 0; at < words.length; at++) {
    const { word, from, to } = words[at] as (typeof words)[number];
    const { length, hasGenitive } = findWhole(at);
    if (length > 0) {
      const last = words[at + length - 1] as (typeof words)[number];
      onName(from, hasGenitive ? last.to - 1 : last.to);
      at += length - 1;
    } else if (isPart(nameSet, word, isOwnText)) onName(from, to);
    else if (/s$/i.test(word) && isPart(nameSet, word.slice(0, -1), isOwnText)) onName(from, to - 1);
    else if (UNSPACED.test(word))
      for (const [first, end] of findUnspaced(nameSet.all, word)) onName(from + first, from + end);
  }
}

/** The non-overlapping names within a word, in order; of several that start at one place, the longest. */
function findUnspaced(all: Names[], word: string) {
  const places: [from: number, to: number][] = [];
  const lists = all.map(({ unspaced, unspacedLengths }) => ({
    unspaced,
    lengths: [...unspacedLengths.keys()].toSorted((a, b) => b - a),
  }));
  for (let from = 0; from < word.length;) {
    const ends = lists.map(({ unspaced, lengths }) => {
      const length = lengths.find((one) => from + one <= word.length && unspaced.has(word.slice(from, from + one)));
      return from + (length ?? 0);
    });
    const to = Math.max(from, ...ends);
    if (to > from) places.push([from, to]);
    from = to > from ? to : from + 1;
  }
  return places;
}
