import { condition } from "#shared/conditions/conditions.ts";
import { lessonBlock, type LessonBlock } from "#shared/lessons/blocks.ts";
import { childrenOf, idOf, ownText, plainOf, readText } from "#shared/lessons/editing/inlineNodes.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";
import { nodeToQuestion } from "#shared/lessons/editing/questionNodes.ts";
import { readScenario } from "#shared/lessons/editing/scenarioNodes.ts";
import { blockId } from "#shared/lessons/richText.ts";
import { type LessonDocument, MAX_BLOCKS, MAX_DOCUMENT_BYTES, SCHEMA_VERSION } from "#shared/lessons/lessonDocument.ts";

/** Why a block of a draft cannot be published: `fields` names what is missing or too large. */
export type Unfinished = { blockId: string; node: string; fields: string[]; text: string };
export type ReadLesson = { document: LessonDocument; unfinished: Unfinished[] };

type Reader = (node: NodeJson, id: string, attrs: Record<string, unknown>) => Record<string, unknown>;
const text = (value: unknown) => (typeof value === "string" ? value : "");
const flag = (value: unknown) => value === true;
const texts = (node: NodeJson, id: string) => childrenOf(node, "richText").map((one, n) => readText(one, id, `t${n}`));
/** At least one text, because the contract asks for it. */
const someTexts = (node: NodeJson, id: string) => {
  const found = texts(node, id);
  return found.length > 0 ? found : [readText(undefined, id, "t0")];
};
const items = (node: NodeJson, id: string, type: string) =>
  childrenOf(node, type).map((item, n) => {
    const own = idOf(item.attrs?.["id"], id, n);
    return { item, id: own, text: ownText(item, own) };
  });
const titledItems: Reader = (node, id) => ({
  items: childrenOf(node, "titledItem").map((item, n) => {
    const own = idOf(item.attrs?.["id"], id, n);
    const [title = readText(undefined, own, "t"), ...rest] = texts(item, own);
    return { id: own, title, text: rest };
  }),
});

const namedIn = (name: string, value: unknown) => {
  const id = blockId.safeParse(value).data;
  return id ? { [name]: id } : {};
};

const readers: Record<string, Reader> = {
  heading: (node, id, { level }) => ({ level: level ?? 2, text: ownText(node, id) }),
  paragraph: (node, id) => ({ text: ownText(node, id) }),
  list: (node, id, { style }) => ({
    style,
    items: items(node, id, "listItem").map(({ item, ...rest }, n, all) => {
      const before = n === 0 ? -1 : Number(all[n - 1]?.item.attrs?.["depth"] ?? 0);
      return { ...rest, depth: Math.max(0, Math.min(Number(item.attrs?.["depth"]) || 0, before + 1, 4)) };
    }),
  }),
  quote: (node, id) => ({
    text: readText(childrenOf(node, "richText")[0], id, "t"),
    source: plainOf(childrenOf(node, "plain")[0]),
  }),
  codeBlock: (node, _id, { language }) => ({ kind: "code", text: plainOf(node), language: text(language) }),
  table: (node, id, { hasHead, hasHeadColumn, caption }) => ({
    hasHead: flag(hasHead),
    hasHeadColumn: flag(hasHeadColumn),
    caption: text(caption),
    rows: childrenOf(node, "tableRow").map((row, y) =>
      childrenOf(row, "tableCell").map((cell, x) => readText(childrenOf(cell, "richText")[0], id, `${y}-${x}`)),
    ),
  }),
  callout: (node, id, { tone }) => ({
    tone,
    title: plainOf(childrenOf(node, "plain")[0]),
    text: someTexts(node, id),
  }),
  divider: (_node, _id, { style }) => ({ style }),
  image: (node, id, { file, alt, isDecorative, width }) => ({
    file,
    alt: text(alt),
    isDecorative: flag(isDecorative),
    width,
    caption: readText(childrenOf(node, "richText")[0], id, "t"),
  }),
  video: (node, id, { file, title, captions, required, noSkipping }) => ({
    file,
    title: text(title),
    captions: captions ?? [],
    transcript: texts(node, id),
    required: flag(required),
    noSkipping: flag(noSkipping),
  }),
  audio: (node, id, { file, title, required }) => ({
    file,
    title: text(title),
    transcript: texts(node, id),
    required: flag(required),
  }),
  file: (_node, _id, { file, title }) => ({ file, title: text(title) }),
  accordion: titledItems,
  tabs: titledItems,
  process: titledItems,
  flashcards: (node, id) => ({
    cards: childrenOf(node, "card").map((card, n) => {
      const own = idOf(card.attrs?.["id"], id, n);
      const [front, back] = childrenOf(card, "richText");
      return { id: own, front: readText(front, own, "tf"), back: readText(back, own, "tb") };
    }),
  }),
  checklist: (node, id, { required }) => ({
    items: items(node, id, "item").map(({ id, text }) => ({ id, text })),
    required: flag(required),
  }),
  button: (node, _id, { target }) => ({ label: plainOf(node), target }),
  question: (node, id, { pool, lessonId }) => ({
    question: nodeToQuestion(node, id),
    ...namedIn("pool", pool),
    ...namedIn("lessonId", lessonId),
  }),
  reflection: (node, id, { variable, required }) => ({ text: ownText(node, id), variable, required: flag(required) }),
  rating: (node, id, { variable, steps, lowLabel, highLabel, required }) => ({
    text: ownText(node, id),
    variable,
    steps,
    lowLabel: text(lowLabel),
    highLabel: text(highLabel),
    required: flag(required),
  }),
  slider: (node, id, { variable, min, max, step, unit, required }) => ({
    text: ownText(node, id),
    variable,
    min,
    max,
    step,
    unit: text(unit),
    required: flag(required),
  }),
  chatbot: (node, id, { chatbotId }) => ({ chatbotId: chatbotId ?? null, text: ownText(node, id) }),
  prompt: (node, id, { key }) => ({ key, text: ownText(node, id) }),
  scenario: readScenario,
  confirmation: (node, id, { meaning }) => ({ text: someTexts(node, id), meaning }),
};

function readBlock(node: NodeJson, place: number): LessonBlock | Unfinished {
  const attrs = node.attrs ?? {};
  const id = idOf(attrs["id"], "block", place);
  const read = Object.hasOwn(readers, node.type) ? readers[node.type] : undefined;
  if (!read) return { blockId: id, node: node.type.slice(0, 40), fields: ["kind"], text: "" };
  const showWhen = condition.safeParse(attrs["showWhen"]).data;
  const checked = lessonBlock.safeParse({
    kind: node.type,
    id,
    ...(showWhen && { showWhen }),
    ...read(node, id, attrs),
  });
  if (checked.success) return checked.data;
  return {
    blockId: id,
    node: node.type,
    fields: [...new Set(checked.error.issues.map(fieldOf))].slice(0, 10),
    text: beginningOf(node),
  };
}

const beginningOf = (node: NodeJson) => plainOf(node.content?.[0]).slice(0, 80);

/** The field that an issue is about: `question.choices.0.text` is `choices`. */
const fieldOf = ({ path }: { path: PropertyKey[] }) =>
  String(path[0] === "question" ? (path[1] ?? "kind") : (path[0] ?? "kind"));

/** The lesson that a draft holds, without blocks that are not finished; those are named. Any input is accepted. */
export function nodesToDocument(doc: NodeJson, language: string): ReadLesson {
  const blocks: LessonBlock[] = [];
  const unfinished: Unfinished[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const [place, node] of (doc.content ?? []).entries()) {
    const block = readBlock(node, place);
    if (!("kind" in block)) {
      unfinished.push(block);
      continue;
    }
    // Two authors may have pasted the same block; the second one gets an id of its own.
    if (seen.has(block.id)) block.id = `${block.id.slice(0, 50)}-${place}`;
    seen.add(block.id);
    bytes += JSON.stringify(block).length * 2;
    if (blocks.length >= MAX_BLOCKS || bytes > MAX_DOCUMENT_BYTES)
      unfinished.push({ blockId: block.id, node: node.type, fields: ["size"], text: beginningOf(node) });
    else blocks.push(block);
  }
  return { document: { schema: SCHEMA_VERSION, language, blocks }, unfinished };
}
