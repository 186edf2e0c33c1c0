import { useMediaQuery } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import type { LessonTools } from "#web/lessons/learner/lessonContext.ts";
import { isGiven, type QuizPlace } from "#web/lessons/learner/quiz/useQuizPage.ts";
import { isPassed } from "#shared/lessons/quizState.ts";
import type { useQuestionList } from "#web/lessons/learner/useQuestionList.ts";

type Questions = ReturnType<typeof useQuestionList>;
type Next = { label: string; run: () => void };
/** `isQuiet`: the main button of the page is elsewhere. */
export type QuizAction = { label: string; run: () => void; isDisabled?: boolean; isQuiet?: boolean; note: string };

/** What the main button does in a quiz, and what stands beside it; `leave` goes on after it, if anything follows. */
export function useQuizAction(
  tools: LessonTools | null,
  place: QuizPlace | null,
  questions: Questions,
  leave: Next | null,
): QuizAction | null {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery("(max-width: 56.25em)", undefined, { getInitialValueInEffect: false }) === true;
  if (!tools || !place) return null;
  const { lesson, record, isOffline, readOnly } = tools;
  const { quiz } = lesson.state;
  const send = (type: "quiz.start" | "quiz.end" | "quiz.resume", attempt: number | undefined) =>
    record({ type, value: JSON.stringify({ attempt }) }, true);
  const answered = place.asked.filter(({ block }) => isGiven(lesson, block.id)).length;
  const note = t("quizzes.answered", { count: answered, total: place.total });
  const handIn = (): QuizAction => ({
    label: lesson.waiting?.type === "quiz.end" ? t("quizzes.handingIn") : t("quizzes.handIn"),
    run: () => send("quiz.end", quiz?.open?.no),
    isDisabled: readOnly || lesson.waiting?.type === "quiz.end",
    note,
  });
  if (place.page === "result") {
    const { view } = lesson.quiz ?? {};
    const settings = lesson.document.quiz;
    const mayRetry = quiz && view && (view.attempts === null || quiz.started < view.attempts);
    const wantsRetry = mayRetry && settings && !isPassed(quiz.best, settings);
    // Where the attempts are far below, the way on is here.
    if (!isNarrow || !wantsRetry) return leave && { ...leave, isQuiet: Boolean(wantsRetry), note: "" };
    const isStarting = lesson.waiting?.type === "quiz.start";
    return {
      label: t(isStarting ? "quizzes.starting" : "quizzes.startAgain"),
      run: () => send("quiz.start", quiz.started + 1),
      isDisabled: isStarting || readOnly || !mayStart(tools),
      note: isOffline ? t("quizzes.offline.waiting") : "",
    };
  }
  if (place.page === "intro") {
    const isStarting = lesson.waiting?.type === "quiz.start";
    return {
      label: t(isStarting ? "quizzes.starting" : "quizzes.start"),
      run: () => send("quiz.start", (quiz?.started ?? 0) + 1),
      isDisabled: isStarting || readOnly || !mayStart(tools),
      note: isOffline && !mayStart(tools) ? t("quizzes.offline.waiting") : "",
    };
  }
  if (quiz?.open?.pausedAt)
    return {
      label: t("quizzes.continue"),
      run: () => send("quiz.resume", quiz.open?.no),
      isDisabled: lesson.waiting !== undefined || readOnly,
      note: "",
    };
  if (place.page === "overview") return handIn();
  if (questions.canCheck) return { label: t("quizzes.check"), run: () => void questions.check(), note };
  const isLast = place.layout === "all" || place.at === place.total - 1;
  const isEach = lesson.document.quiz?.feedback === "each";
  if (isLast && isEach && answered === place.total) return handIn();
  return {
    label: t(isLast ? "quizzes.toOverview" : "quizzes.next"),
    run: () => place.go(isLast ? place.total : place.at + 1),
    note,
  };
}

/** With a limit, or without its questions, an attempt begins only with a connection. */
export const mayStart = ({ isOffline, lesson }: LessonTools) => !isOffline || lesson.quiz?.view.isPrepared === true;
