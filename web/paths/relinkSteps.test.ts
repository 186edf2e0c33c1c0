import { expect, test } from "vitest";
import { relinkSteps } from "#web/paths/relinkSteps.ts";
import { findStepProblem, type PathStep } from "#shared/paths/steps.ts";

const id = (name: string) => `00000000-0000-4000-8000-00000000000${"abcd".indexOf(name) + 1}`;
const step = (name: string, ...after: string[]): PathStep => ({
  id: id(name),
  title: "",
  courseIds: [id(name)],
  needed: 1,
  after: after.map(id),
  dueDays: null,
  earlierMonths: null,
});
const inOrder = (steps: PathStep[], names: string) =>
  [...names].map((name) => steps.find((one) => one.id === id(name)) as PathStep);

test.each(["bac", "acb", "cab", "bca", "cba"])("a row of steps in the new order %s stays a row", (names) => {
  const row = [step("a"), step("b", "a"), step("c", "b")];
  const moved = relinkSteps(row, inOrder(row, names));
  expect(findStepProblem(moved)).toBeNull();
  expect(moved.map(({ after }) => after)).toEqual([[], [id(names[0] as string)], [id(names[1] as string)]]);
});

test("independent steps stay independent, and no step waits for a later one", () => {
  const steps = [step("a"), step("b"), step("c", "a"), step("d", "a", "b")];
  expect(relinkSteps(steps, inOrder(steps, "acbd"))).toEqual(inOrder(steps, "acbd"));
  const moved = relinkSteps(steps, inOrder(steps, "bdac"));
  expect(findStepProblem(moved)).toBeNull();
  expect(moved.map(({ after }) => after)).toEqual([[], [id("b")], [], [id("a")]]);
});
