import type { FoundText } from "#server/documents/parsing/readText.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { textsOf } from "#shared/lessons/blockTexts.ts";
import type { LessonDocument } from "#shared/lessons/lessonDocument.ts";
import { listTests } from "#shared/conditions/conditions.ts";
import { plainText } from "#shared/lessons/richText.ts";

/**
 * The text of a lesson as a source of answers. Questions are left out with their feedback, and so are blocks that
 * depend on an answer: what they say may be its solution. Of a scenario, wrong choices would be quoted like facts.
 */
export const lessonText = ({ blocks }: LessonDocument): FoundText[] => blocks.filter(isOpenToAll).flatMap(blockText);

const isOpenToAll = ({ kind, showWhen }: LessonBlock) =>
  kind !== "question" &&
  kind !== "scenario" &&
  !(showWhen && listTests(showWhen).some((test) => test.kind === "answer"));

function blockText(block: LessonBlock): FoundText[] {
  switch (block.kind) {
    case "heading":
      return [{ text: plainText(block.text), level: block.level - 1 }];
    case "table":
      return block.rows.map((row) => ({ text: row.map(plainText).join(" | ") }));
    case "code":
      return [{ text: block.text }];
    case "image":
      return [{ text: block.alt }, ...textsOf(block).map((text) => ({ text: plainText(text) }))];
    default:
      return textsOf(block).map((text) => ({ text: plainText(text) }));
  }
}
