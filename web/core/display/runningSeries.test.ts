import { expect, test } from "vitest";
import { firstUncounted, isPartialWeek, shownInTooltip, splitRunning } from "#web/core/display/runningSeries.ts";

const rows = [
  { week: "2026-11-09", n: 3 },
  { week: "2026-11-16", n: 5 },
  { week: "2026-11-23", n: 1 },
];

test("a series ends with the last complete week, where its dashed rest begins", () => {
  const split = splitRunning(rows, ["n"], ({ week }) => isPartialWeek(week, "2026-11-09", "2026-11-25"));
  expect(split.map(({ n, nRunning }: Record<string, unknown>) => [n, nRunning])).toEqual([
    [3, null],
    [5, 5],
    [null, 1],
  ]);
  const columns = splitRunning(rows, ["n"], ({ week }) => week === "2026-11-23", { joined: false });
  expect(columns.map(({ nRunning }: Record<string, unknown>) => nRunning)).toEqual([null, null, 1]);
  expect(splitRunning(rows, ["n"], () => false).at(-1)).toEqual({ week: "2026-11-23", n: 1, nRunning: null });
});

test("a tooltip names the last complete value once", () => {
  const items = [
    { name: "n", value: 5 },
    { name: "nRunning", value: 5 },
  ];
  expect(shownInTooltip(items)).toEqual([{ name: "n", value: 5 }]);
  expect(
    shownInTooltip([
      { name: "n", value: null },
      { name: "nRunning", value: 1 },
    ]),
  ).toEqual([{ name: "nRunning", value: 1 }]);
});

test("a week is partial at both ends of a period, and while it is not over", () => {
  const uncounted = firstUncounted("2026-11-25", "2026-11-25", true);
  expect(uncounted).toBe("2026-11-25");
  expect(firstUncounted("2026-11-25", "2026-11-25", false)).toBe("2026-11-26");
  expect(firstUncounted("2026-11-20", "2026-11-25", true)).toBe("2026-11-21");
  const partial = (monday: string) => isPartialWeek(monday, "2026-11-11", uncounted);
  expect(["2026-11-09", "2026-11-16", "2026-11-23"].map(partial)).toEqual([true, false, true]);
  expect(isPartialWeek("2026-11-23", "2026-11-11", "2026-11-30")).toBe(false);
});
