import type { Condition } from "#shared/conditions/conditions.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { textsOf } from "#shared/lessons/blockTexts.ts";
import type { DraftProblem } from "#shared/lessons/drafts.ts";
import type { ReadLesson } from "#shared/lessons/editing/nodesToDocument.ts";
import { listTests } from "#shared/conditions/conditions.ts";
import type { QuizSettings } from "#shared/lessons/quiz.ts";
import { checkQuiz } from "#shared/lessons/quizChecks.ts";
import { describeStep } from "#shared/lessons/questionTexts.ts";
import { hasReachableEnding, looseChoices, reachableSteps } from "#shared/lessons/scenarios.ts";
import { plainText, type RichText } from "#shared/lessons/richText.ts";

// What readers need, checked before a lesson is published. What learners could not get past stops publishing: a
// question without a right answer, a required scenario without an ending.

type Found = Omit<DraftProblem, "lessonId" | "node"> & { node?: string };
const note = (code: DraftProblem["code"], blockId: string | null, about = ""): Found => ({
  code,
  blockId,
  about: about.slice(0, 200),
  blocks: code === "noRightAnswer",
});

/** Link texts that say nothing without their sentence, in English, German, French, Spanish and Italian. */
const VAGUE =
  /^(click |read |learn |see )?(here|this|link|more|read more|click here|hier|mehr|ici|aquí|qui|weiterlesen)[.:!…]*$/i;

const isEmpty = (text: RichText) => plainText(text).trim() === "";

/** Texts that a learner would miss. */
function neededTexts(block: LessonBlock): RichText[] {
  if (block.kind === "heading") return [block.text];
  if (block.kind === "question") {
    const { question } = block;
    if (question.kind === "single" || question.kind === "multiple")
      return [question.text, ...question.choices.map(({ text }) => text)];
    if (question.kind === "match")
      return [question.text, ...question.pairs.flatMap(({ left, right }) => [left, right])];
    if (question.kind === "order") return [question.text, ...question.items.map(({ text }) => text)];
    return [question.text];
  }
  if (block.kind === "reflection" || block.kind === "rating" || block.kind === "slider") return [block.text];
  if (block.kind === "flashcards") return block.cards.flatMap(({ front, back }) => [front, back]);
  if (block.kind === "accordion" || block.kind === "tabs" || block.kind === "process")
    return block.items.map(({ title }) => title);
  if (block.kind === "scenario")
    return block.steps.flatMap(({ text, choices }) => [...text.slice(0, 1), ...choices.map((choice) => choice.text)]);
  if (block.kind === "checklist") return block.items.map(({ text }) => text);
  return block.kind === "callout" || block.kind === "confirmation" ? block.text.slice(0, 1) : [];
}

const variablesOf = (condition: Condition) =>
  listTests(condition).flatMap((test) => (test.kind === "variable" ? [test.key] : []));

/** The keys of variables that a block reads or writes. */
export const variablesIn = (block: LessonBlock) => [
  ...textsOf(block).flatMap(({ runs }) => runs.flatMap((run) => (run.kind === "variable" ? [run.key] : []))),
  ...(block.showWhen ? variablesOf(block.showWhen) : []),
];

function checkBlock(block: LessonBlock, known: ReadonlySet<string>): Found[] {
  const found: Found[] = [];
  const add = (code: DraftProblem["code"], about?: string) => found.push(note(code, block.id, about));
  if (block.kind === "image" && !block.isDecorative && block.alt.trim() === "") add("alternativeText", block.file.name);
  if (block.kind === "video" && block.captions.length === 0) add("captions", block.title || block.file.name);
  if (block.kind === "audio" && block.transcript.every(isEmpty)) add("captions", block.title || block.file.name);
  if (block.kind === "table" && !block.hasHead && !block.hasHeadColumn) add("tableHead", block.caption);
  for (const { runs } of textsOf(block))
    for (const run of runs)
      if (run.kind === "text" && run.link && VAGUE.test(run.text.trim())) add("linkText", run.text.trim());
  if (neededTexts(block).some(isEmpty)) add("empty");
  if (block.kind === "scenario") found.push(...checkScenario(block));
  for (const key of new Set(variablesIn(block))) if (!known.has(key)) add("unknownVariable", key);
  return found.map((one) => ({ ...one, node: block.kind }));
}

function checkScenario(block: Extract<LessonBlock, { kind: "scenario" }>): Found[] {
  const found = looseChoices(block).map(({ choice }) => note("looseChoice", block.id, plainText(choice.text)));
  const reached = reachableSteps(block);
  for (const step of block.steps)
    if (!reached.has(step)) found.push(note("unreachedStep", block.id, describeStep(step)));
  if (!hasReachableEnding(block)) found.push({ ...note("noEnding", block.id, block.title), blocks: block.required });
  return found;
}

function checkHeadings(blocks: LessonBlock[]): Found[] {
  // The title of the lesson is the first level.
  let level = 1;
  return blocks.flatMap((block) => {
    if (block.kind !== "heading") return [];
    const isSkipping = block.level > level + 1;
    level = block.level;
    return isSkipping ? [note("headingOrder", block.id, plainText(block.text))] : [];
  });
}

/** What is wrong with a lesson; `known` are the keys of variables that exist or that lessons write. */
export function checkLesson(
  lesson: { id: string; quiz?: QuizSettings | undefined } & (ReadLesson | { document: null }),
  known: ReadonlySet<string>,
): DraftProblem[] {
  const found: Found[] = [];
  if (!lesson.document) found.push({ ...note("broken", null), blocks: true });
  else {
    for (const { blockId, node, fields, text } of lesson.unfinished) {
      // A question without choices or answers has no right one.
      const isQuestion = node === "question";
      const code = isQuestion ? "noRightAnswer" : "unfinished";
      found.push({ ...note(code, blockId, isQuestion ? text : (fields[0] ?? "")), node });
    }
    if (lesson.document.blocks.length === 0 && lesson.unfinished.length === 0) found.push(note("noBlocks", null));
    found.push(...lesson.document.blocks.flatMap((block) => checkBlock(block, known)));
    if (lesson.quiz)
      for (const { code, blocks, about } of checkQuiz(lesson.document.blocks, lesson.quiz))
        found.push({ ...note(code, null, about), blocks });
    found.push(...checkHeadings(lesson.document.blocks).map((one) => ({ ...one, node: "heading" })));
  }
  return found.map((one) => ({ node: "", ...one, lessonId: lesson.id }));
}
