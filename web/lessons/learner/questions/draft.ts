import { fits } from "#shared/lessons/judge.ts";
import type { QuestionResponse } from "#shared/lessons/questions.ts";
import type { ShownQuestion } from "#shared/lessons/shownQuestions.ts";

/** What a learner has entered and not checked yet. */
export type Draft = {
  chosen: string[];
  pairs: Record<string, string>;
  ids: string[];
  texts: Record<string, string>;
};
/** The only field of questions with one. */
export const TEXT = "text";

export function newDraft(question: ShownQuestion, given?: QuestionResponse): Draft {
  const empty: Draft = { chosen: [], pairs: {}, ids: [], texts: {} };
  if (question.kind === "order") empty.ids = question.items.map(({ id }) => id);
  switch (given?.kind) {
    case "choices":
      return { ...empty, chosen: given.chosen };
    case "trueFalse":
      return { ...empty, chosen: [String(given.value)] };
    case "match":
      return { ...empty, pairs: given.pairs };
    case "order":
      return { ...empty, ids: given.ids };
    case "fill":
      return { ...empty, texts: given.gaps };
    case "number":
      return { ...empty, texts: { [TEXT]: String(given.value) } };
    case "text":
      return { ...empty, texts: { [TEXT]: given.text } };
    default:
      return empty;
  }
}

/** A number as people write it: with a comma or a point, and spaces between thousands. */
function parseNumber(text: string) {
  const plain = text.replace(/[\s\u00a0\u202f]/g, "").replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

function toResponse(question: ShownQuestion, draft: Draft): QuestionResponse | null {
  switch (question.kind) {
    case "single":
    case "multiple":
      return { kind: "choices", chosen: draft.chosen };
    case "trueFalse":
      return draft.chosen.length === 1 ? { kind: "trueFalse", value: draft.chosen[0] === "true" } : null;
    case "match":
      return { kind: "match", pairs: draft.pairs };
    case "order":
      return { kind: "order", ids: draft.ids };
    case "fill":
      return { kind: "fill", gaps: draft.texts };
    case "number": {
      const value = parseNumber(draft.texts[TEXT] ?? "");
      return value === null ? null : { kind: "number", value };
    }
    case "shortText":
      return { kind: "text", text: draft.texts[TEXT] ?? "" };
  }
}

/** The response to check; null while something is missing. */
export function responseOf(question: ShownQuestion, draft: Draft) {
  const response = toResponse(question, draft);
  return response && fits(question, response) ? response : null;
}

/** The draft after the choice with this number was pressed; null if there is none. */
export function chooseNth(question: ShownQuestion, draft: Draft, index: number): Draft | null {
  const id = "choices" in question ? question.choices[index]?.id : ["true", "false"][index];
  if (id === undefined || !("choices" in question || question.kind === "trueFalse")) return null;
  if (question.kind !== "multiple") return { ...draft, chosen: [id] };
  const chosen = draft.chosen.includes(id) ? draft.chosen.filter((one) => one !== id) : [...draft.chosen, id];
  return { ...draft, chosen };
}

/** Something was entered that is no number. */
export const isBadNumber = (question: ShownQuestion, { texts }: Draft) =>
  question.kind === "number" && (texts[TEXT] ?? "").trim() !== "" && parseNumber(texts[TEXT] ?? "") === null;
