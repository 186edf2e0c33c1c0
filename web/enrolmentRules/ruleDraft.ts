import { type DraftRule, newTest, toDraft, toRule } from "#web/groups/draftTests.ts";
import type { Field } from "#shared/fields/fields.ts";
import { type Due, MAX_DUE_DAYS } from "#shared/enrolmentRules/due.ts";
import type { RuleDetail, RuleInput } from "#shared/enrolmentRules/enrolmentRules.ts";

// A rule while it is edited: values may still be missing

export type RuleDraft = Pick<RuleInput, "name" | "explanation" | "courseIds" | "people" | "leaving" | "notify"> & {
  who: "everybody" | "some";
  /** Null for a condition of another shape, which only the API makes; it is kept as it is. */
  condition: DraftRule | null;
  dueKind: Due["kind"];
  days: number | "";
  day: string | null;
};

export const newDraft = (): RuleDraft => ({
  name: "",
  explanation: "",
  courseIds: [],
  people: "all",
  leaving: "keep",
  notify: true,
  who: "some",
  condition: { match: "all", tests: [newTest("status")], any: [] },
  dueKind: "assigned",
  days: 14,
  day: null,
});

export function draftOf(rule: RuleDetail): RuleDraft {
  const { name, explanation, people, leaving, notify, due, courses, condition } = rule;
  return {
    name,
    explanation,
    people,
    leaving,
    notify,
    courseIds: courses.map(({ id }) => id),
    who: condition ? "some" : "everybody",
    condition: condition ? toDraft(condition) : { match: "all", tests: [newTest("status")], any: [] },
    dueKind: due.kind,
    days: "days" in due ? due.days : 14,
    day: due.kind === "day" ? due.day : null,
  };
}

/** The due date, or null while it is unfinished. */
export function dueOf({ dueKind, days, day }: RuleDraft): Due | null {
  if (dueKind === "none") return { kind: "none" };
  if (dueKind === "day") return day ? { kind: "day", day } : null;
  const isValid = typeof days === "number" && Number.isInteger(days) && days >= 1 && days <= MAX_DUE_DAYS;
  return isValid ? { kind: dueKind, days } : null;
}

/** What a rule asks for; `undefined` while it is unfinished. */
export function conditionOf(draft: RuleDraft, stored: RuleInput["condition"], fields: Field[]) {
  if (draft.who === "everybody") return null;
  if (draft.condition === null) return stored;
  return toRule(draft.condition, fields) ?? undefined;
}
