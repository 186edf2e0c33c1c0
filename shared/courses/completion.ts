import { combine, variableHolds } from "#shared/conditions/evaluate.ts";
import type {
  CompletionCondition,
  CompletionKind,
  CompletionRule,
  CompletionTest,
} from "#shared/courses/completionRules.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

// What a completion rule says of an attempt; without schemas, for the small bundle of the player shell

export const toCondition = (rule: CompletionRule): CompletionCondition =>
  "tests" in rule ? rule : { match: "all", tests: [rule] };
/** All tests of a rule in their order, those of its groups too. */
export const testsOf = (rule: CompletionRule): CompletionTest[] =>
  toCondition(rule).tests.flatMap((test) => ("tests" in test ? test.tests : [test]));
export const asksFor = (rule: CompletionRule, kind: CompletionKind) => testsOf(rule).some((test) => test.kind === kind);
/** The keys of the variables that a rule asks for. */
export const variablesOfRule = (rule: CompletionRule) => [
  ...new Set(testsOf(rule).flatMap((test) => (test.kind === "variable" ? [test.key] : []))),
];

/** A rule as it is sent to browsers of learners: only the server knows what it asks of variables. */
export function hideVariables(rule: CompletionRule): CompletionRule {
  const hide = (test: CompletionTest): CompletionTest =>
    test.kind === "variable" ? { kind: "variable", key: "hidden", is: "set" } : test;
  if (!("tests" in rule)) return hide(rule);
  const tests = rule.tests.map((test) => ("tests" in test ? { ...test, tests: test.tests.map(hide) } : hide(test)));
  return { ...rule, tests };
}

/** What is known of an attempt; `part` is null for a part that its version does not have. */
export type CompletionFacts = {
  isReported: boolean;
  isPassed: boolean;
  areAllOpened: boolean;
  isConfirmed: boolean;
  scorePercent: number | null;
  activeSeconds: number;
  part: (sco: string) => { isDone: boolean; isPassed: boolean; scorePercent: number | null } | null;
  value: (key: string) => VariableValue;
};

/** Whether an attempt is complete by a rule. */
export const isComplete = (rule: CompletionRule, facts: CompletionFacts) =>
  combine(toCondition(rule), (test) => isTestMet(test, facts));

export function isTestMet(test: CompletionTest, facts: CompletionFacts): boolean {
  switch (test.kind) {
    case "reported":
      return facts.isReported;
    case "passed":
      return facts.isPassed;
    case "score":
      return facts.scorePercent !== null && facts.scorePercent >= test.percent;
    case "opened":
      return facts.areAllOpened;
    case "confirmed":
      return facts.isConfirmed;
    case "part":
      return facts.part(test.sco)?.[test.is === "done" ? "isDone" : "isPassed"] ?? false;
    case "partScore":
      return (facts.part(test.sco)?.scorePercent ?? -1) >= test.percent;
    case "time":
      return facts.activeSeconds >= test.minutes * 60;
    case "variable":
      return variableHolds(test, facts.value(test.key));
  }
}

/** Whether a rule can be met in a version with these parts; a test of a part that it lacks never is. */
export const canBeMet = (rule: CompletionRule, scos: ReadonlySet<string>) =>
  combine(toCondition(rule), (test) => !("sco" in test) || scos.has(test.sco));
/** The titles of the parts that a rule asks for and that a version with these parts lacks. */
export const missingParts = (rule: CompletionRule, scos: ReadonlySet<string>) => [
  ...new Set(testsOf(rule).flatMap((test) => ("sco" in test && !scos.has(test.sco) ? [test.title || test.sco] : []))),
];
