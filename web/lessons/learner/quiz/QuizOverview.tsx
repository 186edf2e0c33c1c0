import { IconCheck } from "@tabler/icons-react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { isGiven, type QuizPlace } from "#web/lessons/learner/quiz/useQuizPage.ts";
import classes from "#web/lessons/learner/quiz/quiz.module.css";
import lessonClasses from "#web/lessons/learner/lesson.module.css";
import { plainText } from "#shared/lessons/richText.ts";

type Props = { place: QuizPlace; heading: RefObject<HTMLHeadingElement | null> };

/** The last page before handing in: which questions have no answer yet. */
export function QuizOverview({ place, heading }: Props) {
  const { t } = useTranslation();
  const { lesson } = useLesson();
  const open = place.asked.filter(({ block }) => !isGiven(lesson, block.id)).length;
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className={lessonClasses.title}>
        {t("quizzes.overview.title")}
      </h2>
      <p className={classes.lead}>
        {open === 0 ? t("quizzes.overview.all") : t("quizzes.overview.open", { count: open })}
      </p>
      <ol className={classes.rows}>
        {place.asked.map(({ block }, n) => {
          const done = isGiven(lesson, block.id);
          return (
            <li key={block.id}>
              <button type="button" className={classes.row} onClick={() => place.go(place.layout === "all" ? 0 : n)}>
                <span className={classes.no}>{n + 1}</span>
                <span className={classes.rowText}>{plainText(block.question.text)}</span>
                <span className={classes.rowEnd} data-done={done || undefined}>
                  {done && <IconCheck size={16} stroke={2} aria-hidden />}
                  {t(done ? "quizzes.overview.answered" : "quizzes.overview.none")}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </>
  );
}
