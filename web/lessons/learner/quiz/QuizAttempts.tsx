import { IconCloudOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatPercent } from "#web/core/format/format.ts";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { mayStart } from "#web/lessons/learner/quiz/useQuizAction.ts";
import { QuizPassed } from "#web/lessons/learner/quiz/QuizPassed.tsx";
import type { QuizQuestionBlock } from "#web/lessons/learner/quiz/useQuizPage.ts";
import classes from "#web/lessons/learner/quiz/quiz.module.css";
import styles from "#web/lessons/learner/quiz/result.module.css";
import { countedAttempt, isPassed, percentOf } from "#shared/lessons/quizState.ts";

/** The attempts so far, and the next one; once the quiz is passed, that first. */
export function QuizAttempts({ rows }: { rows: { block: QuizQuestionBlock; share: number }[] }) {
  const { t } = useTranslation();
  const tools = useLesson();
  const { lesson, lessons, record, openLesson, readOnly } = tools;
  const { state, document, quiz } = lesson;
  const settings = document.quiz;
  if (!settings || !state.quiz || !quiz) return null;
  const { started, closed } = state.quiz;
  const { attempts, questions, fresh } = quiz.view;
  const passed = isPassed(state.quiz.best, settings);
  const isPerfect = percentOf(state.quiz.best ?? { earned: 0, points: 0 }) >= 100;
  const mayRetry = (attempts === null || started < attempts) && !isPerfect;
  const isStarting = lesson.waiting?.type === "quiz.start";
  const cannotStart = tools.isOffline && !mayStart(tools);
  const missed = rows.filter(({ share }) => share < 1).map(({ block }) => block.lessonId);
  const toRead = lessons.find(({ id }) => missed.includes(id));
  const listed = attempts === null ? closed.length : Math.min(attempts, 10);
  const later = Array.from({ length: Math.max(0, listed - started) }, (_, n) => started + n + 1);
  const passedNote = settings.counts === "best" ? "quizzes.intro.passed" : "quizzes.intro.passedLast";
  const counted = countedAttempt(state.quiz, settings);
  const isMarked = closed.length > 1 && (settings.counts === "last" || settings.passPercent > 0);
  return (
    <>
      {passed && settings.passPercent > 0 && counted && <QuizPassed counted={counted} />}
      {mayRetry && (
        <section className={styles.nextAttempt}>
          <h3>
            {attempts === null
              ? t("quizzes.result.attempt", { no: started + 1 })
              : t("quizzes.result.attemptOf", { at: started + 1, total: attempts })}
          </h3>
          <p>
            {passed && `${t(passedNote)} `}
            {fresh > 0 ? t("quizzes.intro.fresh", { count: fresh, questions }) : t("quizzes.intro.same")}{" "}
            {t(`quizzes.intro.${settings.counts}`)}
          </p>
          <button
            type="button"
            className={styles.again}
            data-quiet={passed || undefined}
            disabled={isStarting || readOnly || cannotStart}
            onClick={() => record({ type: "quiz.start", value: JSON.stringify({ attempt: started + 1 }) }, true)}
          >
            {t(isStarting ? "quizzes.starting" : "quizzes.startAgain")}
          </button>
          {toRead && !passed && (
            <button type="button" className={styles.second} onClick={() => openLesson(toRead.id)}>
              {t("quizzes.result.readLesson", { title: toRead.title })}
            </button>
          )}
          {cannotStart && (
            <p className={classes.offline} role="status">
              <IconCloudOff size={18} stroke={1.7} aria-hidden />
              {t(quiz.view.minutes === null ? "quizzes.offline.start" : "quizzes.offline.timed")}
            </p>
          )}
        </section>
      )}
      {(!passed || closed.length > 1) && (
        <section className={styles.nextAttempt}>
          <h3>{t("quizzes.result.attempts")}</h3>
          <ol className={styles.attempts}>
            {closed.map((one) => (
              <li key={one.no}>
                <span className={classes.no}>{one.no}</span>
                <span className={classes.rowText}>
                  {formatDateTime(one.closedAt)}
                  {isMarked && one.no === counted?.no && (
                    <span className={styles.counts}>{t("quizzes.result.counts")}</span>
                  )}
                </span>
                <strong>{formatPercent(percentOf(one))}</strong>
              </li>
            ))}
            {mayRetry &&
              later.map((no, n) => (
                <li key={no} data-later="">
                  <span className={classes.no}>{no}</span>
                  <span className={classes.rowText}>
                    {t(n === 0 ? "quizzes.result.open" : "quizzes.result.ifNeeded")}
                  </span>
                  <span>–</span>
                </li>
              ))}
          </ol>
        </section>
      )}
    </>
  );
}
