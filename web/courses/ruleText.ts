import { i18n } from "#web/core/i18n.ts";
import { toCondition } from "#shared/courses/completion.ts";
import {
  type CompletionRule,
  type CompletionTest,
  type CourseKind,
  isWrittenHere,
} from "#shared/courses/completionRules.ts";

/** One condition of a completion rule in words: “active time is 25 min or more”. */
export function testText(test: CompletionTest, kind: CourseKind): string {
  const { t } = i18n;
  switch (test.kind) {
    case "reported":
    case "passed":
    case "opened":
      return isWrittenHere(kind)
        ? t(`courses.rule.clause.ofLessons.${test.kind}`)
        : t(`courses.rule.clause.${test.kind}`);
    case "confirmed":
      return t("courses.rule.clause.confirmed");
    case "score":
      return t("courses.rule.clause.score", { percent: test.percent });
    case "part":
      return t(`courses.rule.clause.${test.is === "done" ? "done" : "partPassed"}`, { title: test.title });
    case "partScore":
      return t("courses.rule.clause.partScore", { title: test.title, percent: test.percent });
    case "time":
      return t("courses.rule.clause.time", { minutes: test.minutes });
    case "variable":
      return "value" in test
        ? t(`conditions.field.${test.is}`, { name: test.key, value: String(test.value) })
        : t(`conditions.field.${test.is}`, { name: test.key });
  }
}

/** A completion rule as a sentence, as the server stores it (migrations/0131_completion_rules.sql). */
export function ruleText(rule: CompletionRule, kind: CourseKind): string {
  const { t } = i18n;
  const { match, tests } = toCondition(rule);
  const join = (how: "all" | "any", parts: string[]) =>
    parts.join(how === "all" ? t("conditions.and") : t("conditions.or"));
  const sentence = join(
    match,
    tests.map((test) =>
      "tests" in test
        ? `(${join(
            test.match,
            test.tests.map((one) => testText(one, kind)),
          )})`
        : testText(test, kind),
    ),
  );
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
