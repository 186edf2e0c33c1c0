import type { QuestionKind } from "#shared/lessons/questions.ts";
import { newId, type NodeJson } from "#shared/lessons/editing/nodeJson.ts";

// New nodes, with what a first look needs. Ids are added by the editor (freshIds.ts).

const text = (): NodeJson => ({ type: "richText" });
export const newChoice = (isRight = false): NodeJson => ({ type: "choice", attrs: { isRight }, content: [text()] });
export const newPair = (): NodeJson => ({ type: "pair", content: [text(), text()] });
export const newItem = (): NodeJson => ({ type: "item" });
export const newAnswer = (): NodeJson => ({ type: "plain" });
export const newTitledItem = (): NodeJson => ({ type: "titledItem", content: [text(), text()] });
export const newCard = (): NodeJson => ({ type: "card", content: [text(), text()] });
export const newFeedback = (when: "right" | "wrong" | "choice"): NodeJson => ({ type: "feedback", attrs: { when } });

export const newOption = (to: string | null = null): NodeJson => ({ type: "option", attrs: { to }, content: [text()] });
export const newStep = (ending: string | null = null, options: NodeJson[] = []): NodeJson => ({
  type: "step",
  attrs: { key: newId(), ending },
  content: [text(), ...options],
});
/** A start with two choices, each of which leads to an ending. */
function newScenario(): NodeJson {
  const endings = [newStep("best"), newStep("poor")];
  const options = endings.map(({ attrs }) => newOption(String(attrs?.["key"])));
  return { type: "scenario", content: [newStep(null, options), ...endings] };
}

const times = (count: number, make: () => NodeJson) => Array.from({ length: count }, make);
const rowOf = (cells: number): NodeJson => ({
  type: "tableRow",
  content: times(cells, () => ({ type: "tableCell", content: [text()] })),
});

function question(kind: QuestionKind): NodeJson {
  const bodies: Record<QuestionKind, NodeJson[]> = {
    single: [newChoice(true), newChoice(), newChoice()],
    multiple: [newChoice(true), newChoice(), newChoice()],
    trueFalse: [],
    match: times(3, newPair),
    order: times(3, newItem),
    fill: [{ type: "gapText" }],
    number: [],
    shortText: [newAnswer()],
  };
  return { type: "question", attrs: { kind }, content: [text(), ...bodies[kind]] };
}

const templates = {
  text: () => ({ type: "paragraph" }),
  heading: () => ({ type: "heading", attrs: { level: 2 } }),
  list: () => ({ type: "list", attrs: { style: "bullets" }, content: [{ type: "listItem" }] }),
  numbers: () => ({ type: "list", attrs: { style: "numbers" }, content: [{ type: "listItem" }] }),
  table: () => ({ type: "table", content: times(3, () => rowOf(3)) }),
  callout: () => ({ type: "callout", content: [{ type: "plain" }, text()] }),
  quote: () => ({ type: "quote", content: [text(), { type: "plain" }] }),
  code: () => ({ type: "codeBlock" }),
  divider: () => ({ type: "divider" }),
  image: () => ({ type: "image", content: [text()] }),
  video: () => ({ type: "video" }),
  audio: () => ({ type: "audio" }),
  file: () => ({ type: "file" }),
  accordion: () => ({ type: "accordion", content: times(2, newTitledItem) }),
  tabs: () => ({ type: "tabs", content: times(2, newTitledItem) }),
  process: () => ({ type: "process", content: times(3, newTitledItem) }),
  flashcards: () => ({ type: "flashcards", content: times(2, newCard) }),
  checklist: () => ({ type: "checklist", content: times(2, newItem) }),
  button: () => ({ type: "button" }),
  reflection: () => ({ type: "reflection" }),
  rating: () => ({ type: "rating" }),
  slider: () => ({ type: "slider" }),
  confirmation: () => ({ type: "confirmation", content: [text()] }),
  scenario: newScenario,
  single: () => question("single"),
  multiple: () => question("multiple"),
  trueFalse: () => question("trueFalse"),
  match: () => question("match"),
  order: () => question("order"),
  fill: () => question("fill"),
  number: () => question("number"),
  shortText: () => question("shortText"),
  chatbot: () => ({ type: "chatbot" }),
  prompt: () => ({ type: "prompt" }),
} satisfies Record<string, () => NodeJson>;

export type BlockName = keyof typeof templates;
export const blockNames = Object.keys(templates) as BlockName[];
export const newBlock = (name: BlockName): NodeJson => templates[name]();
