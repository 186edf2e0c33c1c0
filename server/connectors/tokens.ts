import { setImmediate as nextTurn } from "node:timers/promises";
import { UNSPACED_SCRIPTS } from "#shared/core/sentences.ts";

// Tokens as o200k_base counts them (docs/decisions/0047-counting-tokens.md). Other models count up to a third more or
// fewer; the provider's own count is used where it can be true (`plausibleUsage.ts`).

/**
 * Our count is rougher than that of the provider, which is responsible for its limit. Beyond this multiple, the
 * provider is considered to exceed it.
 */
const TOLERANCE = 1.25;
/** By this multiple and this number, other models are expected to count more than we do. */
const INPUT_TOLERANCE = 1.5;
const ADDED_INPUT = 200;
/** The tokens for which money is reserved before a call, from our count and from the limit of the answer. */
export const mostInput = (counted: number) => Math.ceil(counted * INPUT_TOLERANCE) + ADDED_INPUT;
export const mostOutput = (limit: number) => Math.ceil(limit * TOLERANCE);
/** Maximum answer in characters, independent of the token limit, because some tokens are many characters long. */
export const MAX_ANSWER_CHARS = 40_000;
/** Characters per piece that is counted: the time for a word without spaces grows with the square of its length. */
const PIECE_CHARS = 500;
/** Characters of a piece that are taken before its limit is looked at. */
const STEP_CHARS = 100;
/** Characters that are counted before other work gets a turn. */
const TURN_CHARS = 20_000;

/** Characters per token in scripts with spaces between words; in others, each character counts as a token. */
const ROUGH_CHARS = 4;
const unspaced = new RegExp(`[${UNSPACED_SCRIPTS}]`, "gu");
const countRoughly = (text: string) => {
  const dense = text.match(unspaced)?.length ?? 0;
  return Math.ceil(dense + (text.length - dense) / ROUGH_CHARS);
};

type Count = (text: string) => number;
let loading: Promise<Count> | null = null;
let loaded: Count | null = null;
/** Reads the table of the tokenizer, once: it takes a tenth of a second and 70 MB. */
export async function loadTokenizer(): Promise<void> {
  loading ??= import("gpt-tokenizer/encoding/o200k_base").then(
    ({ countTokens }) =>
      (text: string) =>
        countTokens(text, { allowedSpecial: "all" }),
  );
  loaded = await loading;
}

/** Tokens of a text; roughly as long as the tokenizer has not been loaded. Blocks for as long as the text is. */
export function countTokens(text: string): number {
  if (!loaded) return countRoughly(text);
  let tokens = 0;
  for (let at = 0; at < text.length; at += PIECE_CHARS) tokens += loaded(text.slice(at, at + PIECE_CHARS));
  return tokens;
}

/** Tokens of a text of any length; other work gets its turns. */
export async function countAllTokens(text: string): Promise<number> {
  await loadTokenizer();
  let tokens = 0;
  for (let at = 0; at < text.length; at += TURN_CHARS) {
    if (at > 0) await nextTurn();
    tokens += countTokens(text.slice(at, at + TURN_CHARS));
  }
  return tokens;
}

/** Counts the tokens of an answer as it arrives, and cuts it at the limit. */
export function createTokenCount(maxTokens: number) {
  let tokens = 0;
  let chars = 0;
  /** Text that is counted when there is more of it: a token may consist of several pieces. */
  let pending = "";
  const counted = () => tokens + countRoughly(pending);
  const isOver = () => counted() > maxTokens * TOLERANCE || chars >= MAX_ANSWER_CHARS;
  return {
    /** The part of the next piece within the limits; shorter than the piece if the answer ends here. */
    take(piece: string): string {
      let taken = 0;
      // A piece may be a whole book.
      while (taken < piece.length && !isOver()) {
        const own = piece.slice(taken, taken + Math.min(STEP_CHARS, MAX_ANSWER_CHARS - chars));
        taken += own.length;
        chars += own.length;
        pending += own;
        if (pending.length < PIECE_CHARS) continue;
        tokens += countTokens(pending);
        pending = "";
      }
      return piece.slice(0, taken);
    },
    isOver,
    tokens: () => tokens + countTokens(pending),
  };
}
