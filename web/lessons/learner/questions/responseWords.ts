import type { TFunction } from "i18next";
import { formatNumber } from "#web/core/format/format.ts";
import type { QuestionResponse } from "#shared/lessons/questions.ts";
import { plainText } from "#shared/lessons/richText.ts";
import type { ShownQuestion } from "#shared/lessons/shownQuestions.ts";

/** The texts of what can be chosen in a question, by id. */
export function wordsOf(question: ShownQuestion): (id: string) => string {
  const lists = [
    "choices" in question ? question.choices : [],
    "items" in question ? question.items : [],
    "lefts" in question ? [...question.lefts, ...question.rights] : [],
  ];
  const texts = new Map(lists.flat().map(({ id, text }) => [id, plainText(text)]));
  return (id) => texts.get(id) ?? id;
}

/** An answer in words. */
export function responseWords(question: ShownQuestion, response: QuestionResponse, t: TFunction): string {
  const words = wordsOf(question);
  switch (response.kind) {
    case "choices":
      return response.chosen.map(words).join("; ");
    case "trueFalse":
      return t(response.value ? "lessons.true" : "lessons.false");
    case "match":
      return Object.entries(response.pairs)
        .map(([left, right]) => `${words(left)} – ${words(right)}`)
        .join("; ");
    case "order":
      return response.ids.map(words).join("; ");
    case "fill":
      return Object.values(response.gaps).join("; ");
    case "number":
      return formatNumber(response.value, Number.isInteger(response.value) ? 0 : 3);
    case "text":
      return response.text;
  }
}
