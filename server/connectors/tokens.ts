import { UNSPACED_SCRIPTS } from "#shared/core/sentences.ts";

/** Characters of a token in scripts with spaces between words; in the others each character counts as one. */
const CHARS = 4;
/**
 * A count of our own is rougher than the provider's, which decides where its answer ends. Beyond this many times the
 * limit the provider does not keep it.
 */
const TOLERANCE = 1.25;
/** The longest answer in characters, whatever its limit of tokens is: tokens of some texts are many characters long. */
export const MAX_ANSWER_CHARS = 40_000;

const unspaced = new RegExp(`[${UNSPACED_SCRIPTS}]`, "gu");
const weigh = (text: string) => {
  const dense = text.match(unspaced)?.length ?? 0;
  return dense + (text.length - dense) / CHARS;
};

/** Tokens of a text that nobody has counted. */
export const estimateTokens = (text: string) => Math.ceil(weigh(text));

/** Counts the tokens of an answer as it arrives, and finds where it exceeds its limit. */
export function createTokenCount(maxTokens: number) {
  let tokens = 0;
  let chars = 0;
  return {
    /** What of the next piece is within the limits; shorter than the piece if the answer ends here. */
    take(piece: string): string {
      const room = MAX_ANSWER_CHARS - chars;
      const own = piece.length > room ? piece.slice(0, room) : piece;
      tokens += weigh(own);
      chars += own.length;
      return own;
    },
    isOver: () => tokens > maxTokens * TOLERANCE || chars >= MAX_ANSWER_CHARS,
    tokens: () => Math.ceil(tokens),
  };
}
