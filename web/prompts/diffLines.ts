export type DiffLine = { kind: "same" | "added" | "removed"; text: string };

/** The added, removed and common lines of two texts. */
export const diffLines = (before: string, after: string) => diffParts(before.split("\n"), after.split("\n"));

/** The added, removed and common parts of two texts, by a longest common subsequence. */
export function diffParts(a: string[], b: string[]): DiffLine[] {
  // lengths[i][j]: length of the longest common subsequence of a from i on and b from j on.
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (lengths[i] as Uint16Array)[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i] as string });
      i++;
      j++;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "removed", text: a[i] as string });
      i++;
    } else {
      lines.push({ kind: "added", text: b[j] as string });
      j++;
    }
  }
  return lines;
}
