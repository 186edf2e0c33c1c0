import { formatDate } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import type { PersonCondition, PersonTest } from "#shared/conditions/conditions.ts";
import type { Group, GroupDetail } from "#shared/groups/groups.ts";

/** Names of what a rule refers to, by id; variables by key. */
export type RuleNames = Readonly<Record<string, string>>;

const isDay = (value: string | number | boolean) => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);

/** One test in words: "Department is Operations". */
export function testText(test: PersonTest, names: RuleNames): string {
  const { t } = i18n;
  const nameOf = (id: string) => names[id] ?? t("conditions.gone");
  switch (test.kind) {
    case "field":
    case "variable": {
      const name = test.kind === "field" ? nameOf(test.field) : (names[test.key] ?? test.key);
      if (!("value" in test)) return t(`conditions.field.${test.is}`, { name });
      const text = String(test.value);
      const value = isDay(test.value) ? formatDate(text) : (names[text] ?? text);
      if (isDay(test.value) && test.is !== "equal" && test.is !== "notEqual" && test.is !== "contains")
        return t(`conditions.day.${test.is}`, { name, value });
      return t(`conditions.field.${test.is}`, { name, value });
    }
    case "group":
      return t(`conditions.group.${test.is}`, { name: nameOf(test.group) });
    case "course":
      return t(`conditions.course.${test.is}`, { name: nameOf(test.course) });
    case "status":
      return t(`conditions.status.${test.is}`, { status: t(`learners.is.${test.status}`).toLowerCase() });
    case "joined":
      return test.is === "within"
        ? t("conditions.joined.within", { count: test.days })
        : t(`conditions.joined.${test.is}`, { day: formatDate(test.day) });
  }
}

/** A rule as a sentence: "Department is Operations and joined since 1 Mar 2026". */
export function ruleText({ match, tests }: PersonCondition, names: RuleNames): string {
  const { t } = i18n;
  const join = (how: "all" | "any", parts: string[]) =>
    parts.join(how === "all" ? t("conditions.and") : t("conditions.or"));
  const sentence = join(
    match,
    tests.map((test) => {
      if (!("tests" in test)) return testText(test, names);
      const inner = join(
        test.match,
        test.tests.map((one) => testText(one, names)),
      );
      return test.tests.length > 1 ? `(${inner})` : inner;
    }),
  );
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** How the people of a group are chosen. */
export const kindOf = ({ rule, provided }: Pick<Group, "rule" | "provided">) => {
  if (provided) return "provided";
  return rule ? "rule" : "hand";
};

/** Who belongs to a group, in words. */
export function whoBelongs(group: Pick<GroupDetail, "rule" | "provided" | "names">) {
  const { rule, provided, names } = group;
  if (provided) return i18n.t("groups.fromDirectory");
  return rule ? ruleText(rule, names) : i18n.t("groups.chosenByHand");
}
