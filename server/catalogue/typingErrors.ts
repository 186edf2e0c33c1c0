import levenshtein from "damerau-levenshtein";

// Whether words are the same but for typing errors

/** Letters that have to be typed, left out, replaced or swapped with the next one to make one word of another. */
const countErrors = (typed: string, word: string) => levenshtein(typed, word).steps;

/** Errors that a word of this length may have. */
function allowedErrors(length: number) {
  if (length < 3) return 0;
  return length < 6 ? 1 : 2;
}
/** Longer words are compared by their beginning. */
const MAX_LETTERS = 40;

/** Words of a search that are compared; what is typed after them is not. */
const MAX_WORDS = 4;

/** The letters of a word that are not in another, each as often as it is there. */
function countMissingLetters(typed: string, word: string) {
  let [left, missing] = [word, 0];
  for (const letter of typed) {
    const at = left.indexOf(letter);
    if (at < 0) missing++;
    else left = left.slice(0, at) + left.slice(at + 1);
  }
  return missing;
}

/** The errors by which a typed word is another word or its beginning; null if they are too many. */
function compare(typed: string, word: string): number | null {
  const allowed = allowedErrors(typed.length);
  if (word.length < typed.length - allowed) return null;
  // Most words are told apart by their letters.
  if (countMissingLetters(typed, word.slice(0, typed.length + allowed)) > allowed) return null;
  const least = Math.min(
    word.length <= typed.length + allowed ? countErrors(typed, word) : Infinity,
    word.length > typed.length ? countErrors(typed, word.slice(0, typed.length)) : Infinity,
  );
  return least <= allowed ? least : null;
}

/**
 * Returns what counts the errors by which all typed words are found in a text, at its words or their beginnings; null
 * if they are not. Words are compared once, however many texts have them.
 */
export function countTypingErrors(typed: string[]): (text: string) => number | null {
  const searched = typed
    .slice(0, MAX_WORDS)
    .map((word) => ({ word: word.toLowerCase().slice(0, MAX_LETTERS), known: new Map<string, number | null>() }));
  return (text) => {
    const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    let sum = 0;
    for (const { word, known } of searched) {
      let least: number | null = null;
      for (const one of words) {
        if (!known.has(one)) known.set(one, compare(word, one.slice(0, MAX_LETTERS)));
        const errors = known.get(one) ?? null;
        if (errors !== null && (least === null || errors < least)) least = errors;
      }
      if (least === null) return null;
      sum += least;
    }
    return sum;
  };
}
