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

/** The errors by which all typed words are found in a text, at its words or their beginnings; null if they are not. */
export function countTypingErrors(typed: string[], text: string): number | null {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  let sum = 0;
  for (const one of typed.map((word) => word.toLowerCase().slice(0, MAX_LETTERS))) {
    const errors = words.map((word) =>
      Math.min(
        countErrors(one, word.slice(0, MAX_LETTERS)),
        // What was typed may be the beginning of the word.
        word.length > one.length ? countErrors(one, word.slice(0, one.length)) : Infinity,
      ),
    );
    const least = Math.min(...errors);
    if (least > allowedErrors(one.length)) return null;
    sum += least;
  }
  return sum;
}
