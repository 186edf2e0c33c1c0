import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatPercent } from "#web/core/format/format.ts";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import styles from "#web/lessons/learner/quiz/result.module.css";
import { type ClosedQuiz, percentOf } from "#shared/lessons/quizState.ts";

/** In place of further attempts: that the quiz is passed, with which result, and what follows from it. */
export function QuizPassed({ counted }: { counted: ClosedQuiz }) {
  const { t } = useTranslation();
  const { lesson, completed } = useLesson();
  const counts = lesson.document.quiz?.counts ?? "best";
  return (
    <section className={styles.passed}>
      <h3>
        <IconCheck size={20} stroke={2.2} aria-hidden />
        {t("quizzes.passed.title")}
      </h3>
      <p>
        {t(`quizzes.passed.${counts}`, {
          percent: formatPercent(percentOf(counted)),
          no: counted.no,
          when: formatDateTime(counted.closedAt),
        })}
      </p>
      {completed && <p>{t("quizzes.passed.course")}</p>}
      {completed?.certificate}
    </section>
  );
}
