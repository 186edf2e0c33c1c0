import { expect, test } from "vitest";
import { roundPercent, shareOf } from "#shared/core/percent.ts";

test.each([
  [0, 1000, 0],
  [1, 1000, 1],
  [3, 1000, 1],
  [571, 689, 83],
  [995, 1000, 99],
  [999, 1000, 99],
  [1000, 1000, 100],
  [1006, 1000, 101],
])("%d of %d are %d percent", (part, whole, percent) => {
  expect(roundPercent(shareOf(part, whole) as number)).toBe(percent);
});

test("100 percent means all and 0 percent none, with any number of decimals", () => {
  expect(shareOf(0, 0)).toBeNull();
  expect([99.96, 0.01, 82.87, 50, 100, 0].map((percent) => roundPercent(percent, 1))).toEqual([
    99.9, 0.1, 82.9, 50, 100, 0,
  ]);
});

test("the order in which a mean was summed does not decide how it is rounded", () => {
  for (const percent of [85.05, 85.05 - 2e-14, 85.05 + 2e-14]) expect(roundPercent(percent, 1)).toBe(85.1);
  expect(roundPercent(85.0499, 1)).toBe(85);
  expect(roundPercent(1.005, 2)).toBe(1.01);
});
