import { expect, test } from "vitest";
import { pair } from "#server/lessons/versions/compareBlocks.ts";

const things = (...ids: (string | number)[]) => ids.map((id) => ({ id: String(id) }));
const many = (name: string) => Array.from({ length: 4000 }, (_, n) => `${name}${n}`);

test("lists without a common id are paired within bounds", () => {
  const [before, after] = [many("old"), many("new")];
  const placed = pair(things("kept", ...before, "moved"), things("moved", ...after, "kept"));
  expect(placed).toHaveLength(8002);
  expect(placed.map((one) => (one.after ?? one.before)?.id)).toEqual(["moved", ...after, "kept", ...before]);
  const both = placed.filter((one) => one.before && one.after);
  expect(both.map(({ after: now, isMoved }) => [now?.id, isMoved])).toEqual([
    ["moved", false],
    ["kept", true],
  ]);
});

test("what is gone stands where it was", () => {
  const placed = pair(things(1, 2, 3), things(1, 3, 4));
  expect(placed.map(({ before, after }) => [before?.id, after?.id])).toEqual([
    ["1", "1"],
    ["2", undefined],
    ["3", "3"],
    [undefined, "4"],
  ]);
});
