import { z } from "zod";
import { combine, variableHolds } from "#shared/conditions/evaluate.ts";
import { type ConditionOf, conditionOf, listTests, MAX_TESTS, testOf, type TestOf } from "#shared/conditions/conditions.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

export const packageKind = z.enum(["scorm12", "scorm2004", "html"]);
export type PackageKind = z.infer<typeof packageKind>;
/** `lessons`: the course is written here; `mixed`: it has packages among its lessons. */
export const courseKind = z.enum([...packageKind.options, "lessons", "mixed"]);
export type CourseKind = z.infer<typeof courseKind>;
export const isWrittenHere = (kind: CourseKind) => kind === "lessons" || kind === "mixed";

/** What a completion rule can ask, in the order in which it is offered. */
export const completionTests = [
  "reported",
  "passed",
  "score",
  "opened",
  "confirmed",
  "part",
  "partScore",
  "time",
  "variable",
] as const;
type CompletionKind = (typeof completionTests)[number];
export type CompletionTest = TestOf<CompletionKind>;
export type CompletionCondition = ConditionOf<CompletionKind>;

/** When an attempt counts as complete: one test, or a condition with several. */
export const completionRule: z.ZodType<CompletionTest | CompletionCondition> = z.union([
  testOf(...completionTests),
  conditionOf(...completionTests).refine((rule) => listTests(rule).length <= MAX_TESTS, {
    error: "conditions.tooMany",
  }),
]);
export type CompletionRule = CompletionTest | CompletionCondition;

/** The completion rule of a new course. */
export const defaultCompletionRule = (kind: CourseKind): CompletionRule => ({
  kind: kind === "html" ? "confirmed" : "reported",
});

export const toCondition = (rule: CompletionRule): CompletionCondition =>
  "tests" in rule ? rule : { match: "all", tests: [rule] };
export const testsOf = (rule: CompletionRule): CompletionTest[] => listTests(toCondition(rule));
export const asksFor = (rule: CompletionRule, kind: CompletionKind) => testsOf(rule).some((test) => test.kind === kind);
/** The keys of the variables that a rule asks for. */
export const variablesOfRule = (rule: CompletionRule) => [
  ...new Set(testsOf(rule).flatMap((test) => (test.kind === "variable" ? [test.key] : []))),
];

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
