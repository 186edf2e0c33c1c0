import { combine } from "#shared/conditions/evaluate.ts";
import { type CompletionFacts, isTestMet, toCondition } from "#shared/courses/completion.ts";
import type { CompletionRule, CompletionTest } from "#shared/courses/completionRules.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

// Why an attempt is complete or not: each condition of a rule with its limit, the value now, and the parts it lacks

export type PartFacts = {
  sco: string;
  title: string;
  /** What the tests "reported", "opened" and "passed" ask of a part. */
  isReported: boolean;
  isOpened: boolean;
  isFailed: boolean;
  isDone: boolean;
  scorePercent: number | null;
};
export type ExplainedFacts = CompletionFacts & { parts: PartFacts[] };

/**
 * `value` and `limit` are numbers of parts, percent, seconds, or values of a variable; null where there is none. The
 * parts that are `missing`, of a score those below it, are in the order of the course, and none if the test is met.
 */
export type TestState = {
  test: CompletionTest;
  isMet: boolean;
  value: VariableValue;
  limit: VariableValue;
  missing: { sco: string; title: string }[];
};
export type GroupState = { match: "all" | "any"; isMet: boolean; tests: TestState[] };
export type RuleState = { match: "all" | "any"; isMet: boolean; tests: (TestState | GroupState)[] };

/** The state of every condition of a rule; `isMet` of the whole is `isComplete` (completion.ts). */
export function explainRule(rule: CompletionRule, facts: ExplainedFacts): RuleState {
  const { match, tests } = toCondition(rule);
  const states = tests.map((test): TestState | GroupState => {
    if (!("tests" in test)) return explainTest(test, facts);
    const inner = test.tests.map((one) => explainTest(one, facts));
    return { match: test.match, isMet: isMetBy(test.match, inner), tests: inner };
  });
  return { match, isMet: combine(toCondition(rule), (test) => isTestMet(test, facts)), tests: states };
}

const isMetBy = (match: "all" | "any", states: { isMet: boolean }[]) =>
  match === "all" ? states.every(({ isMet }) => isMet) : states.some(({ isMet }) => isMet);

function explainTest(test: CompletionTest, facts: ExplainedFacts): TestState {
  const isMet = isTestMet(test, facts);
  const { value, limit, lacks } = compared(test, facts);
  const missing = isMet ? [] : facts.parts.filter(lacks).map(({ sco, title }) => ({ sco, title }));
  return { test, isMet, value, limit, missing };
}

type Compared = { value: VariableValue; limit: VariableValue; lacks: (part: PartFacts) => boolean };

function compared(test: CompletionTest, facts: ExplainedFacts): Compared {
  const count = (lacks: Compared["lacks"]): Compared => ({
    value: facts.parts.filter((part) => !lacks(part)).length,
    limit: facts.parts.length,
    lacks,
  });
  const isBelow = (limit: number) => (part: PartFacts) => part.scorePercent !== null && part.scorePercent < limit;
  const ofPart = (sco: string) => (part: PartFacts) => part.sco === sco;
  const none = () => false;
  switch (test.kind) {
    case "reported":
      return count(({ isReported }) => !isReported);
    case "opened":
      return count(({ isOpened }) => !isOpened);
    case "passed":
      return count(({ isDone, isFailed }) => !isDone || isFailed);
    case "score":
      return { value: facts.scorePercent, limit: test.percent, lacks: isBelow(test.percent) };
    case "confirmed":
      return { value: facts.isConfirmed, limit: null, lacks: none };
    case "part":
      return { value: isTestMet(test, facts), limit: null, lacks: ofPart(test.sco) };
    case "partScore":
      return { value: facts.part(test.sco)?.scorePercent ?? null, limit: test.percent, lacks: ofPart(test.sco) };
    case "time":
      return { value: facts.activeSeconds, limit: test.minutes * 60, lacks: none };
    case "variable":
      return { value: facts.value(test.key), limit: "value" in test ? test.value : null, lacks: none };
  }
}

type Measured = Pick<TestState, "isMet" | "value" | "limit"> & { test: { kind: string } };

/** How much of a test is done, from 0 to 1. */
export function nearness({ test, isMet, value, limit }: Measured): number {
  if (isMet) return 1;
  // One press of a button.
  if (test.kind === "confirmed") return 0.99;
  if (typeof value !== "number" || typeof limit !== "number" || limit <= 0 || value < 0) return 0;
  return Math.min(0.98, value / limit);
}

/**
 * What is left to do for a rule that is not met, the nearest first: conditions, and sets of which one condition is
 * enough. Of a set that needs several, each stands for itself.
 */
export function leftToDo<Test extends Measured>(state: {
  match: "all" | "any";
  isMet: boolean;
  tests: (Test | { match: "all" | "any"; isMet: boolean; tests: Test[] })[];
}): Test[][] {
  if (state.isMet) return [];
  const sorted = (tests: Test[]) => tests.filter(({ isMet }) => !isMet).toSorted((a, b) => nearness(b) - nearness(a));
  // Of a rule of which anything is enough, the conditions of a set of several belong together: the nearest set is left.
  if (state.match === "any") {
    const ways = state.tests.map((test) => ("tests" in test ? waysOf(test, sorted) : [[test]]));
    if (ways.every((way) => way.length === 1)) return [sorted(ways.flatMap((way) => way[0] ?? []))];
    return ways.toSorted((a, b) => nearnessOf(b) - nearnessOf(a))[0] ?? [];
  }
  return state.tests
    .filter(({ isMet }) => !isMet)
    .flatMap((test) => ("tests" in test ? waysOf(test, sorted) : [[test]]))
    .toSorted((a, b) => nearnessOf([b]) - nearnessOf([a]));
}

const waysOf = <Test>(group: { match: "all" | "any"; tests: Test[] }, sorted: (tests: Test[]) => Test[]): Test[][] =>
  group.match === "any" ? [sorted(group.tests)] : sorted(group.tests).map((test) => [test]);
/** Of several things that are all left, the farthest counts. */
const nearnessOf = (things: Measured[][]) => Math.min(1, ...things.map((ways) => Math.max(0, ...ways.map(nearness))));
