import { expect, test } from "vitest";
import { type CompletionFacts, isComplete, testsOf, toCondition } from "#shared/courses/completion.ts";
import type { CompletionRule, CompletionTest } from "#shared/courses/completionRules.ts";
import {
  explainRule,
  type ExplainedFacts,
  leftToDo,
  type PartFacts,
  type TestState,
} from "#shared/courses/completionState.ts";

// Random rules and states: the explanation says what the rule says

/** A small generator with a seed (mulberry32), so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const upTo = (limit: number) => Math.floor(next() * limit);
  return { upTo, flip: () => next() < 0.5, pick: <T>(items: readonly T[]) => items[upTo(items.length)] as T };
}
type Random = ReturnType<typeof createRandom>;

const scos = ["one", "two", "three", "missing"];
function randomTest({ upTo, pick }: Random): CompletionTest {
  const sco = pick(scos);
  return pick<CompletionTest>([
    { kind: "reported" },
    { kind: "passed" },
    { kind: "opened" },
    { kind: "confirmed" },
    { kind: "score", percent: 1 + upTo(100) },
    { kind: "part", sco, title: sco, is: pick(["done", "passed"]) },
    { kind: "partScore", sco, title: sco, percent: 1 + upTo(100) },
    { kind: "time", minutes: 1 + upTo(30) },
    { kind: "variable", key: "trust", is: pick(["atLeast", "equal", "less"]), value: upTo(5) },
    { kind: "variable", key: "trust", is: pick(["set", "notSet"]) },
  ]);
}
function randomRule(random: Random): CompletionRule {
  const { upTo, flip, pick } = random;
  const tests = (most: number) => Array.from({ length: 1 + upTo(most) }, () => randomTest(random));
  const match = () => pick(["all", "any"] as const);
  if (upTo(5) === 0) return randomTest(random);
  return { match: match(), tests: tests(4).map((one) => (flip() ? one : { match: match(), tests: tests(3) })) };
}
function randomFacts({ upTo, flip, pick }: Random): ExplainedFacts {
  const score = () => (flip() ? upTo(101) : null);
  const parts: (PartFacts & { isPassed: boolean })[] = scos.slice(0, upTo(4)).map((sco) => ({
    sco,
    title: `Part ${sco}`,
    isReported: flip(),
    isOpened: flip(),
    isFailed: flip(),
    isDone: flip(),
    isPassed: flip(),
    scorePercent: score(),
  }));
  const facts: CompletionFacts = {
    isReported: parts.length > 0 && parts.every(({ isReported }) => isReported),
    isPassed: flip(),
    areAllOpened: parts.every(({ isOpened }) => isOpened),
    isConfirmed: flip(),
    scorePercent: score(),
    activeSeconds: upTo(2000),
    part: (sco) => {
      const part = parts.find((one) => one.sco === sco);
      return part ? { isDone: part.isReported, isPassed: part.isPassed, scorePercent: part.scorePercent } : null;
    },
    value: () => trust,
  };
  const trust = pick([null, 0, 2, 4, "2"]);
  return { ...facts, parts };
}

const flat = (tests: ReturnType<typeof explainRule>["tests"]): TestState[] =>
  tests.flatMap((one) => ("tests" in one ? one.tests : [one]));

test("the explanation agrees with the rule for random rules and states", () => {
  const random = createRandom(33);
  for (let n = 0; n < 20_000; n++) {
    const [rule, facts] = [randomRule(random), randomFacts(random)];
    const state = explainRule(rule, facts);
    const said = JSON.stringify({ n, rule, state });
    expect(state.isMet, said).toBe(isComplete(rule, facts));
    const combined = state.tests.map(({ isMet }) => isMet);
    expect(state.match === "all" ? combined.every(Boolean) : combined.some(Boolean), said).toBe(state.isMet);
    expect(flat(state.tests).map(({ test: one }) => one)).toEqual(testsOf(rule));
    for (const [at, one] of toCondition(rule).tests.entries())
      expect(state.tests[at]?.isMet, said).toBe(
        isComplete("tests" in one ? one : { match: "all", tests: [one] }, facts),
      );
    for (const { isMet, missing, value, limit, test: one } of flat(state.tests)) {
      if (isMet) expect(missing, said).toEqual([]);
      // Counts reach their limit exactly when they are met.
      if (one.kind === "opened") expect(value === limit, said).toBe(isMet);
      if (one.kind === "score" && typeof value === "number") expect(value >= Number(limit), said).toBe(isMet);
      if (one.kind === "time") expect(Number(value) >= Number(limit), said).toBe(isMet);
    }
  }
});

test("what is left meets the rule once it is done; of a met rule nothing is left", () => {
  const random = createRandom(7);
  for (let n = 0; n < 20_000; n++) {
    const [rule, facts] = [randomRule(random), randomFacts(random)];
    const state = explainRule(rule, facts);
    const left = leftToDo(state);
    const said = JSON.stringify({ n, rule, state, left });
    if (state.isMet) {
      expect(left, said).toEqual([]);
      continue;
    }
    expect(left.length, said).toBeGreaterThan(0);
    expect(
      left.flat().every(({ isMet }) => !isMet),
      said,
    ).toBe(true);
    // One way of each thing that is left is done.
    const done = new Set(left.map(([first]) => first));
    const isDone = (one: TestState) => one.isMet || done.has(one);
    const results = state.tests.map((one) =>
      "tests" in one ? one.tests[one.match === "all" ? "every" : "some"](isDone) : isDone(one),
    );
    expect(state.match === "all" ? results.every(Boolean) : results.some(Boolean), said).toBe(true);
  }
});

test("the nearest thing comes first", () => {
  const facts: ExplainedFacts = {
    ...randomFacts(createRandom(1)),
    scorePercent: 65,
    activeSeconds: 60,
    isConfirmed: false,
  };
  const rule: CompletionRule = {
    match: "all",
    tests: [{ kind: "time", minutes: 10 }, { kind: "score", percent: 70 }, { kind: "confirmed" }],
  };
  const kinds = leftToDo(explainRule(rule, facts)).map(([first]) => first?.test.kind);
  expect(kinds).toEqual(["confirmed", "score", "time"]);
});
