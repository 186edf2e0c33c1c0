import { type PersonCondition, personCondition, type PersonTest } from "#shared/conditions/conditions.ts";
import type { Field } from "#shared/fields/fields.ts";

// A rule while it is edited: values may still be missing

/** What a test asks: a field by its id, or one of the other kinds. */
export type DraftTest = {
  /** Keeps its input while others are removed. */
  id: number;
  subject: "status" | "joined" | "group" | "course" | "variable" | `field:${string}`;
  is: string;
  /** A day, a choice, a text, an id, or a number as typed. */
  value: string;
  /** The key of the variable. */
  key: string;
};
export type DraftRule = { match: "all" | "any"; tests: DraftTest[]; any: DraftTest[] };

let last = 0;
const nextId = () => ++last;

export const newTest = (subject: DraftTest["subject"]): DraftTest => ({
  id: nextId(),
  subject,
  is: comparisonsOf(subject)[0] ?? "equal",
  value: subject === "status" ? "active" : "",
  key: "",
});

const ofValue = ["equal", "notEqual", "more", "atLeast", "less", "atMost", "contains", "set", "notSet"];
const ofKind: Record<Field["kind"], string[]> = {
  text: ["equal", "notEqual", "contains", "set", "notSet"],
  choice: ["equal", "notEqual", "set", "notSet"],
  date: ["atLeast", "more", "atMost", "less", "equal", "notEqual", "set", "notSet"],
  number: ["equal", "notEqual", "more", "atLeast", "less", "atMost", "set", "notSet"],
};
/** The comparisons of a subject, the usual one first. */
export function comparisonsOf(subject: DraftTest["subject"], kind: Field["kind"] = "text"): string[] {
  if (subject === "status") return ["is", "isNot"];
  if (subject === "joined") return ["since", "before", "within"];
  if (subject === "group") return ["member", "notMember"];
  if (subject === "course") return ["has", "hasNot", "completed", "notCompleted"];
  return subject === "variable" ? ofValue : ofKind[kind];
}

function toDraftTest(test: PersonTest): DraftTest {
  const draft = (subject: DraftTest["subject"], value: string | number | boolean, key = "") => ({
    id: nextId(),
    subject,
    is: test.is,
    value: String(value),
    key,
  });
  switch (test.kind) {
    case "field":
      return draft(`field:${test.field}`, "value" in test ? test.value : "");
    case "variable":
      return draft("variable", "value" in test ? test.value : "", test.key);
    case "group":
      return draft("group", test.group);
    case "course":
      return draft("course", test.course);
    case "status":
      return draft("status", test.status);
    case "joined":
      return draft("joined", test.is === "within" ? test.days : test.day);
  }
}

/** The editor shows one group of alternatives; other shapes, which only the API makes, are kept as they are. */
export function toDraft(rule: PersonCondition | null): DraftRule | null {
  if (!rule) return { match: "all", tests: [], any: [] };
  const inner = rule.tests.flatMap((test) => ("tests" in test ? [test] : []));
  if (inner.length > 1 || inner.some(({ match }) => match === rule.match)) return null;
  return {
    match: rule.match,
    tests: rule.tests.flatMap((test) => ("tests" in test ? [] : [toDraftTest(test)])),
    any: inner.flatMap(({ tests }) => tests.map(toDraftTest)),
  };
}

const toNumber = (text: string) => Number(text.trim().replace(",", "."));

function toTest({ subject, is, value, key }: DraftTest, kindOf: (field: string) => Field["kind"] | undefined): unknown {
  if (subject === "status") return { kind: "status", is, status: value };
  if (subject === "joined")
    return is === "within" ? { kind: "joined", is, days: toNumber(value) } : { kind: "joined", is, day: value };
  if (subject === "group") return { kind: "group", group: value, is };
  if (subject === "course") return { kind: "course", course: value, is };
  const isNumeric = value.trim() !== "" && !Number.isNaN(toNumber(value));
  const needsNone = is === "set" || is === "notSet";
  if (subject === "variable")
    return {
      kind: "variable",
      key,
      is,
      ...(!needsNone && value !== "" && { value: isNumeric ? toNumber(value) : value }),
    };
  const field = subject.slice("field:".length);
  if (needsNone) return { kind: "field", field, is };
  if (kindOf(field) !== "number") return { kind: "field", field, is, value };
  return { kind: "field", field, is, value: isNumeric ? toNumber(value) : null };
}

/** The rule, or null while something is missing. */
export function toRule(draft: DraftRule, fields: Field[]): PersonCondition | null {
  const kindOf = (id: string) => fields.find((field) => field.id === id)?.kind;
  const tests = draft.tests.map((test) => toTest(test, kindOf));
  const any = draft.any.map((test) => toTest(test, kindOf));
  const inner = any.length > 0 ? [{ match: draft.match === "all" ? "any" : "all", tests: any }] : [];
  return personCondition.safeParse({ match: draft.match, tests: [...tests, ...inner] }).data ?? null;
}
