// 95 % intervals of what is counted or measured

/** The 95 % interval of a share (Wilson 1927). */
export function wilson(part: number, whole: number): { low: number; high: number } {
  if (whole === 0) return { low: 0, high: 1 };
  const z = 1.96;
  const share = part / whole;
  const middle = (share + (z * z) / (2 * whole)) / (1 + (z * z) / whole);
  const half = (z / (1 + (z * z) / whole)) * Math.sqrt((share * (1 - share)) / whole + (z * z) / (4 * whole * whole));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** The mean of at least two scores in percent with its 95 % interval (normal distribution), from 0 to 100. */
export function meanOf(scores: number[]): { mean: number; low: number; high: number } {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / (scores.length - 1);
  const half = 1.96 * Math.sqrt(variance / scores.length);
  return { mean, low: Math.max(0, mean - half), high: Math.min(100, mean + half) };
}
