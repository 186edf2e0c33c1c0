import { findWalks, type Layouts } from "#server/auth/password/keyboards.ts";
import type { Piece, PieceKind } from "#server/auth/password/pieces.ts";

// Estimates how many guesses an attacker needs who tries likely passwords first. The method is that of zxcvbn (D.
// Wheeler, USENIX Security 2016): the cheapest way to compose the password from words, keys in a row, sequences,
// repetitions, dates and other characters.

/** Finds a word in lower case: what it is, and how early it is guessed. */
export type Words = { get: (word: string) => { kind: PieceKind; rank: number } | undefined };
export type Sources = { words: Words; layouts: Layouts };
/** The base-10 logarithm of the guesses, and the pieces of the cheapest composition. */
export type Estimate = { log: number; pieces: Piece[] };

/** The number of characters that are examined; further ones can only make a password better. */
const MAX_CHARS = 64;
const MAX_WORD_CHARS = 40;
const MIN_WORD_CHARS = 3;
/** Guesses for each character without a pattern, as in zxcvbn: people do not choose them at random. */
const OTHER_GUESSES = 10;
/** The same for a letter of a run that may be a word of a language without a list: 400,000 guesses for 8 letters. */
const LETTER_GUESSES = 5;
const WORDLIKE = /\p{Lu}?\p{Ll}{5,}|\p{Lu}{5,}|\p{Lo}{5,}/gu;

export function estimate(password: string, sources: Sources): Estimate {
  const text = password.normalize("NFKC").slice(0, MAX_CHARS);
  return cheapest(text, findPieces(text, sources));
}

function findPieces(text: string, sources: Sources): Piece[] {
  const lower = text.toLowerCase();
  // The lower-case form of some letters has another length.
  const plain = lower.length === text.length ? lower : text;
  return [
    ...findWords(text, plain, sources.words),
    ...findWalks(plain, sources.layouts),
    ...findSequences(plain),
    ...findRepeats(plain, sources),
    ...findDates(plain),
    ...findShuffles(plain, sources),
  ];
}

/** A sequence of pieces up to a character: its last piece, and the sequence before it. */
type Row = { log: number; last: Piece; before: Row | null };

/** The cheapest sequence of pieces. `n` pieces have `n!` orders. */
function cheapest(text: string, pieces: Piece[]): Estimate {
  const guesses = Array.from({ length: text.length }, () => OTHER_GUESSES);
  for (const { index, 0: run } of text.matchAll(WORDLIKE)) guesses.fill(LETTER_GUESSES, index, index + run.length);
  const ending = Map.groupBy(pieces, ({ to }) => to);
  /** For each end: the best sequence for each number of pieces. */
  const best: Map<number, Row>[] = [];
  for (let to = 1; to <= text.length; to++) {
    const rows = new Map<number, Row>();
    const add = (count: number, log: number, last: Piece, before: Row | null) => {
      if (log < (rows.get(count)?.log ?? Number.POSITIVE_INFINITY)) rows.set(count, { log, last, before });
    };
    const extend = (piece: Piece) => {
      const log = Math.log10(piece.guesses);
      if (piece.from === 0) return add(1, log, piece, null);
      for (const [count, row] of best[piece.from] as Map<number, Row>) {
        const { last } = row;
        // Characters without a pattern form one piece with those before them.
        if (piece.kind === "other" && last.kind === "other") add(count, row.log + log, { ...last, to }, row.before);
        else add(count + 1, row.log + log, piece, row);
      }
    };
    for (const piece of ending.get(to) ?? []) extend(piece);
    extend({ kind: "other", from: to - 1, to, guesses: guesses[to - 1] as number });
    best[to] = rows;
  }
  const [first, ...others] = [...(best[text.length] as Map<number, Row>)].map(([count, row]) => ({
    log: row.log + logFactorial(count),
    row,
  })) as [{ log: number; row: Row }, ...{ log: number; row: Row }[]];
  const { log, row } = others.reduce((least, one) => (one.log < least.log ? one : least), first);
  return { log, pieces: piecesOf(row) };
}

const piecesOf = (row: Row | null): Piece[] => (row ? [...piecesOf(row.before), row.last] : []);

const logFactorial = (n: number): number => (n <= 1 ? 0 : Math.log10(n) + logFactorial(n - 1));

const LEET: Record<string, string> = { 0: "o", 3: "e", 4: "a", 5: "s", 7: "t", 8: "b", "@": "a", $: "s", "+": "t" };
const unleet = (text: string, one: "i" | "l") =>
  text.replace(/[1!|]/g, one).replace(/[034578@$+]/g, (sign) => LEET[sign] as string);
const MAX_LEET_SIGNS = 6;

/** Words of the lists, also backwards, with capitals, and with digits and symbols for letters. */
function findWords(text: string, lower: string, words: Words): Piece[] {
  const pieces: Piece[] = [];
  const spellings = [lower, unleet(lower, "i"), unleet(lower, "l")];
  for (let from = 0; from < text.length; from++)
    for (let to = from + MIN_WORD_CHARS; to <= Math.min(text.length, from + MAX_WORD_CHARS); to++) {
      const capitals = capitalVariations(text.slice(from, to));
      for (const [at, spelling] of spellings.entries()) {
        const part = spelling.slice(from, to);
        if (at > 0 && part === lower.slice(from, to)) continue;
        const forwards = words.get(part);
        const backwards = words.get(reverse(part));
        const signs = at > 0 ? 2 ** Math.min(MAX_LEET_SIGNS, difference(part, lower.slice(from, to))) : 1;
        if (forwards) pieces.push({ kind: forwards.kind, from, to, guesses: forwards.rank * capitals * signs });
        if (backwards) pieces.push({ kind: backwards.kind, from, to, guesses: backwards.rank * 2 * capitals * signs });
      }
    }
  return pieces;
}

const reverse = (text: string) => [...text].toReversed().join("");
const difference = (a: string, b: string) => [...a].filter((char, at) => char !== b[at]).length;

/** How many ways to write a word with this many capitals are tried. One at an end, or only capitals, are usual. */
function capitalVariations(word: string) {
  const capitals = word.replace(/\P{Lu}/gu, "").length;
  if (capitals === 0) return 1;
  if (/^\P{Ll}+$/u.test(word) || (capitals === 1 && /^\p{Lu}|\p{Lu}$/u.test(word))) return 2;
  return 2 ** Math.min(capitals, 8) * word.length;
}

const MIN_SEQUENCE = 3;
const MAX_STEP = 2;
/** Letters and digits in the order of their codes, up or down: `abcdef`, `97531`. */
function findSequences(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (let from = 0; from < text.length - 1; from++) {
    const step = text.charCodeAt(from + 1) - text.charCodeAt(from);
    if (step === 0 || Math.abs(step) > MAX_STEP) continue;
    for (let to = from + 2; to <= text.length; to++) {
      if (text.charCodeAt(to - 1) - text.charCodeAt(to - 2) !== step) break;
      const starts = /\d/.test(text[from] as string) ? 10 : 26;
      const length = to - from;
      if (length >= MIN_SEQUENCE)
        pieces.push({ kind: "sequence", from, to, guesses: starts * length * Math.abs(step) * (step < 0 ? 2 : 1) });
    }
  }
  return pieces;
}

/** The same characters twice or more: `abcabc`, `aaaa`. */
function findRepeats(text: string, sources: Sources): Piece[] {
  const pieces: Piece[] = [];
  const logs = new Map<string, number>();
  for (let from = 0; from < text.length - 1; from++)
    for (let size = 1; size <= (text.length - from) / 2; size++) {
      const block = text.slice(from, from + size);
      let to = from + size;
      while (text.startsWith(block, to)) to += size;
      const times = (to - from) / size;
      if (times < 2 || to - from < MIN_SEQUENCE) continue;
      const log = logs.get(block) ?? logOfBlock(block, sources);
      logs.set(block, log);
      pieces.push({ kind: "repeat", from, to, guesses: 10 ** log * times });
    }
  return pieces;
}

/** A block is searched for other patterns, but not again for repetitions. */
const logOfBlock = (block: string, { words, layouts }: Sources) =>
  cheapest(block, [...findWords(block, block, words), ...findSequences(block), ...findWalks(block, layouts)]).log;

const YEAR_GUESSES = 30;
const DAY_GUESSES = 365 * 100;
/** Years of the last and this century, and dates with or without separators. */
function findDates(text: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (pattern: RegExp, guesses: number) => {
    for (let from = 0; from < text.length; from++) {
      pattern.lastIndex = from;
      const [match] = pattern.exec(text) ?? [];
      if (match) pieces.push({ kind: "date", from, to: from + match.length, guesses });
    }
  };
  add(/(?:19|20)\d\d/y, YEAR_GUESSES);
  add(/(?:0?[1-9]|[12]\d|3[01])[-./ ]?(?:0?[1-9]|1[0-2])[-./ ]?(?:(?:19|20)?\d\d)/y, DAY_GUESSES);
  add(/(?:19|20)\d\d[-./ ]?(?:0?[1-9]|1[0-2])[-./ ]?(?:0?[1-9]|[12]\d|3[01])/y, DAY_GUESSES);
  return pieces;
}

/** Two rows of keys or two sequences, alternating: `1q2w3e4r`, `a1b2c3d4`. */
function findShuffles(text: string, { layouts }: Sources): Piece[] {
  const [even, odd] = [0, 1].map((rest) => [...text].filter((_, at) => at % 2 === rest).join("")) as [string, string];
  if (odd.length < MIN_SEQUENCE) return [];
  const patterns = [even, odd].map((half) => cheapest(half, [...findWalks(half, layouts), ...findSequences(half)]));
  if (patterns.some(({ pieces }) => pieces.length > 1 || pieces[0]?.kind === "other")) return [];
  const log = patterns.reduce((sum, { log: one }) => sum + one, 0);
  return [{ kind: "keyboard", from: 0, to: text.length, guesses: 10 ** log }];
}
