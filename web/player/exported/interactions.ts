import { formatDuration } from "#web/player/exported/durations.ts";
import type { PackageStandard } from "#shared/lessons/transfer/exported.ts";
import { interactionTypes } from "#shared/lessons/interactionTypes.ts";
import type { Question, QuestionResponse } from "#shared/lessons/questions.ts";
import { plainText } from "#shared/lessons/richText.ts";

// An answer in the words of SCORM 1.2 (RTE 3.4.7) and 2004 (RTE 4.2.9)

/** Elements below `cmi.interactions.n`, in the order in which they have to be set. */
export type Interaction = [field: string, value: string][];

const MAX_CHARS = 250;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
/** In SCORM 1.2, what can be chosen is named by one character: its place as its author wrote it. */
const nameIn = (ids: string[], id: string) => ALPHABET[ids.indexOf(id)] ?? "z";

function idsOf(question: Question): { ids: string[]; others: string[] } {
  if (question.kind === "single" || question.kind === "multiple")
    return { ids: question.choices.map(({ id }) => id), others: [] };
  if (question.kind === "match")
    return { ids: question.pairs.map(({ id }) => id), others: question.pairs.map(({ rightId }) => rightId) };
  return { ids: question.kind === "order" ? question.items.map(({ id }) => id) : [], others: [] };
}

function responseText(standard: PackageStandard, question: Question, given: QuestionResponse): string {
  const is12 = standard === "scorm12";
  const [between, inPair] = is12 ? [",", "."] : ["[,]", "[.]"];
  const { ids, others } = idsOf(question);
  const name = (list: string[], id: string) => (is12 ? nameIn(list, id) : id);
  switch (given.kind) {
    case "choices":
      return given.chosen.map((id) => name(ids, id)).join(between);
    case "order":
      return given.ids.map((id) => name(ids, id)).join(between);
    case "match":
      return Object.entries(given.pairs)
        .map(([left, right]) => name(ids, left) + inPair + name(others, right))
        .join(between);
    case "trueFalse": {
      const text = String(given.value);
      return is12 ? text.slice(0, 1) : text;
    }
    case "fill":
      return Object.values(given.gaps).join(is12 ? ", " : between);
    case "number":
      return String(given.value);
    case "text":
      return given.text;
  }
}

type Answer = { id: string; question: Question; response: QuestionResponse; share: number; ms: number };

export function toInteraction(
  standard: PackageStandard,
  { id, question, response, share, ms }: Answer,
  now: Date,
): Interaction {
  const text = responseText(standard, question, response).slice(0, MAX_CHARS);
  const wrong = standard === "scorm12" ? "wrong" : "incorrect";
  const partly = share <= 0 ? wrong : String(Math.round(share * 100) / 100);
  const result = share >= 1 ? "correct" : partly;
  const weighting = String(question.points);
  const latency = formatDuration(standard, ms);
  if (standard === "scorm12")
    return [
      ["id", id],
      ["type", interactionTypes[question.kind]],
      ["time", now.toTimeString().slice(0, 8)],
      ["weighting", weighting],
      ["student_response", text],
      ["result", result],
      ["latency", latency],
    ];
  return [
    ["id", id],
    ["type", interactionTypes[question.kind]],
    ["timestamp", `${now.toISOString().slice(0, 19)}Z`],
    ["weighting", weighting],
    ["learner_response", text],
    ["result", result],
    ["latency", latency],
    ["description", plainText(question.text).slice(0, MAX_CHARS)],
  ];
}
