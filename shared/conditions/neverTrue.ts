import { compare, inOrder, toNumber } from "#shared/conditions/compare.ts";
import { type ConditionOf, type PersonCondition, type PersonTest, type TestOf } from "#shared/conditions/conditions.ts";

/** Two tests that cannot hold together. They may be the same one, if it can never hold by itself. */
export type Contradiction = [PersonTest, PersonTest];

/**
 * Two tests because of which a condition can never be true; null if it can. Written out as "one of these, each with all
 * of its tests", it is never true if all of them have a contradiction.
 */
export function findContradiction(condition: PersonCondition): Contradiction | null {
  let first: Contradiction | null = null;
  for (const tests of writeOut(condition)) {
    const found = contradictionIn(tests);
    if (!found) return null;
    first ??= found;
  }
  return first;
}

/** With at most 20 tests these are at most 3^6 · 2. */
function writeOut({ match, tests }: ConditionOf<PersonTest["kind"]>): PersonTest[][] {
  const branches = tests.map((test): PersonTest[][] => {
    if (!("tests" in test)) return [[test]];
    return test.match === "all" ? [test.tests] : test.tests.map((one) => [one]);
  });
  if (match === "any") return branches.flat();
  return branches.reduce<PersonTest[][]>(
    (before, branch) => before.flatMap((left) => branch.map((right) => [...left, ...right])),
    [[]],
  );
}

/** What a test is about: tests of different things never contradict each other. */
const subjectOf = (test: PersonTest) => {
  if (test.kind === "field") return `field ${test.field}`;
  if (test.kind === "group") return `group ${test.group}`;
  if (test.kind === "course") return `course ${test.course}`;
  return test.kind === "variable" ? `variable ${test.key}` : test.kind;
};

function contradictionIn(tests: PersonTest[]): Contradiction | null {
  const bySubject = Map.groupBy(tests, subjectOf);
  for (const about of bySubject.values()) {
    for (const [at, left] of about.entries())
      for (const right of about.slice(at)) if (excludes(left, right) || excludes(right, left)) return [left, right];
    const states = new Set(
      about.flatMap((test) => (test.kind === "status" && test.is === "isNot" ? [test.status] : [])),
    );
    if (states.size === 3) return [about[0] as PersonTest, about.at(-1) as PersonTest];
  }
  return null;
}

const courseStates = {
  has: ["open", "completed"],
  hasNot: ["none"],
  completed: ["completed"],
  notCompleted: ["none", "open"],
} as const satisfies Record<TestOf<"course">["is"], string[]>;

/** Whether the second test of the same thing can never hold with the first one. */
function excludes(left: PersonTest, right: PersonTest): boolean {
  if (left.kind === "group" && right.kind === "group") return left.is !== right.is;
  if (left.kind === "status" && right.kind === "status")
    return left.is === "is" && (left.status === right.status) !== (right.is === "is");
  if (left.kind === "course" && right.kind === "course")
    return !courseStates[left.is].some((state) => (courseStates[right.is] as readonly string[]).includes(state));
  if (left.kind === "joined" && right.kind === "joined")
    return left.is === "since" && right.is === "before" && left.day >= right.day;
  if ((left.kind === "field" && right.kind === "field") || (left.kind === "variable" && right.kind === "variable"))
    return valuesExclude(left, right);
  return false;
}

type ValueTest = TestOf<"field" | "variable">;
function valuesExclude(left: ValueTest, right: ValueTest): boolean {
  const needsValue = (test: ValueTest) => test.is !== "notSet" && test.is !== "notEqual";
  if (left.is === "notSet") return needsValue(right);
  if (!("value" in left) || !("value" in right)) return false;
  // Only numbers and days are more or less.
  if (isOrder(left.is) && Number.isNaN(toNumber(left.value)) && !isDay(left.value)) return true;
  if (left.is === "equal")
    return right.is !== "equal" && isOrder(right.is) && isDay(left.value) && isDay(right.value)
      ? !inOrder(right.is, String(left.value), String(right.value))
      : !compare(right.is, left.value, right.value);
  return rangesExclude(left.is, left.value, right.is, right.value);
}

type Order = "more" | "atLeast" | "less" | "atMost";
const isOrder = (is: ValueTest["is"]): is is Order => ["more", "atLeast", "less", "atMost"].includes(is);
const isDay = (value: unknown) => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);

/** A lower bound that is not below the upper one. */
function rangesExclude(left: string, low: string | number | boolean, right: string, high: string | number | boolean) {
  if ((left !== "more" && left !== "atLeast") || (right !== "less" && right !== "atMost")) return false;
  const isClosed = left === "atLeast" && right === "atMost";
  if (isDay(low) && isDay(high)) return isClosed ? low > high : low >= high;
  const [from, to] = [toNumber(low), toNumber(high)];
  return isClosed ? from > to : from >= to;
}
