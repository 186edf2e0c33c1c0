import { useMemo } from "react";
import type { QuizPlace } from "#web/lessons/learner/quiz/useQuizPage.ts";
import { useQuestionList } from "#web/lessons/learner/useQuestionList.ts";
import type { VisibleBlocks } from "#web/lessons/learner/visibleBlocks.ts";

/** The questions on the page of a quiz, or all visible ones of another lesson. */
export function useShownQuestions({ blocks }: VisibleBlocks, place: QuizPlace | null) {
  const shown = place?.shown.map(({ block }) => block.id).join(" ");
  const ids = useMemo(
    () => shown?.split(" ").filter(Boolean) ?? blocks.filter(({ kind }) => kind === "question").map(({ id }) => id),
    [blocks, shown],
  );
  return useQuestionList(ids);
}
