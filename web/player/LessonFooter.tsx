import { IconArrowLeft, IconList } from "@tabler/icons-react";
import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import { isOpen, type OpenLesson } from "#web/lessons/learner/lessonBook.ts";
import type { QuizAction } from "#web/lessons/learner/quiz/useQuizAction.ts";
import type { useQuestionList } from "#web/lessons/learner/useQuestionList.ts";
import type { VisibleBlocks } from "#web/lessons/learner/visibleBlocks.ts";
import classes from "#web/player/LessonFooter.module.css";
import type { AttemptState, Part } from "#shared/player/player.ts";

/** More columns would leave a phone no room for the main button. */
const MAX_COLUMNS = 14;

type Props = {
  parts: Part[];
  index: number;
  attempt: AttemptState;
  lesson: OpenLesson | null;
  /** The part belongs to a package, which is shown in its own frame. */
  isPackage: boolean;
  visible: VisibleBlocks;
  questions: ReturnType<typeof useQuestionList>;
  area: RefObject<HTMLElement | null>;
  isAtEnd: boolean;
  /** In a quiz, what the main button does. */
  quiz: QuizAction | null;
  contentsOpen: boolean;
  onContents: () => void;
  onOpen: (sco: string) => void;
  /** "Continue" was pressed. */
  onGate: (id: string) => void;
  /** The learner leaves the lesson by its end, perhaps faster than the end counts as seen. */
  onRead: () => void;
  onEnd: () => void;
  onExit: () => void;
  /** The button at the end of the course, if it does not lead back to one's courses. */
  leave?: string;
};

/** The way back, what is missing, and the one main button: check, go on, next lesson. */
export function LessonFooter(props: Props) {
  const { parts, index, attempt, visible, lesson, isAtEnd, quiz, contentsOpen, onContents, onOpen } = props;
  const { t } = useTranslation();
  const reading = useMainAction(props);
  const main = (!isAtEnd && quiz) || reading;
  const inAttempt = !isAtEnd && lesson?.state.quiz?.open != null;
  const before = parts[index - 1];
  const done = attempt.parts.filter(({ state }) => state === "done").length;
  const [firstMissing] = visible.missing;
  const showMissing = lesson?.state.ended && !isAtEnd && firstMissing !== undefined;
  return (
    <footer className={classes.footer}>
      <button type="button" className={classes.contents} onClick={onContents} aria-expanded={contentsOpen}>
        <IconList size={18} stroke={1.7} aria-hidden />
        {t("player.contents")}
      </button>
      {before && !isAtEnd && !inAttempt ? (
        <button type="button" className={classes.back} onClick={() => onOpen(before.sco)}>
          <IconArrowLeft size={18} stroke={1.7} aria-hidden className={classes.arrow} />
          <span>{before.title}</span>
        </button>
      ) : (
        <span className={classes.back} data-empty="" />
      )}
      <span className={classes.middle}>
        {quiz?.note && !isAtEnd && <span className={classes.note}>{quiz.note}</span>}
        {showMissing && !quiz && (
          <button type="button" className={classes.missing} onClick={() => goTo(firstMissing.id)}>
            {t("lessons.missing", { count: visible.missing.length })}
          </button>
        )}
        {!showMissing && !quiz?.note && (
          <span className={classes.colonnade}>
            {parts.length > 1 && parts.length <= MAX_COLUMNS && (
              <Colonnade total={parts.length} done={done} current={isAtEnd ? null : index + 1} />
            )}
            {parts.length > MAX_COLUMNS && t("player.position", { at: index + 1, total: parts.length })}
          </span>
        )}
      </span>
      <button
        type="button"
        className={classes.main}
        data-quiet={("isQuiet" in main && main.isQuiet) || undefined}
        onClick={main.run}
        disabled={"isDisabled" in main && main.isDisabled === true}
      >
        {main.label}
      </button>
    </footer>
  );
}

/** Scrolls to a block and gives it the focus: to its question, or its first control. */
function goTo(id: string) {
  const block = document.querySelector<HTMLElement>(`[data-block="${CSS.escape(id)}"]`);
  block?.scrollIntoView({ block: "start", behavior: prefersMotion() ? "smooth" : "instant" });
  block?.querySelector<HTMLElement>("legend, input, textarea, select, video, audio, button")?.focus({
    preventScroll: true,
  });
}
const prefersMotion = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

function useMainAction({
  parts,
  index,
  lesson,
  isPackage,
  visible,
  questions,
  area,
  isAtEnd,
  leave: end,
  ...on
}: Props) {
  const { t } = useTranslation();
  const isBelow = useIsBelow(area, `${lesson?.sco} ${visible.gate} ${visible.blocks.length} ${isAtEnd}`);
  const next = parts[index + 1];
  if (isAtEnd) return { label: end ?? t("lessons.leave"), run: on.onExit };
  if (isPackage)
    return next
      ? { label: t("lessons.nextLesson"), run: () => on.onOpen(next.sco) }
      : { label: t("lessons.finish"), run: on.onEnd };
  if (!lesson) return { label: t("lessons.continue"), run: () => {} };
  if (questions.canCheck) return { label: t("lessons.check"), run: () => void questions.check() };
  const unanswered = visible.blocks.filter(
    (block) => block.kind === "question" && isOpen(block, lesson) && !lesson.state.answers[block.id],
  );
  const at = questions.active === null ? -1 : visible.blocks.findIndex(({ id }) => id === questions.active);
  const following = unanswered.find((block) => visible.blocks.indexOf(block) > at);
  if (following && (at >= 0 || !isBelow))
    return {
      label: t(at >= 0 ? "lessons.nextQuestion" : "lessons.toQuestion"),
      run: () => {
        questions.activate(following.id);
        goTo(following.id);
      },
    };
  const { gate } = visible;
  if (gate !== null)
    return {
      label: t("lessons.continue"),
      run: () => {
        on.onGate(gate);
        requestAnimationFrame(() => goTo(gate));
      },
    };
  if (isBelow)
    return {
      label: t("lessons.continue"),
      run: () =>
        area.current?.scrollBy({
          top: area.current.clientHeight * 0.85,
          behavior: prefersMotion() ? "smooth" : "instant",
        }),
    };
  const leave = next ? () => on.onOpen(next.sco) : on.onEnd;
  return {
    label: t(next ? "lessons.nextLesson" : "lessons.finish"),
    run: () => {
      on.onRead();
      leave();
    },
  };
}

/** Pixels that may remain below without counting as more to read. */
const SLACK = 48;

/** True while there is more to read below. */
function useIsBelow(area: RefObject<HTMLElement | null>, key: string) {
  const [isBelow, setBelow] = useState(false);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const update = () => setBelow(element.scrollHeight - element.scrollTop - element.clientHeight > SLACK);
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [area, key]);
  return isBelow;
}
