/** Shorter texts are not masked within words: they are part of too many others. */
const MIN_CHARS = 3;
/** Names are masked from two characters on, as whole words. */
const MIN_NAME_CHARS = 2;
/** Longer values are masked by their words only, in characters. */
const MAX_VALUE_CHARS = 200;
const MAX_VALUES = 300;
const MAX_WORDS = 20_000;
const WORD = /[\p{L}\p{N}]+/gu;
const NO_LETTER_BEFORE = "(?<![\\p{L}\\p{N}])";
const NO_LETTER_AFTER = "(?![\\p{L}\\p{N}])";
/** A text as a pattern with the flag `u`, which refuses other escapes. */
const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

export type HiddenTexts = ReturnType<typeof createHiddenTexts>;
const stars = (text: string) => "*".repeat(text.length);

/**
 * The texts that must not be seen in a recording: what the learner typed, answers, and names. A value is masked wherever it stands, also
 * within a word; each of its words, and what it was while it was typed, as a whole word. What is too short is masked while it stands in
 * its field.
 */
export function createHiddenTexts(names: string[]) {
  const words = new Set<string>();
  /** Values that are complete, in lower case, oldest first. */
  const values = new Set<string>();
  /** What stands in a field now. */
  const current = new Map<object, string>();
  let pattern: RegExp | null = null;

  const addWords = (text: string, min: number) => {
    for (const [word] of text.matchAll(WORD))
      if (word.length >= min && words.size < MAX_WORDS) words.add(word.toLowerCase());
  };
  const addValue = (text: string) => {
    const value = text.trim().toLowerCase();
    if (value.length < MIN_CHARS || value.length > MAX_VALUE_CHARS || values.has(value)) return;
    values.add(value);
    if (values.size > MAX_VALUES) values.delete(values.values().next().value as string);
    pattern = null;
  };
  const buildPattern = () => {
    const typed = [...current.values()].map((text) => text.trim().toLowerCase()).filter((text) => text !== "");
    const long = typed.filter(({ length }) => length >= MIN_CHARS && length <= MAX_VALUE_CHARS);
    const short = typed
      .filter(({ length }) => length < MIN_CHARS)
      .map((text) => `${NO_LETTER_BEFORE}${escape(text)}${NO_LETTER_AFTER}`);
    const longestFirst = [...values, ...long].toSorted((a, b) => b.length - a.length).map(escape);
    const parts = [...longestFirst, ...short];
    return new RegExp(parts.length > 0 ? parts.join("|") : "(?!)", "giu");
  };
  const maskValues = (text: string) => {
    pattern ??= buildPattern();
    return text.replace(pattern, stars);
  };
  for (const name of names) {
    addValue(name);
    addWords(name, MIN_NAME_CHARS);
  }
  return {
    /** Hides a text that is complete: an answer, or a value from an earlier session. */
    hide(text: string) {
      addValue(text);
      addWords(text, MIN_CHARS);
    },
    /** Hides what stands in a field, and goes on hiding what stood there when it was emptied or replaced. */
    setCurrent(field: object, text: string) {
      const before = current.get(field) ?? "";
      if (before === text) return;
      if (before && !text.startsWith(before)) addValue(before);
      if (current.size > MAX_VALUES) for (const [, typed] of current) addValue(typed);
      if (current.size > MAX_VALUES) current.clear();
      current.set(field, text);
      addWords(text, MIN_CHARS);
      pattern = null;
    },
    /** Masks values only: for names of elements, which ordinary words would break. */
    maskValues,
    mask: (text: string) =>
      maskValues(text).replace(WORD, (word) => (words.has(word.toLowerCase()) ? stars(word) : word)),
  };
}
