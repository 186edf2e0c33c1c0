import { type AnswerState, resultOf } from "#shared/lessons/judge.ts";
import { lessonValues } from "#shared/lessons/lessonEvents.ts";
import type { QuestionResponse } from "#shared/lessons/questions.ts";
import { describeStep } from "#shared/lessons/questionTexts.ts";
import { plainText } from "#shared/lessons/richText.ts";
import type { ShownBlockOf } from "#shared/lessons/shownLesson.ts";
import type { ShownQuestion, Solution } from "#shared/lessons/shownQuestions.ts";
import { interactionTypes } from "#shared/lessons/interactionTypes.ts";
import { formatDuration } from "#shared/player/runTimeData.ts";

// Answers of lessons as reports read those of packages: like cmi.interactions of SCORM 2004 (RTE 4.2.9)

const MAX_DESCRIPTION = 250;
const joined = (list: string[]) => list.join("[,]");
const pairsOf = (pairs: Record<string, string>) =>
  joined(Object.entries(pairs).map(([left, right]) => `${left}[.]${right}`));
const gapsOf = (question: ShownQuestion) =>
  question.kind === "fill" ? question.pieces.flatMap((piece) => (piece.kind === "gap" ? [piece.id] : [])) : [];

/** The response in the notation of the standard; the texts of gaps in the order of the sentence. */
function toPattern(question: ShownQuestion, response: QuestionResponse): string {
  switch (response.kind) {
    case "choices":
      return joined(response.chosen);
    case "trueFalse":
      return String(response.value);
    case "match":
      return pairsOf(response.pairs);
    case "order":
      return joined(response.ids);
    case "fill":
      return joined(gapsOf(question).map((id) => response.gaps[id] ?? ""));
    case "number":
      return String(response.value);
    case "text":
      return response.text;
  }
}

/** The solution in the same notation; of several right texts the first. */
function toCorrectPattern(question: ShownQuestion, solution: Solution): string {
  switch (solution.kind) {
    case "choices":
      return joined(solution.right);
    case "trueFalse":
      return String(solution.isTrue);
    case "match":
      return pairsOf(solution.pairs);
    case "order":
      return joined(solution.ids);
    case "fill":
      return joined(gapsOf(question).map((id) => solution.gaps[id]?.answers[0] ?? ""));
    case "number":
      return `${solution.answer - solution.tolerance}[:]${solution.answer + solution.tolerance}`;
    case "text":
      return solution.answers[0] ?? "";
  }
}

/** What was chosen at a step of a scenario: neither right nor wrong. `index`: the place of the step. */
export function choiceFields({ steps }: ShownBlockOf<"scenario">, sent: string) {
  const { step: id, choice, ms } = lessonValues["block.choose"].parse(JSON.parse(sent));
  const index = steps.findIndex((step) => step.id === id);
  const description = steps[index] ? describeStep(steps[index]) : "";
  return {
    index,
    fields: {
      id,
      type: "choice",
      description: description.slice(0, MAX_DESCRIPTION),
      learner_response: choice,
      result: "neutral",
      latency: formatDuration(ms / 1000),
    },
  };
}

export function answerFields(
  { id, question }: ShownBlockOf<"question">,
  { response, share }: AnswerState,
  sent: string,
) {
  const { ms } = lessonValues["block.answer"].parse(JSON.parse(sent));
  return {
    id,
    type: interactionTypes[question.kind],
    description: plainText(question.text).slice(0, MAX_DESCRIPTION),
    learner_response: toPattern(question, response),
    result: resultOf(share) === "right" ? "correct" : "incorrect",
    weighting: String(question.points),
    latency: formatDuration(ms / 1000),
    ...(question.key && { "correct_responses.0.pattern": toCorrectPattern(question, question.key.solution) }),
  };
}
