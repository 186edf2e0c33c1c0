import { toCondition } from "#shared/courses/completion.ts";
import {
  type CompletionCondition,
  type CompletionKind,
  completionRule,
  type CompletionRule,
  type CompletionTest,
  type CourseKind,
} from "#shared/courses/completionRules.ts";

// A completion rule while it is edited: one or more sets of conditions, whose fields may still be empty

export type DraftTest = {
  /** Keeps its fields while others are removed. */
  id: number;
  kind: CompletionKind;
  sco: string;
  /** Of a part: `done` or `passed`; of a variable: a comparison. */
  is: string;
  /** Percent, minutes or the value of a variable, as typed. */
  value: string;
  key: string;
};
type Match = "all" | "any";
export type DraftSet = { id: number; match: Match; tests: DraftTest[] };
/** The sets are joined by `match`. */
export type DraftRule = { match: Match; sets: DraftSet[] };

let last = 0;
const nextId = () => ++last;

export const newTest = (kind: CompletionKind, sco = ""): DraftTest => ({
  id: nextId(),
  kind,
  sco,
  is: kind === "variable" ? "equal" : "done",
  value: kind === "score" || kind === "partScore" ? "80" : "",
  key: "",
});
export const newSet = (match: Match, tests: DraftTest[] = []): DraftSet => ({ id: nextId(), match, tests });

function toDraftTest(test: CompletionTest): DraftTest {
  const draft = newTest(test.kind, "sco" in test ? test.sco : "");
  switch (test.kind) {
    case "score":
    case "partScore":
      return { ...draft, value: String(test.percent) };
    case "part":
      return { ...draft, is: test.is };
    case "time":
      return { ...draft, value: String(test.minutes) };
    case "variable":
      return { ...draft, key: test.key, is: test.is, value: "value" in test ? String(test.value) : "" };
    default:
      return draft;
  }
}

/** The inverse of `toRule`: beside a set of several conditions, each other condition is a set of its own. */
export function toDraft(rule: CompletionRule): DraftRule {
  const { match, tests } = toCondition(rule);
  if (!tests.some((test) => "tests" in test)) return { match: "any", sets: [newSet(match, listed(tests))] };
  return {
    match,
    sets: tests.map((test) =>
      "tests" in test ? newSet(test.match, test.tests.map(toDraftTest)) : newSet("all", [toDraftTest(test)]),
    ),
  };
}
const listed = (tests: CompletionCondition["tests"]) =>
  tests.flatMap((test) => ("tests" in test ? [] : [toDraftTest(test)]));

const isOrder = (is: string) => ["more", "atLeast", "less", "atMost"].includes(is);
const toNumber = (text: string) => (text.trim() === "" ? Number.NaN : Number(text.trim().replace(",", ".")));

function toTest({ kind, sco, is, value, key }: DraftTest): unknown {
  switch (kind) {
    case "score":
      return { kind, percent: toNumber(value) };
    case "part":
      return { kind, sco, is };
    case "partScore":
      return { kind, sco, percent: toNumber(value) };
    case "time":
      return { kind, minutes: toNumber(value) };
    case "variable": {
      if (is === "set" || is === "notSet") return { kind, key, is };
      if (value.trim() === "") return { kind, key, is };
      // Equal numbers are found by their texts, too; only an order needs a number.
      const number = isOrder(is) ? toNumber(value) : Number.NaN;
      return { kind, key, is, value: Number.isNaN(number) ? value : number };
    }
    default:
      return { kind };
  }
}

/** The rule, or null while something is missing. A set of one condition is that condition. */
export function toRule({ match, sets }: DraftRule): CompletionRule | null {
  const parts = sets.map(({ match: how, tests }) =>
    tests.length === 1 ? toTest(tests[0] as DraftTest) : { match: how, tests: tests.map(toTest) },
  );
  return completionRule.safeParse(parts.length === 1 ? parts[0] : { match, tests: parts }).data ?? null;
}

/** Whether two rules are the same in the editor, whatever the titles of their parts were. */
export const isSameRule = (a: CompletionRule, b: CompletionRule) => canonical(a) === canonical(b);
const canonical = (rule: CompletionRule) =>
  JSON.stringify(toRule(toDraft(rule)) ?? rule, (key, value: unknown) => (key === "title" ? undefined : sorted(value)));
const sorted = (value: unknown) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** What can be asked of a course of this kind. */
export function offeredKinds(kind: CourseKind, has: { parts: boolean; variables: boolean }): CompletionKind[] {
  const always: CompletionKind[] = ["reported", "score", "opened", "confirmed", "time"];
  const isPage = kind === "html";
  return [
    ...always.slice(0, 1),
    ...(isPage ? [] : (["passed"] as const)),
    ...always.slice(1),
    ...(has.parts ? (["part", "partScore"] as const) : []),
    ...(has.variables ? (["variable"] as const) : []),
  ];
}
