/** A passage with the cosine of its vector and that of the question. */
export type Near = { id: string; similarity: number };
/** The nearest passages, best first; `all`: the cosines of all passages in the scope, as sums. */
export type Ranking = { nearest: Near[]; all: { count: number; sum: number; squares: number } };

/** Scales a vector to length 1, so that the product of two is their cosine. */
export function normalise(vector: Float32Array) {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return vector.map((value) => value / length);
}

/** The cosine of two vectors of length 1. */
export function cosineOf(a: Float32Array, b: Float32Array) {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

/** Mean and standard deviation of cosines. */
export type Spread = { mean: number; deviation: number };

/** Smallest deviation: below it, a model gives nearly the same vector to everything. */
const MIN_DEVIATION = 0.01;

export function spreadOf({ count, sum, squares }: Ranking["all"]): Spread {
  const mean = sum / Math.max(1, count);
  const variance = squares / Math.max(1, count) - mean ** 2;
  return { mean, deviation: Math.max(MIN_DEVIATION, Math.sqrt(Math.max(0, variance))) };
}
