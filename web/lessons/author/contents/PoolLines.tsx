import { useTranslation } from "react-i18next";
import classes from "#web/lessons/author/contents/contents.module.css";
import type { QuestionFact } from "#web/lessons/author/settings/useLessonFacts.ts";
import type { QuizPool } from "#shared/lessons/quiz.ts";

/** The pools of a quiz in the contents; with their sizes where the lesson is open. */
export function PoolLines({ pools, questions }: { pools: QuizPool[]; questions: QuestionFact[] | null }) {
  const { t } = useTranslation();
  if (pools.length === 0) return null;
  return (
    <ul className={classes.pools}>
      {pools.map(({ key, title, draw }) => {
        const count = questions?.filter(({ pool }) => pool === key).length;
        return (
          <li key={key} data-short={(count !== undefined && count < draw) || undefined}>
            {count === undefined
              ? t("lessonDrafts.quiz.poolLineShort", { title, draw })
              : t("lessonDrafts.quiz.poolLine", { title, draw, count })}
          </li>
        );
      })}
    </ul>
  );
}
