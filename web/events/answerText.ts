import { formatDate } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import type { Answers, Question } from "#shared/events/eventQuestions.ts";

/** An answer as text; empty without one. */
export function answerText(answer: Answers[string] | undefined, kind: Question["kind"]) {
  if (Array.isArray(answer)) return answer.join(", ");
  if (kind === "checkbox" && answer === "yes") return i18n.t("core.yes");
  return kind === "date" && answer ? formatDate(answer) : (answer ?? "");
}
