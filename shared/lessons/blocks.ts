import { z } from "zod";
import { condition } from "#shared/conditions/conditions.ts";
import { question } from "#shared/lessons/questions.ts";
import { scenarioShape } from "#shared/lessons/scenarios.ts";
import { blockId, languageTag, linkTarget, richText } from "#shared/lessons/richText.ts";

// The blocks of a lesson. A new kind is a schema here, a node of the editor and a part of the renderer.

export const MAX_ITEMS = 100;
export const MAX_TABLE_CELLS = 2000;

/** A file of purpose `lesson` (shared/files/files.ts). */
const file = z.object({
  fileId: z.uuid(),
  name: z.string().max(255),
  type: z.string().max(100),
  bytes: z.int().min(0),
});
const captions = z.object({ file, language: languageTag, label: z.string().max(100) });
const item = z.object({ id: blockId, text: richText });
const titledItem = z.object({ id: blockId, title: richText, text: z.array(richText).max(MAX_ITEMS) });
/** `showWhen`: the block is shown only to learners for whom the condition holds. */
const blockBase = z.object({ id: blockId, showWhen: condition.optional() });
const block = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  blockBase.extend({ kind: z.literal(kind), ...shape });

export const heading = block("heading", { level: z.union([z.literal(2), z.literal(3), z.literal(4)]), text: richText });
export const paragraph = block("paragraph", { text: richText });
export const list = block("list", {
  style: z.enum(["bullets", "numbers"]),
  /** `depth` counts from 0; an item is at most one deeper than the one before. */
  items: z
    .array(item.extend({ depth: z.int().min(0).max(4) }))
    .min(1)
    .max(MAX_ITEMS * 3),
});
export const quote = block("quote", { text: richText, source: z.string().max(300) });
export const code = block("code", { text: z.string().max(20_000), language: z.string().max(40) });
export const table = block("table", {
  hasHead: z.boolean(),
  hasHeadColumn: z.boolean(),
  caption: z.string().max(300),
  rows: z.array(z.array(richText).min(1).max(20)).min(1).max(200),
});
export const callout = block("callout", {
  tone: z.enum(["note", "tip", "warning", "danger"]),
  title: z.string().max(200),
  text: z.array(richText).min(1).max(MAX_ITEMS),
});
export const divider = block("divider", { style: z.enum(["line", "space", "continue"]) });
export const image = block("image", {
  file,
  alt: z.string().max(1000),
  /** Nothing is lost without the picture: screen readers skip it. */
  isDecorative: z.boolean(),
  caption: richText,
  width: z.enum(["text", "wide", "small"]),
});
export const video = block("video", {
  file,
  title: z.string().max(300),
  captions: z.array(captions).max(20),
  transcript: z.array(richText).max(MAX_ITEMS * 3),
  /** The lesson is complete only when all of it was watched. */
  required: z.boolean(),
  noSkipping: z.boolean(),
});
export const audio = block("audio", {
  file,
  title: z.string().max(300),
  transcript: z.array(richText).max(MAX_ITEMS * 3),
  required: z.boolean(),
});
export const download = block("file", { file, title: z.string().max(300) });
export const accordion = block("accordion", { items: z.array(titledItem).min(1).max(MAX_ITEMS) });
export const tabs = block("tabs", { items: z.array(titledItem).min(1).max(20) });
export const process = block("process", { items: z.array(titledItem).min(1).max(MAX_ITEMS) });
export const flashcards = block("flashcards", {
  cards: z
    .array(z.object({ id: blockId, front: richText, back: richText }))
    .min(1)
    .max(MAX_ITEMS),
});
export const checklist = block("checklist", { items: z.array(item).min(1).max(MAX_ITEMS), required: z.boolean() });
/** Opens a web page, or another lesson of the course. */
export const button = block("button", {
  label: z.string().trim().min(1).max(100),
  target: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("page"), url: linkTarget }),
    z.object({ kind: z.literal("lesson"), lessonId: blockId }),
  ]),
});
/**
 * In a quiz: `pool` is the key of the pool that the question belongs to, `lessonId` the lesson to read after an answer
 * that was not right.
 */
export const questionBlock = block("question", { question, pool: blockId.optional(), lessonId: blockId.optional() });

const variable = z.string().min(1).max(100);
/** A text that the learner writes into a variable. */
export const reflection = block("reflection", { text: richText, variable, required: z.boolean() });
/** A number from 1 to `steps` that the learner writes into a variable. */
export const rating = block("rating", {
  text: richText,
  variable,
  steps: z.int().min(2).max(10),
  lowLabel: z.string().max(100),
  highLabel: z.string().max(100),
  required: z.boolean(),
});
export const slider = block("slider", {
  text: richText,
  variable,
  min: z.number(),
  max: z.number(),
  step: z.number().positive(),
  unit: z.string().max(30),
  required: z.boolean(),
});
/** Opens a chatbot of the course; null: the first one that the learner may use. */
export const chatbot = block("chatbot", { chatbotId: z.uuid().nullable(), text: richText });
/** A button prompt of the course, with its answer in place. */
export const prompt = block("prompt", { key: z.string().min(1).max(100), text: richText });
/** The learner confirms that they have read and understood `text`; who, what, when and in which zone is kept. */
export const confirmation = block("confirmation", {
  text: z.array(richText).min(1).max(MAX_ITEMS),
  /** What the signature means, such as "I have read and understood this." */
  meaning: z.string().trim().min(1).max(500),
});

export const scenario = block("scenario", scenarioShape);

export const lessonBlock = z.discriminatedUnion("kind", [
  heading,
  paragraph,
  list,
  quote,
  code,
  table,
  callout,
  divider,
  image,
  video,
  audio,
  download,
  accordion,
  tabs,
  process,
  flashcards,
  checklist,
  button,
  questionBlock,
  reflection,
  rating,
  slider,
  chatbot,
  prompt,
  confirmation,
  scenario,
]);
export type LessonBlock = z.infer<typeof lessonBlock>;
export type BlockKind = LessonBlock["kind"];
