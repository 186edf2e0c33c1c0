import { IconClock, IconCloudOff, IconPlayerPause } from "@tabler/icons-react";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "#web/core/format/format.ts";
import { givenIn } from "#web/lessons/learner/LessonView.tsx";
import { BlockView } from "#web/lessons/learner/BlockView.tsx";
import { LessonProvider, type LessonTools } from "#web/lessons/learner/lessonContext.ts";
import { type QuestionList, QuestionListContext } from "#web/lessons/learner/questions/questionList.ts";
import { QuizIntro } from "#web/lessons/learner/quiz/QuizIntro.tsx";
import { QuizOverview } from "#web/lessons/learner/quiz/QuizOverview.tsx";
import { QuizQuestion } from "#web/lessons/learner/quiz/QuizQuestion.tsx";
import { QuizResult } from "#web/lessons/learner/quiz/QuizResult.tsx";
import { formatLeft, pausedTime } from "#web/lessons/learner/quiz/useQuizClock.ts";
import type { QuizPlace } from "#web/lessons/learner/quiz/useQuizPage.ts";
import { Unclear } from "#web/lessons/learner/Unclear.tsx";
import lessonClasses from "#web/lessons/learner/lesson.module.css";
import classes from "#web/lessons/learner/quiz/quiz.module.css";
import styles from "#web/lessons/learner/quiz/result.module.css";
import { directionOf } from "#shared/lessons/direction.ts";
import type { ShownBlock } from "#shared/lessons/shownLesson.ts";

type Props = {
  title: string;
  tools: LessonTools;
  place: QuizPlace;
  questions: QuestionList;
  /** Time left in ms; null without a limit. */
  left: number | null;
  area: RefObject<HTMLElement | null>;
  main: () => void;
};

/** A quiz: what to know before, its questions, and the result. */
export function QuizView({ title, tools, place, questions, left, area, main }: Props) {
  const { t } = useTranslation();
  const { lesson, isReplayed } = tools;
  const { page, at, shown, total } = place;
  const paused = lesson.state.quiz?.open?.pausedAt != null;
  const heading = useRef<HTMLHeadingElement>(null);
  const shownKey = `${lesson.sco} ${page} ${page === "questions" ? at : ""} ${lesson.state.quiz?.started}`;
  useLayoutEffect(() => {
    area.current?.scrollTo(0, 0);
    if (isReplayed) return;
    const question = area.current?.querySelector<HTMLElement>("[data-question] legend");
    (question ?? heading.current)?.focus({ preventScroll: true });
  }, [area, shownKey, isReplayed]);
  useEnterKey(main, !isReplayed && (page === "questions" || page === "overview"));
  return (
    <LessonProvider value={tools}>
      <QuestionListContext value={questions}>
        <article
          className={page === "result" ? styles.wide : lessonClasses.lesson}
          lang={lesson.document.language}
          dir={directionOf(lesson.document.language)}
        >
          {(page === "questions" || page === "overview") && <AttemptHead left={left} tools={tools} />}
          {page === "intro" && (
            <>
              <h2 ref={heading} tabIndex={-1} className={lessonClasses.title}>
                {title}
              </h2>
              <Blocks blocks={place.introduction} />
              <QuizIntro />
            </>
          )}
          {page === "questions" && paused && (
            <>
              <h2 ref={heading} tabIndex={-1} className={lessonClasses.title}>
                {t("quizzes.paused")}
              </h2>
              <p className={classes.lead}>{t("quizzes.pausedText", { time: formatLeft(pausedTime(lesson)) })}</p>
            </>
          )}
          {page === "questions" &&
            !paused &&
            shown.map(({ block, before }, n) => (
              <div key={isReplayed ? givenIn(block, tools) : block.id} className={classes.asked}>
                <Blocks blocks={before} />
                <QuizQuestion block={block} at={at + n + 1} total={total} />
                <Unclear block={block} />
              </div>
            ))}
          {page === "questions" && !paused && place.layout === "one" && at > 0 && (
            <button type="button" className={classes.quiet} onClick={() => place.go(at - 1)}>
              {t("quizzes.previous")}
            </button>
          )}
          {page === "overview" && <QuizOverview place={place} heading={heading} />}
          {page === "result" && <QuizResult title={title} heading={heading} place={place} />}
        </article>
      </QuestionListContext>
    </LessonProvider>
  );
}

const Blocks = ({ blocks }: { blocks: ShownBlock[] }) => (
  <>
    {blocks.map((block) => (
      <div key={block.id} data-block={block.id} data-kind={block.kind} className={lessonClasses.block}>
        <BlockView block={block} />
        <Unclear block={block} />
      </div>
    ))}
  </>
);

const FIVE_MINUTES = 300_000;
const ONE_MINUTE = 60_000;

/** The time that is left, announced at five minutes and at one, and what to know while the network is away. */
function AttemptHead({ left, tools }: { left: number | null; tools: LessonTools }) {
  const { t } = useTranslation();
  const { lesson, isOffline, record } = tools;
  const open = lesson.state.quiz?.open;
  const minutes = lesson.quiz?.view.minutes ?? 0;
  const announced = (() => {
    if (left === null || left <= 0) return "";
    if (left <= ONE_MINUTE) return t("quizzes.minutesLeft", { count: 1 });
    return left <= FIVE_MINUTES && minutes > 5 ? t("quizzes.minutesLeft", { count: 5 }) : "";
  })();
  const mayPause = lesson.document.quiz?.mayPause && open?.endsAt != null && open.pausedAt === null;
  return (
    <>
      {left !== null && (
        <div className={classes.clock}>
          <span data-soon={left <= ONE_MINUTE || undefined}>
            <IconClock size={18} stroke={1.7} aria-hidden />
            {t("quizzes.timeLeft", { time: formatLeft(left) })}
          </span>
          {mayPause && (
            <button
              type="button"
              className={classes.quiet}
              disabled={isOffline || lesson.waiting !== undefined}
              onClick={() => record({ type: "quiz.pause", value: JSON.stringify({ attempt: open?.no }) }, true)}
            >
              <IconPlayerPause size={18} stroke={1.7} aria-hidden />
              {t("quizzes.pause")}
            </button>
          )}
        </div>
      )}
      <span className="ly-hidden" role="status">
        {announced}
      </span>
      {isOffline && left !== null && lesson.quiz && (
        <p className={classes.offline} role="status">
          <IconCloudOff size={18} stroke={1.7} aria-hidden />
          {t("quizzes.offline.answers", { time: formatTime(lesson.quiz.view.endsAt ?? "") })}
        </p>
      )}
    </>
  );
}

/** Enter goes on, except where it writes or presses something. */
function useEnterKey(main: () => void, isOn: boolean) {
  const latest = useRef(main);
  useEffect(() => {
    latest.current = main;
  });
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== "Enter" || event.defaultPrevented || event.repeat) return;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("button, a, summary, select, textarea"))
        return;
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isOn]);
}
