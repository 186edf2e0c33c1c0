import type { Questions } from "#shared/courses/questions.ts";
import type { Lesson } from "#shared/lessons/lessonDocument.ts";
import type { Question } from "#shared/lessons/questions.ts";
import type { ScenarioStep } from "#shared/lessons/scenarios.ts";
import { plainText } from "#shared/lessons/richText.ts";

const MAX_CHARS = 2000;
const words = (text: string) => text.trim().slice(0, MAX_CHARS);

/** The texts of a question and of what can be answered, by which reports show answers in words. */
function textsOf(question: Question): Record<string, string> {
  switch (question.kind) {
    case "single":
    case "multiple":
      return Object.fromEntries(question.choices.map(({ id, text }) => [id, words(plainText(text))]));
    case "match":
      return Object.fromEntries(
        question.pairs.flatMap(({ id, left, rightId, right }) => [
          [id, words(plainText(left))],
          [rightId, words(plainText(right))],
        ]),
      );
    case "order":
      return Object.fromEntries(question.items.map(({ id, text }) => [id, words(plainText(text))]));
    default:
      return {};
  }
}

/** A step of a scenario is reported like a question: what it says, and what can be chosen. */
export const describeStep = ({ title, text }: Pick<ScenarioStep, "title" | "text">) =>
  title.trim() || text.map(plainText).join(" ").trim();
const stepTexts = (step: ScenarioStep) => {
  const responses = step.choices.map(({ id, text }) => [id, words(plainText(text))] as const);
  return [step.id, { text: words(describeStep(step)), responses: Object.fromEntries(responses) }] as const;
};

/** The texts of the questions of lessons, by the id of their block, and of the steps of scenarios by their own. */
export const questionTexts = (lessons: Lesson[]): Questions =>
  Object.fromEntries(
    lessons.flatMap(({ document }) =>
      document.blocks.flatMap((block) => {
        if (block.kind === "scenario") return block.steps.filter(({ ending }) => !ending).map(stepTexts);
        if (block.kind !== "question") return [];
        const { question } = block;
        return [[block.id, { text: words(plainText(question.text)), responses: textsOf(question) }] as const];
      }),
    ),
  );
