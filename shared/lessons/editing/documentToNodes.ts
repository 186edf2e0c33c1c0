import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { plainNode, richTextNode, runsToNodes } from "#shared/lessons/editing/inlineNodes.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";
import { questionToNode } from "#shared/lessons/editing/questionNodes.ts";
import { scenarioToNode } from "#shared/lessons/editing/scenarioNodes.ts";
import type { LessonDocument } from "#shared/lessons/lessonDocument.ts";
import type { RichText } from "#shared/lessons/richText.ts";

type BlockOf<K extends LessonBlock["kind"]> = Extract<LessonBlock, { kind: K }>;
const own = (text: RichText) => ({ textId: text.id });
const texts = (list: RichText[]) => list.map((text) => richTextNode(text));
const items = (list: { id: string; text: RichText }[], type = "item"): NodeJson[] =>
  list.map(({ text, ...attrs }) => ({ type, attrs: { ...attrs, ...own(text) }, content: runsToNodes(text.runs) }));
const titled = (type: string) => (block: BlockOf<"accordion" | "tabs" | "process">) =>
  node(
    type,
    {},
    block.items.map(({ id, title, text }) => node("titledItem", { id }, texts([title, ...text]))),
  );
const node = (type: string, attrs: Record<string, unknown>, content?: NodeJson[]): NodeJson => ({
  type,
  attrs,
  ...(content && { content }),
});
/** A block that holds its one text itself. */
const textBlock = (type: string, attrs: Record<string, unknown>, text: RichText) =>
  node(type, { ...attrs, ...own(text) }, runsToNodes(text.runs));

const converters: { [K in LessonBlock["kind"]]: (block: BlockOf<K>) => NodeJson } = {
  heading: ({ level, text }) => textBlock("heading", { level }, text),
  paragraph: ({ text }) => textBlock("paragraph", {}, text),
  list: ({ style, items: list }) => node("list", { style }, items(list, "listItem")),
  quote: ({ text, source }) => node("quote", {}, [richTextNode(text), plainNode(source)]),
  code: ({ text, language }) => node("codeBlock", { language }, plainNode(text).content ?? []),
  table: ({ rows, caption, hasHead, hasHeadColumn }) =>
    node(
      "table",
      { hasHead, hasHeadColumn, caption },
      rows.map((row) => ({
        type: "tableRow",
        content: row.map((text) => ({ type: "tableCell", content: texts([text]) })),
      })),
    ),
  callout: ({ tone, title, text }) => node("callout", { tone }, [plainNode(title), ...texts(text)]),
  divider: ({ style }) => node("divider", { style }),
  image: ({ file, alt, isDecorative, width, caption }) =>
    node("image", { file, alt, isDecorative, width }, texts([caption])),
  video: ({ file, title, captions, required, noSkipping, transcript }) =>
    node("video", { file, title, captions, required, noSkipping }, texts(transcript)),
  audio: ({ file, title, required, transcript }) => node("audio", { file, title, required }, texts(transcript)),
  file: ({ file, title }) => node("file", { file, title }),
  accordion: titled("accordion"),
  tabs: titled("tabs"),
  process: titled("process"),
  flashcards: ({ cards }) =>
    node(
      "flashcards",
      {},
      cards.map(({ id, front, back }) => node("card", { id }, texts([front, back]))),
    ),
  checklist: ({ items: list, required }) => node("checklist", { required }, items(list)),
  button: ({ label, target }) => node("button", { target }, plainNode(label).content ?? []),
  question: ({ id, question, pool, lessonId }) => {
    const made = questionToNode(id, question);
    return { ...made, attrs: { ...made.attrs, ...(pool && { pool }), ...(lessonId && { lessonId }) } };
  },
  reflection: ({ text, variable, required }) => textBlock("reflection", { variable, required }, text),
  rating: ({ text, variable, steps, lowLabel, highLabel, required }) =>
    textBlock("rating", { variable, steps, lowLabel, highLabel, required }, text),
  slider: ({ text, variable, min, max, step, unit, required }) =>
    textBlock("slider", { variable, min, max, step, unit, required }, text),
  chatbot: ({ chatbotId, text }) => textBlock("chatbot", { chatbotId }, text),
  prompt: ({ key, text }) => textBlock("prompt", { key }, text),
  scenario: scenarioToNode,
  confirmation: ({ text, meaning }) => node("confirmation", { meaning }, texts(text)),
};

export function blockToNode(block: LessonBlock): NodeJson {
  const convert = converters[block.kind] as (block: LessonBlock) => NodeJson;
  const made = convert(block);
  return {
    ...made,
    attrs: { ...made.attrs, id: block.id, ...(block.showWhen && { showWhen: block.showWhen }) },
  };
}

/** A lesson as the editor shows it. */
export const documentToNodes = ({ blocks }: LessonDocument): NodeJson => ({
  type: "doc",
  content: blocks.map(blockToNode),
});
