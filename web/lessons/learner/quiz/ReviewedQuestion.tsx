import { useTranslation } from "react-i18next";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { responseWords } from "#web/lessons/learner/questions/responseWords.ts";
import { solutionWords } from "#web/lessons/learner/questions/solutionText.ts";
import { formatPoints as points } from "#web/lessons/learner/quiz/useQuizPage.ts";
import type { QuizQuestionBlock } from "#web/lessons/learner/quiz/useQuizPage.ts";
import { Runs } from "#web/lessons/learner/Runs.tsx";
import classes from "#web/lessons/learner/quiz/quiz.module.css";
import styles from "#web/lessons/learner/quiz/result.module.css";
import { plainText } from "#shared/lessons/richText.ts";

/** A question in the result. Only what was not right unfolds: the answer, what is right and why, what to read. */
export function ReviewedQuestion({ block, no, share }: { block: QuizQuestionBlock; no: number; share: number }) {
  const { t } = useTranslation();
  const { lesson, lessons, openLesson } = useLesson();
  const { question, id } = block;
  const answer = lesson.state.answers[id];
  const said = lesson.revealed[id];
  const toRead = lessons.find((one) => one.id === block.lessonId);
  const right = said?.solution ? solutionWords(question, said.solution, t) : "";
  const chosen = answer?.response.kind === "choices" ? answer.response.chosen : [];
  const reasons = chosen.flatMap((choice) => (said?.choices[choice] ? [said.choices[choice]] : []));
  const isMissed = share < 1;
  return (
    <li className={styles.reviewed} data-missed={isMissed || undefined}>
      <span className={classes.no}>{no}</span>
      <div className={classes.rowText}>
        <p>{plainText(question.text)}</p>
        {isMissed && (
          <>
            <p>
              {answer
                ? t("quizzes.result.yours", { text: responseWords(question, answer.response, t) })
                : t("quizzes.result.notAnswered")}
            </p>
            {right && <p>{t("quizzes.result.solution", { text: right })}</p>}
            {reasons.map((reason) => (
              <p key={reason.id}>
                <Runs text={reason} />
              </p>
            ))}
            {said?.feedback && (
              <p>
                <Runs text={said.feedback} />
              </p>
            )}
            {toRead && (
              <button type="button" className={styles.read} onClick={() => openLesson(toRead.id)}>
                {t("quizzes.result.readLesson", { title: toRead.title })}
              </button>
            )}
          </>
        )}
      </div>
      <span className={classes.rowEnd} data-done={!isMissed || undefined}>
        {t("quizzes.result.pointsOf", { earned: points(share * question.points), total: points(question.points) })}
      </span>
    </li>
  );
}
