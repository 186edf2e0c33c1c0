import type { LessonBlock } from "#shared/lessons/blocks.ts";
import type { Question } from "#shared/lessons/questions.ts";
import { plainText, type RichText } from "#shared/lessons/richText.ts";

/** All texts of a question that learners read. */
function questionTexts(question: Question): RichText[] {
  const feedback = [question.feedback.right, question.feedback.wrong];
  const own = (() => {
    if (question.kind === "single" || question.kind === "multiple")
      return question.choices.flatMap(({ text, feedback: reason }) => [text, reason]);
    if (question.kind === "match") return question.pairs.flatMap(({ left, right }) => [left, right]);
    return question.kind === "order" ? question.items.map(({ text }) => text) : [];
  })();
  return [question.text, ...own, ...feedback].filter((text) => text !== null);
}

/** All texts of a block that have an id, in the order of reading. */
export function textsOf(block: LessonBlock): RichText[] {
  switch (block.kind) {
    case "list":
    case "checklist":
      return block.items.map(({ text }) => text);
    case "table":
      return block.rows.flat();
    case "callout":
    case "confirmation":
      return block.text;
    case "image":
      return [block.caption];
    case "video":
    case "audio":
      return block.transcript;
    case "accordion":
    case "tabs":
    case "process":
      return block.items.flatMap(({ title, text }) => [title, ...text]);
    case "flashcards":
      return block.cards.flatMap(({ front, back }) => [front, back]);
    case "question":
      return questionTexts(block.question);
    case "scenario":
      return block.steps.flatMap(({ text, choices }) => [
        ...text,
        ...choices.flatMap((choice) => [choice.text, ...(choice.feedback ? [choice.feedback] : [])]),
      ]);
    case "code":
    case "divider":
    case "file":
    case "button":
      return [];
    default:
      return [block.text];
  }
}

const MAX_DESCRIBED_CHARS = 120;
/** The beginning of a block, by which authors recognise it. */
export function describeBlock(block: LessonBlock) {
  const texts = block.kind === "question" ? [block.question.text] : textsOf(block);
  const words = [nameOf(block), ...texts.map(plainText)].join(" ").replaceAll(/\s+/g, " ").trim();
  if (words.length <= MAX_DESCRIBED_CHARS) return words;
  return `${words
    .slice(0, MAX_DESCRIBED_CHARS)
    .replace(/\s+\S*$/, "")
    .toWellFormed()} …`;
}

function nameOf(block: LessonBlock) {
  if (block.kind === "image") return block.alt;
  if (block.kind === "code") return block.text;
  return "title" in block ? block.title : "";
}

/** Words a minute, and minutes for what takes more than reading. */
const WORDS_PER_MINUTE = 180;
const MINUTES_OF: Partial<Record<LessonBlock["kind"], number>> = {
  question: 0.5,
  reflection: 2,
  rating: 0.25,
  slider: 0.25,
  flashcards: 0.5,
  checklist: 0.5,
  video: 2,
  audio: 2,
  image: 0.2,
  chatbot: 3,
  prompt: 1,
  confirmation: 0.5,
  scenario: 2,
};

/** Estimated minutes of a lesson, at least one. */
export function estimateMinutes(blocks: LessonBlock[]) {
  const words = blocks.flatMap(textsOf).map(plainText).join(" ").split(/\s+/).filter(Boolean).length;
  const rest = blocks.reduce((sum, { kind }) => sum + (MINUTES_OF[kind] ?? 0), 0);
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE + rest));
}
