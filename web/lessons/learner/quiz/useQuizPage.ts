import { useEffect, useMemo, useState } from "react";
import { formatNumber } from "#web/core/format/format.ts";
import type { OpenLesson } from "#web/lessons/learner/lessonBook.ts";
import type { ShownBlock, ShownBlockOf } from "#shared/lessons/shownLesson.ts";

export type QuizQuestionBlock = ShownBlockOf<"question">;
/** A question of the attempt with the blocks that belong to it. */
export type AskedQuestion = { block: QuizQuestionBlock; before: ShownBlock[] };
export type QuizPage = "intro" | "questions" | "overview" | "result";

export const formatPoints = (value: number) => formatNumber(value, Number.isInteger(value) ? 0 : 1);

export const isGiven = ({ state, pending }: OpenLesson, id: string) =>
  state.answers[id] !== undefined || pending[id] !== undefined;

/** The introduction, and the questions in the order of the attempt. */
export function splitQuiz({ document, state }: OpenLesson) {
  const introduction: ShownBlock[] = [];
  const asked: AskedQuestion[] = [];
  let before: ShownBlock[] = [];
  let isIntroduction = true;
  for (const block of document.blocks) {
    if (block.kind === "question") {
      asked.push({ block, before });
      before = [];
      isIntroduction = false;
    } else if (isIntroduction && block.kind !== "divider") introduction.push(block);
    else {
      isIntroduction = false;
      if (block.kind !== "divider") before.push(block);
    }
  }
  const drawn = state.quiz?.drawn ?? [];
  const listed = asked.filter(({ block }) => drawn.includes(block.id));
  return { introduction, asked: listed };
}

/** Where the learner is in a quiz; null for other lessons. */
export function useQuizPage(lesson: OpenLesson | null) {
  const parts = useMemo(() => (lesson ? splitQuiz(lesson) : null), [lesson]);
  const quiz = lesson?.state.quiz;
  const openNo = quiz?.open?.no ?? null;
  const layout = lesson?.document.quiz?.layout ?? "one";
  const total = parts?.asked.length ?? 0;
  const [place, setPlace] = useState<{ key: string; at: number }>({ key: "", at: 0 });
  const key = `${lesson?.sco} ${openNo} ${total}`;
  // After a reload: the first question without an answer.
  const first = lesson && parts ? parts.asked.findIndex(({ block }) => !isGiven(lesson, block.id)) : 0;
  useEffect(() => {
    if (place.key !== key) setPlace({ key, at: first < 0 ? total : first });
  }, [key, place.key, first, total]);
  if (!lesson?.document.quiz || !parts) return null;
  const at = place.key === key ? place.at : Math.max(0, first);
  const page = ((): QuizPage => {
    if (openNo === null) return quiz && quiz.closed.length > 0 ? "result" : "intro";
    return at >= total ? "overview" : "questions";
  })();
  const onPage = layout === "all" ? parts.asked : parts.asked.slice(at, at + 1);
  const shown = page === "questions" ? onPage : [];
  return {
    ...parts,
    page,
    at,
    total,
    layout,
    shown,
    go: (to: number) => setPlace({ key, at: Math.max(0, Math.min(total, to)) }),
  };
}
export type QuizPlace = NonNullable<ReturnType<typeof useQuizPage>>;
