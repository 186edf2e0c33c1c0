import type { Questions } from "#shared/courses/questions.ts";
import type { Lesson } from "#shared/lessons/lessonDocument.ts";
import type { Question } from "#shared/lessons/questions.ts";
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

/** The texts of the questions of lessons, by the id of their block. */
export const questionTexts = (lessons: Lesson[]): Questions =>
  Object.fromEntries(
    lessons.flatMap(({ document }) =>
      document.blocks.flatMap((block) =>
        block.kind === "question"
          ? [[block.id, { text: words(plainText(block.question.text)), responses: textsOf(block.question) }]]
          : [],
      ),
    ),
  );
