import { fold, listForms, reduce, reverseWord } from "#web/shell/recording/textForms.ts";
import { FormIndex, isWithinWord } from "#web/shell/recording/formIndex.ts";
import { findHosts, findSpelled } from "#web/shell/recording/textSpans.ts";

/** Shorter texts are masked only while they are in their field. */
const MIN_CHARS = 3;
/** Names are masked from two characters on. */
const MIN_NAME_CHARS = 2;
/** Values of at least this many letters and digits are also masked within words. */
const MIN_WITHIN_CHARS = 8;
/** Longer values are masked by their words only, in characters. */
const MAX_VALUE_CHARS = 200;
const MAX_VALUES = 300;
const MAX_RUNS = 200;
const MAX_WORDS = 20_000;
const WORDS = /[\p{L}\p{N}]+/gu;
const NEXT_WORD = /[\p{L}\p{N}]+/gu;
/** Number of masked texts that are cached for the next time they are shown. */
const MAX_CACHED = 2000;
const MAX_CACHED_CHARS = 500;

export type MaskedTexts = ReturnType<typeof createMaskedTexts>;
const stars = (text: string) => "*".repeat(text.length);
const isTooLong = (text: string) => text.trim().length > MAX_VALUE_CHARS;

/**
 * The texts that a recording must not show: what the learner typed, answers, and names. Values and simple
 * transformations of them (textForms.ts) are masked as whole words, long ones also within words; so is each of their
 * words. In the host of a URL only whole values are masked. Texts that are too short are masked only while they are in
 * their field.
 */
export function createMaskedTexts(names: string[]) {
  /** Words of typed texts and names, folded. */
  const words = new Set<string>();
  /** Values that are complete, with their forms, oldest first: names, texts of fields, runs of keys, answers. */
  const kept = new Map<string, string[]>();
  const typed = new Map<string, string[]>();
  const runs = new Map<string, string[]>();
  const answers = new Map<string, { forms: string[]; words: string[] }>();
  /** The current content of each field. */
  const current = new Map<object, { text: string; forms: string[] }>();
  /** Texts that authors offer as choices: their own, not the learner's. */
  const offered = new Set<string>();
  /** Typed texts without any letter or digit. */
  const symbols = new Set<string>();
  const runField = {};
  /** The limit of stored words is reached: from then on every text is masked. */
  let isFull = false;
  let run = "";
  let index: FormIndex | null = null;
  let answerWords = new Set<string>();
  let cache = new Map<string, string>();

  const change = () => {
    index = null;
    cache = new Map();
  };
  const addWords = (text: string, min: number) => {
    for (const word of listWords(text, min)) {
      if (words.has(word)) continue;
      if (words.size < MAX_WORDS) words.add(word);
      else isFull = true;
      cache = new Map();
    }
  };
  /** Punctuation occurs in every text. */
  const addSymbols = (value: string) => {
    if (/^[\0-\x7f]*$/.test(value) || reduce(value) !== "") return;
    symbols.add(value);
    if (symbols.size > MAX_VALUES) symbols.delete(symbols.values().next().value as string);
  };
  const addValue = (text: string, store = typed, max = MAX_VALUES) => {
    const value = text.trim();
    if (value.length < MIN_CHARS || isTooLong(value) || store.has(value)) return;
    addSymbols(value);
    store.set(value, listForms(value));
    if (store.size > max) store.delete(store.keys().next().value as string);
    change();
  };
  const buildIndex = () => {
    const built = new FormIndex();
    const chosen = [...answers].filter(([text]) => !offered.has(reduce(text))).map(([, one]) => one);
    answerWords = new Set(chosen.flatMap((one) => one.words));
    const stored = [kept, typed, runs].flatMap((store) => [...store.values()]);
    const held = [...current.values(), ...chosen].map(({ forms }) => forms);
    for (const form of new Set([...stored, ...held].flat())) built.add(form);
    return built;
  };
  const isWord = (word: string) => words.has(word) || answerWords.has(word);

  const scan = (text: string, withWords: boolean) => {
    index ??= buildIndex();
    if (index.size === 0 && words.size === 0 && answerWords.size === 0) return text;
    const folded = fold(text);
    const hosts = findHosts(folded);
    const isInHost = (at: number, end: number) => hosts.some(([from, to]) => at >= from && end <= to);
    let [result, copied] = ["", 0];
    const hide = (at: number, end: number) => {
      result += text.slice(copied, at) + stars(text.slice(at, end));
      copied = end;
    };
    for (let at = 0; at < folded.length; at++) {
      const starts = !isWithinWord(folded, at);
      const end = index.find(folded, at, (form, found) => {
        if (isInHost(at, found) && !form.includes(" ") && !isLongHostLabel(folded, at, found)) return false;
        return form.length >= MIN_WITHIN_CHARS || (starts && !isWithinWord(folded, found));
      });
      if (end > at) {
        hide(at, end);
        at = end - 1;
      } else if (withWords && starts) {
        NEXT_WORD.lastIndex = at;
        const nextWord = NEXT_WORD.exec(folded);
        if (!nextWord) break;
        // No other match can start before the next word or, in a script without spaces, within it.
        if (nextWord.index > at) at = nextWord.index - 1;
        else if (isWord(nextWord[0]) && !isInHost(at, at + nextWord[0].length)) {
          hide(at, at + nextWord[0].length);
          at += nextWord[0].length - 1;
        }
      }
    }
    return result + text.slice(copied);
  };
  const maskSpelled = (text: string) => {
    index ??= buildIndex();
    const found = index;
    return findSpelled(text, (letters, at) => {
      const whole = found.find(letters, at, (form) => form.length >= MIN_CHARS);
      return whole > at ? whole : longestWord(letters, at);
    });
  };
  const longestWord = (letters: string, at: number) => {
    for (let end = Math.min(letters.length, at + 40); end >= at + MIN_CHARS; end--)
      if (isWord(letters.slice(at, end))) return end;
    return -1;
  };
  const maskSymbols = (text: string) => {
    for (const one of symbols) text = text.replaceAll(one, stars);
    return text;
  };

  /** Hides the content of a field, and continues to hide its earlier content after it was emptied or replaced. */
  const setCurrent = (field: object, text: string) => {
    const before = current.get(field)?.text ?? "";
    if (before === text) return;
    if (before && !text.startsWith(before) && field !== runField) addValue(before);
    if (current.size > MAX_VALUES) for (const [, one] of current) addValue(one.text);
    if (current.size > MAX_VALUES) current.clear();
    const value = text.trim();
    const forms = value.length < MIN_CHARS ? [reduce(value)].filter(Boolean) : listForms(value);
    current.set(field, { text, forms: isTooLong(value) ? [] : forms });
    addWords(text, MIN_CHARS);
    change();
  };
  for (const name of names) {
    addValue(name, kept);
    // The host of an email address is not specific to the learner: "com" is part of many texts.
    addWords(name.includes("@") ? name.slice(0, name.indexOf("@")) : name, MIN_NAME_CHARS);
  }
  return {
    /** Hides a text that is complete: an answer, or a value from an earlier session. */
    hide(text: string) {
      const value = text.trim();
      if (value.length < MIN_CHARS || answers.has(value)) return;
      answers.set(value, { forms: isTooLong(value) ? [] : listForms(value), words: listWords(value, MIN_CHARS) });
      addSymbols(value);
      if (answers.size > MAX_VALUES) answers.delete(answers.keys().next().value as string);
      change();
    },
    /**
     * Registers a text that is offered as a choice on the page. Answers that are equal to it are not hidden; typed
     * texts still are.
     */
    offer(text: string) {
      if (text.length > MAX_VALUE_CHARS || offered.size >= MAX_WORDS) return;
      const choice = reduce(text);
      if (choice === "" || offered.has(choice)) return;
      offered.add(choice);
      if (answers.size > 0) change();
    },
    setCurrent,
    /** Hides the keys of an unfinished run, together and one by one. */
    setRun(text: string) {
      run = text;
      if (text.length >= MIN_CHARS) setCurrent(runField, text);
      else if (current.delete(runField)) change();
      if (text.length < MIN_CHARS) cache = new Map();
    },
    /** Continues to hide a run of keys that has ended. */
    endRun(text: string) {
      run = "";
      current.delete(runField);
      change();
      addValue(text, runs, MAX_RUNS);
      addWords(text, MIN_CHARS);
    },
    /** Masks only values: for names of elements, which would break if ordinary words were masked. */
    maskValues: (text: string) => maskSymbols(scan(text, false)),
    mask(text: string) {
      if (isFull) return stars(text);
      const known = cache.get(text);
      if (known !== undefined) return known;
      if (run && text.length <= 4 && isOfRun(text, run)) return stars(text);
      const masked = maskSymbols(maskSpelled(scan(text.normalize("NFC"), true)));
      if (cache.size >= MAX_CACHED) cache.clear();
      if (text.length <= MAX_CACHED_CHARS) cache.set(text, masked);
      return masked;
    },
  };
}

/** True for a single letter of the current run: some pages show keys one by one. */
const isOfRun = (text: string, run: string) => [...text.trim()].length === 1 && fold(run).includes(fold(text.trim()));

/** The words of a text, folded, also backwards. */
const listWords = (text: string, min: number) =>
  (fold(text.normalize("NFC")).match(WORDS) ?? [])
    .filter(({ length }) => length >= min)
    .flatMap((word) => [word, ...[reverseWord(word) ?? []].flat()]);

/** True for a label of a host that may be a value as a whole: neither `www` nor a top-level domain. */
const isLongHostLabel = (text: string, at: number, end: number) =>
  text.charAt(end) === "." && text.slice(at, end) !== "www";
