// Shares in percent, as every screen, file, email and document shows them

/** `part` as a percentage of `whole`: `shareOf(7, 11)` is 63.6…; null if `whole` is 0. */
export const shareOf = (part: number, whole: number) => (whole > 0 ? (part / whole) * 100 : null);

/** A percentage rounded to `digits` decimals: 100 only if it is all, and 0 only if it is none. */
export function roundPercent(percent: number, digits = 0) {
  const rounded = Number(percent.toFixed(digits));
  if (percent <= 0 || percent >= 100) return rounded;
  const step = 10 ** -digits;
  return Math.min(100 - step, Math.max(step, rounded));
}
