import { UNSPACED_SCRIPTS } from "#shared/scripts.ts";

// Where the names of people stand in a text.

/** Words, and what stands for a line break in JSON, which is not part of a word. */
const WORD = /\\[nrtbf]|[\p{L}\p{M}\p{N}]+/gu;
/** In Korean, particles follow names without a space. */
const UNSPACED = new RegExp(String.raw`[${UNSPACED_SCRIPTS}\p{Script=Hangul}]`, "u");
/** Between the parts of a name. */
const GAP = /^(?:[\s.,'’-]|\\[nrt]){1,4}$/;
/** Parts that many names share and that say nothing alone. */
const PARTICLES = new Set("al bin da de del della den der di dos du el la le ten ter van von zu zur".split(" "));

const fold = (word: string) => word.normalize("NFC").toLowerCase();
const wordsOf = (text: string) => text.match(WORD) ?? [];
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Names by what they are found by. */
export type Names = {
  /** Whole names by their first word, as they are written and with the last part first; the longest come first. */
  whole: Map<string, string[][]>;
  /** Single parts of names as they are written in the account. */
  parts: Map<string, Set<string>>;
  /** Names in scripts without spaces between words; null if there are none. */
  unspaced: RegExp | null;
};

const standsAlone = (word: string) => [...word].length > 1 && !PARTICLES.has(word);
const byLength = (a: { length: number }, b: { length: number }) => b.length - a.length;

export function indexNames(names: Iterable<string>): Names {
  const whole: Names["whole"] = new Map();
  const parts: Names["parts"] = new Map();
  const unspaced = new Set<string>();
  const addTo = <K, V>(lists: Map<K, V[]>, key: K, value: V) => {
    const list = lists.get(key);
    if (list) list.push(value);
    else lists.set(key, [value]);
  };
  for (const name of new Set(names)) {
    const words = wordsOf(name);
    if (UNSPACED.test(name)) for (const word of words) if ([...word].length > 1) unspaced.add(word.normalize("NFC"));
    const folded = words.map(fold);
    if (folded.length > 1)
      for (const order of [folded, [...folded.slice(-1), ...folded.slice(0, -1)]])
        addTo(whole, order[0] as string, order);
    for (const word of words)
      if (standsAlone(fold(word)) || words.length === 1)
        parts.set(fold(word), (parts.get(fold(word)) ?? new Set()).add(word.normalize("NFC")));
  }
  for (const orders of whole.values()) orders.sort(byLength);
  const longest = [...unspaced].toSorted(byLength).map(escape);
  return { whole, parts, unspaced: longest.length > 0 ? new RegExp(longest.join("|"), "gu") : null };
}

/** The names to find: all of them, and among them those of the person who writes. */
type Wanted = { own: Names; all: Names[] };

/** Whether a word is a part of a name: as it is written there, in capitals, or, where people write about themselves, in any case. */
function isPart({ own, all }: Wanted, word: string, isOwnText: boolean) {
  const folded = fold(word);
  if (isOwnText && own.parts.has(folded) && [...folded].length > 2 && standsAlone(folded)) return true;
  const text = word.normalize("NFC");
  return all.some(({ parts }) =>
    parts
      .get(folded)
      ?.values()
      .some((form) => {
        const [first = "", ...rest] = form;
        return text === form || text === form.toUpperCase() || text === first.toUpperCase() + rest.join("");
      }),
  );
}

/** Calls `found` for every name in a text, from its first to behind its last character. */
export function findNames(wanted: Wanted, text: string, isOwnText: boolean, found: (from: number, to: number) => void) {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, from: index, to: index + word.length }));
  const fits = (order: string[], at: number) =>
    order.every((part, step) => {
      const [next, before] = [words[at + step], words[at + step - 1]];
      if (!next) return false;
      // A genitive s may follow the last part.
      const isSame = fold(next.word) === part || (step === order.length - 1 && fold(next.word) === `${part}s`);
      return isSame && (step === 0 || GAP.test(text.slice((before as typeof next).to, next.from)));
    });
  for (let at = 0; at < words.length; at++) {
    const { word, from, to } = words[at] as (typeof words)[number];
    const folded = fold(word);
    let order: string[] | undefined;
    for (const { whole } of wanted.all) {
      const fitting = whole.get(folded)?.find((one) => fits(one, at));
      if (fitting && fitting.length > (order?.length ?? 0)) order = fitting;
    }
    if (order) {
      const last = words[at + order.length - 1] as (typeof words)[number];
      found(from, fold(last.word) === order.at(-1) ? last.to : last.to - 1);
      at += order.length - 1;
    } else if (isPart(wanted, word, isOwnText)) found(from, to);
    else if (/s$/i.test(word) && isPart(wanted, word.slice(0, -1), isOwnText)) found(from, to - 1);
    else if (UNSPACED.test(word))
      for (const [first, end] of findUnspaced(wanted.all, word)) found(from + first, from + end);
  }
}

/** Where names are within a word, in order and apart from each other. */
function findUnspaced(all: Names[], word: string) {
  const places = all
    .flatMap(({ unspaced }) => (unspaced ? [...word.matchAll(unspaced)] : []))
    .map(({ 0: name, index }) => [index, index + name.length] as const)
    .toSorted((a, b) => a[0] - b[0] || b[1] - a[1]);
  let done = 0;
  return places.filter(([from, to]) => {
    if (from < done) return false;
    done = to;
    return true;
  });
}
