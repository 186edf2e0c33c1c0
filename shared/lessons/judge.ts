import { z } from "zod";
import type { AnswerFact } from "#shared/conditions/evaluate.ts";
import { type QuestionResponse, response } from "#shared/lessons/questions.ts";
import { blockId, richText } from "#shared/lessons/richText.ts";
import { type QuestionKey, type ShownQuestion, type Solution, solution } from "#shared/lessons/shownQuestions.ts";

// How answers are judged: by the server, and of practice questions also by the browser

/** The latest answer; `share`, from 0 to 1, is how much of it is right, `best` the largest share of all tries. */
export const answerState = z.object({ response, share: z.number(), best: z.number(), tries: z.int() });
export type AnswerState = z.infer<typeof answerState>;

/**
 * How much of a response is right, from 0 to 1; null if it does not fit the question. Of several right choices each
 * counts the same, and more chosen than there are right ones makes each count less.
 */
export function judge(question: ShownQuestion, key: QuestionKey, given: QuestionResponse): number | null {
  if (!fits(question, given)) return null;
  return shareOf(key.solution, given);
}

const isPermutation = (ids: string[], of: { id: string }[]) =>
  ids.length === of.length && new Set(ids).size === ids.length && of.every(({ id }) => ids.includes(id));

/** True if the response names nothing but what the question offers, and is complete. */
export function fits(question: ShownQuestion, given: QuestionResponse): boolean {
  switch (question.kind) {
    case "single":
    case "multiple": {
      if (given.kind !== "choices" || given.chosen.length === 0) return false;
      if (question.kind === "single" && given.chosen.length > 1) return false;
      const offered = new Set(question.choices.map(({ id }) => id));
      return new Set(given.chosen).size === given.chosen.length && given.chosen.every((id) => offered.has(id));
    }
    case "trueFalse":
      return given.kind === "trueFalse";
    case "match":
      return (
        given.kind === "match" &&
        isPermutation(Object.keys(given.pairs), question.lefts) &&
        isPermutation(Object.values(given.pairs), question.rights)
      );
    case "order":
      return given.kind === "order" && isPermutation(given.ids, question.items);
    case "fill": {
      const gaps = question.pieces.flatMap((piece) => (piece.kind === "gap" ? [piece.id] : []));
      return (
        given.kind === "fill" &&
        Object.keys(given.gaps).length === gaps.length &&
        gaps.every((id) => (given.gaps[id] ?? "").trim() !== "")
      );
    }
    case "number":
      return given.kind === "number";
    case "shortText":
      return given.kind === "text" && given.text.trim() !== "";
  }
}

const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

function shareOf(key: Solution, given: QuestionResponse): number {
  if (key.kind === "choices" && given.kind === "choices") {
    const right = given.chosen.filter((id) => key.right.includes(id)).length;
    return ratio(right, Math.max(key.right.length, given.chosen.length));
  }
  if (key.kind === "trueFalse" && given.kind === "trueFalse") return key.isTrue === given.value ? 1 : 0;
  if (key.kind === "match" && given.kind === "match") {
    const pairs = Object.entries(key.pairs);
    return ratio(pairs.filter(([left, right]) => given.pairs[left] === right).length, pairs.length);
  }
  if (key.kind === "order" && given.kind === "order")
    return ratio(key.ids.filter((id, index) => given.ids[index] === id).length, key.ids.length);
  if (key.kind === "fill" && given.kind === "fill") {
    const gaps = Object.entries(key.gaps);
    return ratio(gaps.filter(([id, gap]) => isAmong(given.gaps[id] ?? "", gap)).length, gaps.length);
  }
  if (key.kind === "number" && given.kind === "number") {
    // The sum of decimals such as 0.1 and 0.2 is a little off.
    const slack = Number.EPSILON * Math.max(1, Math.abs(key.answer), Math.abs(given.value)) * 4;
    return Math.abs(given.value - key.answer) <= key.tolerance + slack ? 1 : 0;
  }
  if (key.kind === "text" && given.kind === "text") return isAmong(given.text, key) ? 1 : 0;
  return 0;
}

/** Outer and repeated spaces never count. */
function isAmong(text: string, { answers, caseSensitive }: { answers: string[]; caseSensitive: boolean }) {
  const comparable = (one: string) => {
    const plain = one.normalize("NFKC").trim().replace(/\s+/g, " ");
    return caseSensitive ? plain : plain.toLowerCase();
  };
  return answers.some((answer) => comparable(answer) === comparable(text));
}

export function resultOf(share: number): AnswerFact["result"] {
  if (share >= 1) return "right";
  return share <= 0 ? "wrong" : "partly";
}

export const chosenOf = (given: QuestionResponse): string[] => {
  if (given.kind === "choices") return given.chosen;
  return given.kind === "trueFalse" ? [String(given.value)] : [];
};

/** A question with limited tries is over once it is right, or the tries are used up. */
export const isOver = ({ tries }: Pick<ShownQuestion, "tries">, answer: AnswerState | undefined) =>
  tries !== null && answer !== undefined && (answer.best >= 1 || answer.tries >= tries);

/** What a learner is told of an answer. What is right is told once it is of no use for another try. */
export const reveal = z.object({
  result: z.enum(["right", "wrong", "partly"]),
  share: z.number(),
  /** Null: as many as they like. */
  triesLeft: z.int().nullable(),
  feedback: richText.nullable(),
  /** Said of the chosen choices. */
  choices: z.record(blockId, richText),
  solution: solution.nullable(),
});
export type Reveal = z.infer<typeof reveal>;

export function revealAnswer(question: ShownQuestion, key: QuestionKey, answer: AnswerState): Reveal {
  const chosen = chosenOf(answer.response);
  const isKnown = isOver(question, answer) || answer.share >= 1;
  return {
    result: resultOf(answer.share),
    share: answer.share,
    triesLeft: question.tries && (isKnown ? 0 : question.tries - answer.tries),
    feedback: answer.share >= 1 ? key.right : key.wrong,
    choices: Object.fromEntries(Object.entries(key.choices).filter(([id]) => chosen.includes(id) || isKnown)),
    solution: isKnown ? key.solution : null,
  };
}
