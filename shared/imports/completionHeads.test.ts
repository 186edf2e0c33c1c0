import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { guessColumns } from "#shared/imports/guessColumns.ts";

// Columns of exports of past completions. The words were chosen on `chosen.tsv`; `unseen.tsv` was written later, by
// someone who had not seen them, and was read for measuring only. Both: heads, a tab, the right field of each

type Counts = { asked: number; right: number; wrong: number };

function measure(name: string): Counts {
  const text = readFileSync(join(import.meta.dirname, "../../test/completionHeads", name), "utf8");
  const counts = { asked: 0, right: 0, wrong: 0 };
  for (const line of text.split("\n").filter(Boolean)) {
    const [heads = [], fields = []] = line.split("\t").map((part) => part.split(" | "));
    const guessed = guessColumns({ about: "completions", head: heads, sample: heads.map(() => "") });
    for (const [column, field] of fields.entries()) {
      const guess = guessed[column] ?? "-";
      if (field !== "-") counts.asked++;
      if (field !== "-" && guess === field) counts.right++;
      if (guess !== "-" && guess !== field) counts.wrong++;
    }
  }
  return counts;
}

test("most columns of unseen exports are recognised, few are taken for another", () => {
  const { asked, right, wrong } = measure("unseen.tsv");
  expect(right / asked).toBeGreaterThan(0.8);
  expect(wrong / asked).toBeLessThan(0.04);
});

test("those on which the words were chosen are recognised", () => {
  const { asked, right } = measure("chosen.tsv");
  expect(right / asked).toBeGreaterThan(0.96);
});
