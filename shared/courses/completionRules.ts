import { z } from "zod";
import {
  type ConditionOf,
  conditionOf,
  listTests,
  MAX_TESTS,
  testOf,
  type TestOf,
} from "#shared/conditions/conditions.ts";

export const packageKind = z.enum(["scorm12", "scorm2004", "cmi5", "xapi", "html"]);
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
export type CompletionKind = (typeof completionTests)[number];
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
