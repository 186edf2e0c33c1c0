// Shares in percent, as every screen, file, email and document shows them

/** `part` as a percentage of `whole`: `shareOf(7, 11)` is 63.6…; null if `whole` is 0. */
export const shareOf = (part: number, whole: number) => (whole > 0 ? (part / whole) * 100 : null);

/** Decimals of a percentage that count. */
const PLACES = 7;

/** A percentage rounded to `digits` decimals: 100 only if it is all, and 0 only if it is none. */
export function roundPercent(percent: number, digits = 0) {
  const step = 10 ** -digits;
  // Sums of the same numbers in another order differ in their last places, which must not decide at 85.05.
  const rounded = Number((Math.round(Number((percent / step).toFixed(PLACES))) * step).toFixed(digits));
  if (percent <= 0 || percent >= 100) return rounded;
  return Math.min(100 - step, Math.max(step, rounded));
}
