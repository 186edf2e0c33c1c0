import {
  childrenOf,
  idOf,
  ownText,
  plainNode,
  plainOf,
  readText,
  richTextNode,
  runsToNodes,
} from "#shared/lessons/editing/inlineNodes.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";
import type { Question } from "#shared/lessons/questions.ts";
import { plainText, type RichText } from "#shared/lessons/richText.ts";

// Questions to nodes of the editor, and back: the text, the choices and the feedback are children with ids of their own

export const feedbackNodes = (text: RichText | null, when: "choice" | "right" | "wrong"): NodeJson[] =>
  text ? [{ type: "feedback", attrs: { id: text.id, when }, content: runsToNodes(text.runs) }] : [];

function bodyNodes(question: Question): NodeJson[] {
  if (question.kind === "single" || question.kind === "multiple")
    return question.choices.map(({ id, text, isRight, feedback }) => ({
      type: "choice",
      attrs: { id, isRight },
      content: [richTextNode(text), ...feedbackNodes(feedback, "choice")],
    }));
  if (question.kind === "match")
    return question.pairs.map(({ id, rightId, left, right }) => ({
      type: "pair",
      attrs: { id, rightId },
      content: [richTextNode(left), richTextNode(right)],
    }));
  if (question.kind === "order")
    return question.items.map(({ id, text }) => ({
      type: "item",
      attrs: { id, textId: text.id },
      content: runsToNodes(text.runs),
    }));
  if (question.kind === "fill")
    return [
      {
        type: "gapText",
        content: question.pieces.map((piece) =>
          piece.kind === "text"
            ? { type: "text", text: piece.text }
            : { type: "gap", attrs: { id: piece.id, answers: piece.answers, caseSensitive: piece.caseSensitive } },
        ),
      },
    ];
  return question.kind === "shortText" ? question.answers.map(plainNode) : [];
}

function ownAttributes(question: Question): Record<string, unknown> {
  if (question.kind === "single" || question.kind === "multiple") return { shuffle: question.shuffle };
  if (question.kind === "trueFalse") return { isTrue: question.isTrue };
  if (question.kind === "shortText") return { caseSensitive: question.caseSensitive };
  if (question.kind !== "number") return {};
  return { answer: question.answer, tolerance: question.tolerance, unit: question.unit };
}

export const questionToNode = (id: string, question: Question): NodeJson => ({
  type: "question",
  attrs: {
    id,
    kind: question.kind,
    graded: question.graded,
    points: question.points,
    tries: question.tries,
    required: question.required,
    ...ownAttributes(question),
  },
  content: [
    richTextNode(question.text),
    ...bodyNodes(question),
    ...feedbackNodes(question.feedback.right, "right"),
    ...feedbackNodes(question.feedback.wrong, "wrong"),
  ],
});

export const readFeedback = (node: NodeJson, when: string, id: string): RichText | null => {
  const found = childrenOf(node, "feedback").find(({ attrs }) => attrs?.["when"] === when);
  return found && plainOf(found).trim() !== "" ? readText(found, id, when) : null;
};

export const numberOr = (value: unknown, otherwise: number) =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;

/** A question as the contract has it, not checked yet. */
export function nodeToQuestion(node: NodeJson, id: string): unknown {
  const { attrs = {} } = node;
  const base = {
    kind: attrs["kind"],
    text: readText(childrenOf(node, "richText")[0], id, "q"),
    graded: attrs["graded"] === true,
    points: numberOr(attrs["points"], 1),
    tries: typeof attrs["tries"] === "number" ? attrs["tries"] : null,
    required: attrs["required"] === true,
    feedback: { right: readFeedback(node, "right", id), wrong: readFeedback(node, "wrong", id) },
  };
  return { ...base, ...readBody(node, id) };
}

function readChoice(choice: NodeJson, questionId: string, n: number) {
  const id = idOf(choice.attrs?.["id"], questionId, n);
  return {
    id,
    text: readText(childrenOf(choice, "richText")[0], id, "t"),
    isRight: choice.attrs?.["isRight"] === true,
    feedback: readFeedback(choice, "choice", id),
  };
}

/** A question starts with four choices: those that nobody has written are left out, as long as two remain. */
function withoutUnused(choices: ReturnType<typeof readChoice>[]) {
  const used = choices.filter(({ text, isRight }) => isRight || plainText(text).trim() !== "");
  return used.length >= 2 ? used : choices;
}

function readBody(node: NodeJson, id: string): object {
  const { attrs = {} } = node;
  const kind = attrs["kind"];
  if (kind === "single" || kind === "multiple")
    return {
      shuffle: attrs["shuffle"] === true,
      choices: withoutUnused(childrenOf(node, "choice").map((choice, n) => readChoice(choice, id, n))),
    };
  if (kind === "trueFalse") return { isTrue: attrs["isTrue"] !== false };
  if (kind === "match")
    return {
      pairs: childrenOf(node, "pair").map((pair, n) => {
        const own = idOf(pair.attrs?.["id"], id, n);
        const [left, right] = childrenOf(pair, "richText");
        const rightId = idOf(pair.attrs?.["rightId"], own, "r");
        return { id: own, rightId, left: readText(left, own, "tl"), right: readText(right, own, "tr") };
      }),
    };
  if (kind === "order")
    return {
      items: childrenOf(node, "item").map((item, n) => {
        const own = idOf(item.attrs?.["id"], id, n);
        return { id: own, text: ownText(item, own) };
      }),
    };
  if (kind === "fill") return { pieces: (childrenOf(node, "gapText")[0]?.content ?? []).map(readPiece(id)) };
  const answers = childrenOf(node, "plain")
    .map(plainOf)
    .filter((text) => text.trim());
  if (kind === "shortText") return { answers, caseSensitive: attrs["caseSensitive"] === true };
  const { answer, tolerance, unit } = attrs;
  return { answer, tolerance: numberOr(tolerance, 0), unit: typeof unit === "string" ? unit : "" };
}

const readPiece = (id: string) => (piece: NodeJson, n: number) =>
  piece.type === "gap"
    ? {
        kind: "gap",
        id: idOf(piece.attrs?.["id"], id, n),
        answers: Array.isArray(piece.attrs?.["answers"]) ? piece.attrs["answers"] : [],
        caseSensitive: piece.attrs?.["caseSensitive"] === true,
      }
    : { kind: "text", text: plainOf(piece) };
