import { compare, inOrder, isEmpty } from "#shared/conditions/compare.ts";
import type {
  Condition,
  ConditionOf,
  ConditionTest,
  PersonCondition,
  PersonTest,
  TestKind,
  TestOf,
} from "#shared/conditions/conditions.ts";
import type { FieldKind } from "#shared/fields/fields.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

/** What is known of a learner. An answer is right, wrong or partly right; `chosen` are the ids of its choices. */
export type AnswerFact = { result: "right" | "wrong" | "partly"; chosen: string[] };
export type Facts = {
  value: (key: string) => VariableValue;
  answer: (block: string) => AnswerFact | undefined;
};

/** Whether a condition holds: for the browser, which shows blocks by it, and for the server, which counts them. */
export const holds = (condition: Condition, facts: Facts) => combine(condition, (test) => testHolds(test, facts));

/** Whether the tests of a condition combine to true. */
export function combine<Kind extends TestKind>(
  condition: ConditionOf<Kind>,
  isMet: (test: TestOf<Kind>) => boolean,
): boolean {
  const results = condition.tests.map((test) => {
    if (!("tests" in test)) return isMet(test);
    return test.tests[test.match === "all" ? "every" : "some"](isMet);
  });
  return condition.match === "all" ? results.every(Boolean) : results.some(Boolean);
}

function testHolds(test: ConditionTest, facts: Facts): boolean {
  if (test.kind === "variable") return variableHolds(test, facts.value(test.key));
  const answer = facts.answer(test.block);
  switch (test.is) {
    case "answered":
      return answer !== undefined;
    case "notAnswered":
      return answer === undefined;
    case "right":
      return answer?.result === "right";
    case "wrong":
      return answer !== undefined && answer.result !== "right";
    case "chosen":
      return answer?.chosen.includes(test.choice) ?? false;
    case "notChosen":
      return !answer?.chosen.includes(test.choice);
  }
}

export function variableHolds(test: TestOf<"variable">, value: VariableValue): boolean {
  if (!("value" in test)) return isEmpty(value) === (test.is === "notSet");
  return compare(test.is, value, test.value);
}

/** What is known of a person in a company. Days are in its time zone; `enrolment` is null without the course. */
export type PersonFacts = {
  value: (key: string) => VariableValue;
  field: (id: string) => { kind: FieldKind; value: string | number | null };
  isMember: (group: string) => boolean;
  joinedOn: string | null;
  /** The first of the last `days` days. */
  firstOf: (days: number) => string;
  status: string;
  enrolment: (course: string) => { isCompleted: boolean } | null;
};

/** What groups ask in SQL, in words of the browser: tests compare the two for random people and conditions. */
export const holdsForPerson = (condition: PersonCondition, facts: PersonFacts) =>
  combine(condition, (test) => personTestHolds(test, facts));

function personTestHolds(test: PersonTest, facts: PersonFacts): boolean {
  switch (test.kind) {
    case "variable":
      return variableHolds(test, facts.value(test.key));
    case "field":
      return fieldHolds(test, facts.field(test.field));
    case "group":
      return facts.isMember(test.group) === (test.is === "member");
    case "status":
      return (facts.status === test.status) === (test.is === "is");
    case "joined": {
      if (facts.joinedOn === null) return false;
      if (test.is === "within") return facts.joinedOn >= facts.firstOf(test.days);
      return test.is === "since" ? facts.joinedOn >= test.day : facts.joinedOn < test.day;
    }
    case "course": {
      const enrolment = facts.enrolment(test.course);
      if (test.is === "has") return enrolment !== null;
      if (test.is === "hasNot") return enrolment === null;
      return (enrolment?.isCompleted ?? false) === (test.is === "completed");
    }
  }
}

function fieldHolds(test: TestOf<"field">, { kind, value }: ReturnType<PersonFacts["field"]>): boolean {
  if (!("value" in test)) return (value === null) === (test.is === "notSet");
  const isOrder = test.is !== "equal" && test.is !== "notEqual" && test.is !== "contains";
  if (kind === "date" && isOrder)
    return value !== null && inOrder(test.is as "more", String(value), String(test.value));
  return compare(test.is, value, test.value);
}
