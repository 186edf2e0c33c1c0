import type { QuestionKind } from "#shared/lessons/questions.ts";

/** The `type` of a question as an interaction of SCORM 1.2 and 2004 (RTE 4.2.9). */
export const interactionTypes: Record<QuestionKind, string> = {
  single: "choice",
  multiple: "choice",
  trueFalse: "true-false",
  match: "matching",
  order: "sequencing",
  fill: "fill-in",
  number: "numeric",
  shortText: "fill-in",
};
