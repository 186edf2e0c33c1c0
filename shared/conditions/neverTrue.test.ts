import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { condition, type PersonCondition, personCondition, type PersonTest } from "#shared/conditions/conditions.ts";
import { findContradiction } from "#shared/conditions/neverTrue.ts";

const [field, other, course, group] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const;
const is = (value: string | number): PersonTest => ({ kind: "field", field, is: "equal", value });
const compared = (how: "more" | "less" | "atLeast" | "atMost" | "notEqual" | "contains", value: string | number) =>
  ({ kind: "field", field, is: how, value }) as PersonTest;
const all = (...tests: PersonCondition["tests"]): PersonCondition => ({ match: "all", tests });
const any = (...tests: PersonCondition["tests"]): PersonCondition => ({ match: "any", tests });
const inCourse = (how: "has" | "hasNot" | "completed" | "notCompleted"): PersonTest => ({
  kind: "course",
  course,
  is: how,
});

test.each<[string, PersonCondition]>([
  ["two choices", all(is("a"), is("b"))],
  ["a choice and not it", all(is("a"), compared("notEqual", "A"))],
  ["more than 5 and less than 3", all(compared("more", 5), compared("less", 3))],
  ["at least 5 and less than 5", all(compared("atLeast", 5), compared("less", 5))],
  ["7 and less than 5", all(is(7), compared("less", 5))],
  ["a day and after it", all(is("2026-03-01"), compared("more", "2026-03-01"))],
  ["after a day and before an earlier one", all(compared("more", "2026-03-02"), compared("less", "2026-03-01"))],
  ["a text without its part", all(is("north"), compared("contains", "south"))],
  ["more than a word", all(compared("more", "north"))],
  ["a value and none", all(is("a"), { kind: "field", field, is: "notSet" })],
  ["in and not in a group", all({ kind: "group", group, is: "member" }, { kind: "group", group, is: "notMember" })],
  ["completed without having it", all(inCourse("completed"), inCourse("hasNot"))],
  ["completed and not", all(inCourse("completed"), inCourse("notCompleted"))],
  [
    "no status is left",
    all(
      ...(["active", "invited", "suspended"] as const).map((status): PersonTest => ({
        kind: "status",
        is: "isNot",
        status,
      })),
    ),
  ],
  [
    "joined since a day and before it",
    all({ kind: "joined", is: "since", day: "2026-03-01" }, { kind: "joined", is: "before", day: "2026-03-01" }),
  ],
  ["every alternative is excluded", all(is("a"), { match: "any", tests: [is("b"), is("c")] })],
  [
    "any of impossible ones",
    any({ match: "all", tests: [is("a"), is("b")] }, { match: "all", tests: [is("c"), is("d")] }),
  ],
])("%s can never be true", (_, rule) => {
  expect(findContradiction(rule)).not.toBeNull();
});

test.each<[string, PersonCondition]>([
  ["one of two choices", any(is("a"), is("b"))],
  ["an alternative is left", all(is("a"), { match: "any", tests: [is("b"), is("A ")] })],
  ["at least and at most 5", all(compared("atLeast", 5), compared("atMost", 5))],
  ["two fields", all(is("a"), { kind: "field", field: other, is: "equal", value: "b" })],
  ["having a course and not its completion", all(inCourse("has"), inCourse("notCompleted"))],
  ["not a choice and no value", all(compared("notEqual", "a"), { kind: "field", field, is: "notSet" })],
])("%s may be true", (_, rule) => {
  expect(findContradiction(rule)).toBeNull();
});

test("each use allows its own kinds of tests, at most 20 of them", () => {
  const inGroup = all({ kind: "group", group, is: "member" });
  expect(condition.safeParse(inGroup).success).toBe(false);
  expect(personCondition.safeParse(inGroup).success).toBe(true);
  const answered = { match: "all", tests: [{ kind: "answer", block: "b1", is: "right" }] };
  expect(condition.safeParse(answered).success).toBe(true);
  expect(personCondition.safeParse(answered).success).toBe(false);
  const eleven = Array.from({ length: 11 }, () => is("a"));
  expect(personCondition.safeParse(all({ match: "any", tests: eleven }, { match: "any", tests: eleven })).success).toBe(
    false,
  );
});
