/**
 * Cohen's kappa of two raters with quadratic weights (Cohen 1968): 1 minus the mean squared difference of the pairs,
 * divided by the one expected if the same scores met by chance. Null without pairs, or if both raters gave one and the
 * same score throughout.
 */
export function weightedKappa(pairs: readonly (readonly [number, number])[]): number | null {
  const n = pairs.length;
  if (n === 0) return null;
  let observed = 0;
  const sums = { first: 0, second: 0, firstSquared: 0, secondSquared: 0 };
  for (const [first, second] of pairs) {
    observed += (first - second) ** 2;
    sums.first += first;
    sums.second += second;
    sums.firstSquared += first ** 2;
    sums.secondSquared += second ** 2;
  }
  // The sum over all n² combinations of a first and a second score, in whole numbers.
  const byChance = n * (sums.firstSquared + sums.secondSquared) - 2 * sums.first * sums.second;
  return byChance === 0 ? null : 1 - (n * observed) / byChance;
}
