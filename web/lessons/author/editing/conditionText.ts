import { i18n } from "#web/core/i18n.ts";
import type { Condition, ConditionTest } from "#shared/conditions/conditions.ts";

type Labels = { variables: ReadonlyMap<string, string>; questions: ReadonlyMap<string, string> };

const MAX_CHARS = 60;
const shorten = (text: string) => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text);

function testText(test: ConditionTest, { variables, questions }: Labels) {
  const { t } = i18n;
  if (test.kind === "variable") {
    const name = variables.get(test.key) ?? test.key;
    const value = "value" in test ? String(test.value) : "";
    return t(`lessonDrafts.condition.variable.${test.is}`, { name, value });
  }
  const name = shorten(questions.get(test.block) ?? "") || t("lessonDrafts.condition.goneQuestion");
  const choice =
    "choice" in test ? shorten(questions.get(test.choice) ?? "") || t("lessonDrafts.condition.goneChoice") : "";
  return t(`lessonDrafts.condition.answer.${test.is}`, { name, choice });
}

/** A condition as a sentence: "Shown when Confidence is below 5 and …". */
export function conditionText(condition: Condition, labels: Labels): string {
  const { t } = i18n;
  const join = (match: "all" | "any", parts: string[]) =>
    parts.join(match === "all" ? t("lessonDrafts.condition.and") : t("lessonDrafts.condition.or"));
  const parts = condition.tests.map((test) => {
    if (!("tests" in test)) return testText(test, labels);
    return `(${join(
      test.match,
      test.tests.map((one) => testText(one, labels)),
    )})`;
  });
  return t("lessonDrafts.condition.shownWhen", { condition: join(condition.match, parts) });
}
