import { z } from "zod";
import { holds, type Facts } from "#shared/conditions/evaluate.ts";
import { lessonBlock, questionBlock } from "#shared/lessons/blocks.ts";
import { type LessonDocument, lessonDocument } from "#shared/lessons/lessonDocument.ts";
import { type Shuffle, shownQuestion, toShown } from "#shared/lessons/shownQuestions.ts";

// A lesson as learners get it: the same document with its questions apart from their keys

const otherBlock = z.discriminatedUnion(
  "kind",
  lessonBlock.options.filter((option) => option !== questionBlock) as unknown as [
    Exclude<(typeof lessonBlock.options)[number], typeof questionBlock>,
  ],
);
const shownQuestionBlock = questionBlock.extend({ question: shownQuestion });
export const shownBlock = z.union([otherBlock, shownQuestionBlock]);
export type ShownBlock = z.infer<typeof shownBlock>;
export type ShownBlockOf<K extends ShownBlock["kind"]> = Extract<ShownBlock, { kind: K }>;

export const shownDocument = lessonDocument.extend({ blocks: z.array(shownBlock) });
export type ShownDocument = z.infer<typeof shownDocument>;

/** `shuffleOf` returns the order of a question by the id of its block. */
export const toShownDocument = (document: LessonDocument, shuffleOf: (block: string) => Shuffle): ShownDocument => ({
  ...document,
  blocks: document.blocks.map((block) => {
    if (block.kind !== "question") return block;
    const { quiz } = document;
    if (!quiz) return { ...block, question: toShown(block.question, shuffleOf(block.id)) };
    // In a quiz every question counts, once an attempt, and is shown to everyone for whom it is drawn.
    const { showWhen: _, ...rest } = block;
    const rules = { graded: true, required: true, tries: 1, ...(quiz.shuffleChoices && { shuffle: true }) };
    return { ...rest, question: toShown({ ...block.question, ...rules }, shuffleOf(block.id)) };
  }),
});

/** Without what must not be known before an answer counts. */
export const withoutKeys = (document: ShownDocument): ShownDocument => ({
  ...document,
  blocks: document.blocks.map((block) =>
    block.kind === "question" && block.question.graded
      ? { ...block, question: { ...block.question, key: null } }
      : block,
  ),
});

export const isShown = ({ showWhen }: Pick<ShownBlock, "showWhen">, facts: Facts) =>
  !showWhen || holds(showWhen, facts);
