import type { Piece } from "#server/auth/password/pieces.ts";

// Runs of adjacent keys in the most common keyboard layouts: `qwertz`, `poiuyt`, `1qaz2wsx`.

type Graph = Record<string, (string | null)[]>;
/** For each layout: the direction from a character to an adjacent one (`neighbours`, by both), for counting walks. */
export type Layouts = { neighbours: Map<string, number>; keys: number; degree: number }[];

export const readLayouts = (graphs: Record<string, Graph>): Layouts =>
  Object.values(graphs).map((graph) => {
    const neighbours = new Map<string, number>();
    let count = 0;
    for (const [from, keys] of Object.entries(graph))
      for (const [direction, key] of keys.entries())
        for (const to of key ?? "") {
          if (!neighbours.has(from + to)) neighbours.set(from + to, direction);
          count++;
        }
    const keys = Object.keys(graph).length;
    return { neighbours, keys, degree: count / keys / 2 };
  });

const MIN_KEYS = 4;
/** With more turns, there are too many walks for them to be a pattern. */
const MAX_TURNS = 8;

/** All walks of four keys or more, in any layout. */
export function findWalks(text: string, layouts: Layouts): Piece[] {
  const pieces: Piece[] = [];
  for (const { neighbours, keys, degree } of layouts)
    for (let from = 0; from < text.length; from++) {
      let turns = 0;
      let last: number | undefined;
      for (let to = from + 1; to < text.length; to++) {
        const direction = neighbours.get(text.slice(to - 1, to + 1));
        if (direction === undefined) break;
        if (direction !== last) turns++;
        if (turns > MAX_TURNS) break;
        last = direction;
        const length = to - from + 1;
        if (length >= MIN_KEYS)
          pieces.push({ kind: "keyboard", from, to: to + 1, guesses: countWalks(length, turns, keys, degree) });
      }
    }
  return pieces;
}

/** The number of walks that are at most as long and have at most as many turns. */
function countWalks(length: number, turns: number, keys: number, degree: number) {
  let count = 0;
  for (let i = 2; i <= length; i++)
    for (let j = 1; j <= Math.min(turns, i - 1); j++) count += binomial(i - 1, j - 1) * keys * degree ** j;
  return count;
}

function binomial(n: number, k: number) {
  let value = 1;
  for (let i = 1; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
}
