import { createRandom } from "#server/demo/random.ts";

/** True in `npm run test:long`, which runs slow tests, such as repeated kills of the server, at full length. */
export const isLong = process.env.LONG === "true";

/** The size of a slow test: `short` in `npm test`, `long` in `npm run test:long`. */
export const scaled = (short: number, long: number) => (isLong ? long : short);

/**
 * `count` of the cases of a slow test, drawn by `SEED` (default 1) and `name`; all of them in `npm run test:long`.
 */
export function sampled<T>(name: string, cases: readonly T[], count: number): T[] {
  if (isLong) return [...cases];
  const seed = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), Number(process.env.SEED ?? 1));
  const random = createRandom(seed % 1_000_000);
  const drawn = new Set(
    cases
      .map((_, index) => ({ index, key: random() }))
      .toSorted((a, b) => a.key - b.key)
      .slice(0, count)
      .map(({ index }) => index),
  );
  return cases.filter((_, index) => drawn.has(index));
}
