import { i18n } from "#web/core/i18n.ts";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import { testText } from "#web/courses/ruleText.ts";
import type { RuleChangeRow, TestOutcome } from "#shared/completionRules/ruleChanges.ts";
import { testsOf } from "#shared/courses/completion.ts";
import type { CompletionRule, CompletionTest, CourseKind } from "#shared/courses/completionRules.ts";

/** Conditions that are named in one line. */
const MAX_NAMED = 3;

/** Why a rule changes the completion of a learner: what they have of what it asks for. */
export function reasonOf({ change, tests }: RuleChangeRow, rule: CompletionRule, kind: CourseKind): string {
  const met = change === "becomes";
  const named = testsOf(rule)
    .flatMap((test, at) => {
      const outcome = tests[at];
      return outcome?.isMet === met ? [met ? hasText(test, outcome, kind) : lacksText(test, outcome, kind)] : [];
    })
    .slice(0, MAX_NAMED)
    .join(", ");
  return named.charAt(0).toUpperCase() + named.slice(1);
}

function figureOf(test: CompletionTest, { value }: TestOutcome): string | null {
  const { t } = i18n;
  if (value === null) return null;
  if (test.kind === "score") return t("completionRules.has.score", { percent: formatPercent(value) });
  if (test.kind === "partScore")
    return t("completionRules.has.partScore", { title: test.title, percent: formatPercent(value) });
  return test.kind === "time" ? t("completionRules.has.time", { time: formatDuration(value) }) : null;
}

const hasText = (test: CompletionTest, outcome: TestOutcome, kind: CourseKind) =>
  figureOf(test, outcome) ?? testText(test, kind);

function lacksText(test: CompletionTest, outcome: TestOutcome, kind: CourseKind) {
  const { t } = i18n;
  const has = figureOf(test, outcome);
  if (has && test.kind === "time") return t("completionRules.lacks.time", { has, minutes: test.minutes });
  if (has && "percent" in test) return t("completionRules.lacks.percent", { has, percent: test.percent });
  return t("completionRules.lacks.other", { condition: testText(test, kind) });
}
