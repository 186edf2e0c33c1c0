import type { TFunction } from "i18next";
import { formatNumber } from "#web/core/format/format.ts";
import { wordsOf } from "#web/lessons/learner/questions/responseWords.ts";
import { plainText } from "#shared/lessons/richText.ts";
import type { ShownQuestion, Solution } from "#shared/lessons/shownQuestions.ts";

/** What is right, in words; null where the choices show it. */
export function solutionText(question: ShownQuestion, solution: Solution, t: TFunction): string | null {
  switch (solution.kind) {
    case "choices":
      return null;
    case "trueFalse":
      return t(solution.isTrue ? "lessons.true" : "lessons.false");
    case "match": {
      if (question.kind !== "match") return null;
      const textOf = new Map([...question.lefts, ...question.rights].map(({ id, text }) => [id, plainText(text)]));
      const pairs = Object.entries(solution.pairs).map(([left, right]) => `${textOf.get(left)} – ${textOf.get(right)}`);
      return pairs.join("; ");
    }
    case "order": {
      if (question.kind !== "order") return null;
      const textOf = new Map(question.items.map(({ id, text }) => [id, plainText(text)]));
      return solution.ids.map((id, index) => `${index + 1}. ${textOf.get(id)}`).join(" ");
    }
    case "fill":
      return Object.values(solution.gaps)
        .map(({ answers }) => answers[0] ?? "")
        .join("; ");
    case "number": {
      const unit = question.kind === "number" && question.unit ? ` ${question.unit}` : "";
      return `${formatNumber(solution.answer, Number.isInteger(solution.answer) ? 0 : 2)}${unit}`;
    }
    case "text":
      return solution.answers[0] ?? "";
  }
}

/** The same where no choices are shown. */
export const solutionWords = (question: ShownQuestion, solution: Solution, t: TFunction): string =>
  solution.kind === "choices"
    ? solution.right.map(wordsOf(question)).join("; ")
    : (solutionText(question, solution, t) ?? "");
