import { UNSPACED_SCRIPTS } from "#shared/core/sentences.ts";

/** Characters per token in scripts with spaces between words; in others, each character counts as a token. */
const CHARS = 4;
/**
 * Our count is rougher than that of the provider, which is responsible for its limit. Beyond this multiple, the
 * provider is considered to exceed it.
 */
const TOLERANCE = 1.25;
/** Maximum answer in characters, independent of the token limit, because some tokens are many characters long. */
export const MAX_ANSWER_CHARS = 40_000;

const unspaced = new RegExp(`[${UNSPACED_SCRIPTS}]`, "gu");
const weigh = (text: string) => {
  const dense = text.match(unspaced)?.length ?? 0;
  return dense + (text.length - dense) / CHARS;
};

/** Estimates the tokens of a text. */
export const estimateTokens = (text: string) => Math.ceil(weigh(text));

/** Counts the tokens of an answer as it arrives, and cuts it at the limit. */
export function createTokenCount(maxTokens: number) {
  let tokens = 0;
  let chars = 0;
  return {
    /** The part of the next piece within the limits; shorter than the piece if the answer ends here. */
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
