// Token counts that providers report are believed only if they can be true: budgets depend on them.

/** Reported below this share of what we counted, or above this multiple, a count cannot be true. */
const LEAST = 0.25;
const MOST = 4;
/** Tokens that a provider may add: its own instructions, the schema of an answer. */
const ADDED = 2000;

const isCount = (tokens: number) => Number.isSafeInteger(tokens) && tokens >= 0;

/** The reported tokens of what was sent, or undefined if they cannot be true. `counted`: our own count. */
export const plausibleInput = (reported: number | undefined, counted: number) =>
  reported !== undefined && isCount(reported) && reported >= counted * LEAST && reported <= counted * MOST + ADDED
    ? reported
    : undefined;

/**
 * The reported tokens of an answer, or undefined if they cannot be true. They may exceed the text, because models also
 * think, but not the limit that was asked for.
 */
export const plausibleOutput = (reported: number | undefined, counted: number, maxTokens: number) =>
  reported !== undefined && isCount(reported) && reported >= counted * LEAST && reported <= Math.max(maxTokens, counted)
    ? reported
    : undefined;
