import { i18n } from "#web/core/i18n.ts";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import { testText } from "#web/courses/ruleText.ts";
import {
  type Completion,
  conditionsOf,
  type ConditionState,
  type MissingPart,
  type RuleState,
} from "#shared/completions/completions.ts";
import { type CourseKind, isWrittenHere } from "#shared/courses/completionRules.ts";

/** Parts that a condition lists by their titles. */
const MAX_TITLES = 5;

/** A condition as its title: “Active time is 25 min or more”. */
export function conditionTitle({ test, label }: Pick<ConditionState, "test" | "label">, kind: CourseKind) {
  if (test.kind === "hidden") return i18n.t("completions.hidden");
  const text = testText(test.kind === "variable" && label !== null ? { ...test, key: label } : test, kind);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The value of a condition beside its limit: “12 of 22 parts”. */
export function conditionValue(condition: ConditionState, kind: CourseKind): string {
  const { t } = i18n;
  const { test, isMet, value, limit, part } = condition;
  switch (test.kind) {
    case "reported":
    case "passed":
    case "opened":
      return t(isWrittenHere(kind) ? "completions.value.lessons" : "completions.value.parts", {
        value: Number(value),
        count: Number(limit),
      });
    case "score":
    case "partScore": {
      if (test.kind === "partScore" && part === null) return t("completions.value.notInVersion");
      const of = formatPercent(test.percent);
      if (typeof value !== "number") return t("completions.value.noScore", { limit: of });
      return t("completions.value.percent", { value: formatPercent(value), limit: of });
    }
    case "time":
      return t("completions.value.time", {
        value: formatDuration(Number(value)),
        limit: formatDuration(Number(limit)),
      });
    case "confirmed":
      return t(isMet ? "completions.value.confirmed" : "completions.value.notConfirmed");
    case "part":
      if (part === null) return t("completions.value.notInVersion");
      return t(isMet ? "completions.value.done" : "completions.value.notDone");
    case "hidden":
      return t("completions.value.noValue");
    case "variable":
      return value === null
        ? t("completions.value.noValue")
        : t("completions.value.variable", { value: String(value) });
  }
}

/** The parts that a condition lacks; null where it says that already. */
export function missingText({ test, missing }: ConditionState) {
  const { t } = i18n;
  if (missing.length === 0 || test.kind === "part" || test.kind === "partScore") return null;
  const parts = partTitles(missing);
  return t(test.kind === "score" ? "completions.below" : "completions.missing", { parts });
}

/** The titles of parts, of many the first ones. */
export function partTitles(parts: MissingPart[]) {
  const titles = parts
    .slice(0, MAX_TITLES)
    .map(({ title }) => title)
    .join(", ");
  const count = parts.length - MAX_TITLES;
  return count > 0 ? i18n.t("completions.more", { parts: titles, count }) : titles;
}

/** How many conditions are met, and how many of them are needed. */
export function metText(state: RuleState) {
  const { t } = i18n;
  const all = conditionsOf(state);
  const met = all.filter(({ isMet }) => isMet).length;
  const isOne = all.length === 1 || state.tests.some((test) => "tests" in test);
  return {
    met: t("completions.met", { met, count: all.length }),
    needs: isOne ? "" : t(`completions.needs.${state.match}`),
  };
}

/** All of it as text, for a mail or a ticket. */
export function completionText(completion: Completion, facts: string[]) {
  const { t } = i18n;
  const { state, kind, course, status } = completion;
  const lineOf = (condition: ConditionState, indent = "") =>
    [
      `${indent}${condition.isMet ? "✓" : "–"} ${conditionTitle(condition, kind)}`,
      `${indent}  ${[conditionValue(condition, kind), missingText(condition)].filter(Boolean).join(". ")}`,
    ].join("\n");
  const conditions = (state?.tests ?? []).map((test) =>
    "tests" in test
      ? [t(`completions.setOf.${test.match}`), ...test.tests.map((one) => lineOf(one, "  "))].join("\n")
      : lineOf(test),
  );
  return [
    t(status === "completed" ? "completions.titleComplete" : "completions.title", { course }),
    ...facts,
    ...(state ? [Object.values(metText(state)).join(" ").trim()] : []),
    ...conditions,
  ].join("\n");
}
