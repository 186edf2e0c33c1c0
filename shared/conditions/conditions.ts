import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import { userStatus } from "#shared/core/users.ts";

// One language for conditions on a learner: blocks of lessons, completion rules, enrolment rules and groups use it.
// Each use names the kinds of tests that it allows.

export const MAX_TESTS = 20;
/** The longest period, in days, of "joined within". */
export const MAX_JOINED_DAYS = 3650;

const id = z.string().min(1).max(64);
const variableKey = z.string().min(1).max(100);
const comparedValue = z.union([z.string().max(1000), z.number(), z.boolean()]);
export const comparisons = ["equal", "notEqual", "more", "atLeast", "less", "atMost", "contains"] as const;
export type Comparison = (typeof comparisons)[number];

const percent = z.number().min(1).max(100);
/** Identifiers of parts (shared/player/player.ts); `title` is the part's when the test was stored. */
const partOfCourse = { sco: z.string().min(1).max(265), title: z.string().max(300).default("") };

const kinds = {
  /** The package reports completed or passed for every part, and every lesson is done. */
  reported: z.object({ kind: z.literal("reported") }),
  /** The parts are passed. */
  passed: z.object({ kind: z.literal("passed") }),
  /** The score of the course reaches `percent`. */
  score: z.object({ kind: z.literal("score"), percent }),
  /** Every part was opened. */
  opened: z.object({ kind: z.literal("opened") }),
  /** The learner marks the course as complete. */
  confirmed: z.object({ kind: z.literal("confirmed") }),
  /** One part of the course is done or passed. */
  part: z.object({ kind: z.literal("part"), ...partOfCourse, is: z.enum(["done", "passed"]) }),
  /** The score of one part reaches `percent`. */
  partScore: z.object({ kind: z.literal("partScore"), ...partOfCourse, percent }),
  /** Active time in the attempt. */
  time: z.object({ kind: z.literal("time"), minutes: z.int().min(1).max(10_000) }),
  variable: z.union([
    z.object({ kind: z.literal("variable"), key: variableKey, is: z.enum(comparisons), value: comparedValue }),
    z.object({ kind: z.literal("variable"), key: variableKey, is: z.enum(["set", "notSet"]) }),
  ]),
  /** `block` is a question of the same course by its id, `choice` one of its choices. */
  answer: z.union([
    z.object({ kind: z.literal("answer"), block: id, is: z.enum(["right", "wrong", "answered", "notAnswered"]) }),
    z.object({ kind: z.literal("answer"), block: id, is: z.enum(["chosen", "notChosen"]), choice: id }),
  ]),
  /** A field of one's own; a choice by its id, a date as `2026-03-29`. */
  field: z.union([
    z.object({
      kind: z.literal("field"),
      field: z.uuid(),
      is: z.enum(comparisons),
      value: z.union([z.string().trim().min(1).max(1000), z.number()]),
    }),
    z.object({ kind: z.literal("field"), field: z.uuid(), is: z.enum(["set", "notSet"]) }),
  ]),
  group: z.object({ kind: z.literal("group"), group: z.uuid(), is: z.enum(["member", "notMember"]) }),
  /** Days in the time zone of the company. `within`: on one of the last `days` days, today included. */
  joined: z.union([
    z.object({ kind: z.literal("joined"), is: z.enum(["since", "before"]), day }),
    z.object({ kind: z.literal("joined"), is: z.literal("within"), days: z.int().min(1).max(MAX_JOINED_DAYS) }),
  ]),
  status: z.object({ kind: z.literal("status"), is: z.enum(["is", "isNot"]), status: userStatus }),
  course: z.object({
    kind: z.literal("course"),
    course: z.uuid(),
    is: z.enum(["has", "hasNot", "completed", "notCompleted"]),
  }),
};
type Kinds = { [kind in keyof typeof kinds]: z.infer<(typeof kinds)[kind]> };
export type TestKind = keyof Kinds;
/** A test of one of these kinds. */
export type TestOf<Kind extends TestKind> = Kinds[Kind];
/** All or any of the tests hold. A test may be a group of tests; groups nest once. */
export type ConditionOf<Kind extends TestKind> = {
  match: "all" | "any";
  tests: (TestOf<Kind> | { match: "all" | "any"; tests: TestOf<Kind>[] })[];
};

const match = z.enum(["all", "any"]);
/** A test of one of these kinds. */
export const testOf = <Kind extends TestKind>(...allowed: Kind[]) =>
  z.union(allowed.map((kind): z.ZodType => kinds[kind])) as z.ZodType<TestOf<Kind>>;
/** Conditions with tests of these kinds. */
export function conditionOf<Kind extends TestKind>(...allowed: Kind[]) {
  const test = testOf(...allowed);
  const group = z.object({ match, tests: z.array(test).min(1).max(MAX_TESTS) });
  return z.object({
    match,
    tests: z
      .array(z.union([test, group]))
      .min(1)
      .max(MAX_TESTS),
  }) as unknown as z.ZodType<ConditionOf<Kind>>;
}

/** All tests of a condition, those of its groups too. */
export const listTests = <Kind extends TestKind>(condition: ConditionOf<Kind>): TestOf<Kind>[] =>
  condition.tests.flatMap((test) => ("tests" in test ? test.tests : [test]));

/** Blocks of a lesson: what the learner has said or done. */
export const condition = conditionOf("variable", "answer");
export type Condition = ConditionOf<"variable" | "answer">;
export type ConditionTest = TestOf<"variable" | "answer">;

/** Groups of people. */
export const personCondition = conditionOf("field", "group", "joined", "status", "course", "variable").refine(
  (rule) => listTests(rule).length <= MAX_TESTS,
  { error: "conditions.tooMany" },
);
export type PersonCondition = z.infer<typeof personCondition>;
export type PersonTest = TestOf<"field" | "group" | "joined" | "status" | "course" | "variable">;
