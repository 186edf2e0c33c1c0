import { formatDate } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import type { Answers, Question } from "#shared/eventQuestions.ts";

/** An answer as people read it; empty when there is none. */
export const answerText = (answer: Answers[string] | undefined, kind: Question["kind"]) =>
  Array.isArray(answer)
    ? answer.join(", ")
    : kind === "checkbox" && answer === "yes"
      ? i18n.t("core.yes")
      : kind === "date" && answer
        ? formatDate(answer)
        : (answer ?? "");
