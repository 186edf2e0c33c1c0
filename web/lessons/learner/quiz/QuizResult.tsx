import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { QuizAttempts } from "#web/lessons/learner/quiz/QuizAttempts.tsx";
import { ReviewedQuestion } from "#web/lessons/learner/quiz/ReviewedQuestion.tsx";
import { formatPoints as points, type QuizPlace } from "#web/lessons/learner/quiz/useQuizPage.ts";
import classes from "#web/lessons/learner/quiz/quiz.module.css";
import styles from "#web/lessons/learner/quiz/result.module.css";
import { resultOf } from "#shared/lessons/judge.ts";
import { isPassed, percentOf } from "#shared/lessons/quizState.ts";

type Props = { title: string; place: QuizPlace; heading: RefObject<HTMLHeadingElement | null> };

/** What an attempt amounts to, in a sentence; what was not right, and what to read; the next attempt. */
export function QuizResult({ title, place, heading }: Props) {
  const { t } = useTranslation();
  const { lesson } = useLesson();
  const { state, document, quiz } = lesson;
  const last = state.quiz?.closed.at(-1);
  const settings = document.quiz;
  if (!last || !settings || !state.quiz || !quiz) return null;
  const percent = percentOf(last);
  const exact = (last.points * settings.passPercent) / 100;
  // Parts of points are named where there are some; 1e-9 is the error of sums of shares such as 1/3.
  const step = Number.isInteger(last.earned) ? 1 : 10;
  const needed = Math.ceil(exact * step - 1e-9) / step;
  const passed = isPassed(last, settings);
  const { best } = state.quiz;
  const passedBefore = !passed && isPassed(best, settings);
  const { canReview, attempts, minutes } = quiz.view;
  const mayRetry = attempts === null || state.quiz.started < attempts;
  const rows = canReview ? place.asked.map(({ block }) => ({ block, share: state.answers[block.id]?.share ?? 0 })) : [];
  const count = (result: string) => rows.filter(({ share }) => resultOf(share) === result).length;
  const missed = rows.filter(({ share }) => share < 1).length;
  const sentence = (() => {
    if (settings.passPercent === 0) return t("quizzes.result.done");
    if (passedBefore) return t("quizzes.result.passedBefore");
    if (passed) return t(percent >= 100 ? "quizzes.result.perfect" : "quizzes.result.passed");
    const missing = Math.max(1, Math.ceil(needed - last.earned));
    return t("quizzes.result.more", { count: missing, points: missing });
  })();
  const earned = { earned: points(last.earned), total: points(last.points), needed: points(needed) };
  const seconds = (Date.parse(last.closedAt) - Date.parse(last.startedAt)) / 1000;
  return (
    <div className={styles.result}>
      <div>
        <h2 ref={heading} tabIndex={-1} className={styles.sentence}>
          {sentence}
          <span className="ly-hidden"> {title}</span>
        </h2>
        <p className={classes.lead}>
          {t(settings.passPercent === 0 ? "quizzes.result.pointsOnly" : "quizzes.result.points", earned)}{" "}
          {last.isTimeUp && t("quizzes.result.timeUp")} {passedBefore && t("quizzes.result.stays", { no: best?.no })}
          {!passed && !passedBefore && mayRetry && missed > 0 && t("quizzes.result.read", { count: missed })}
          {!passed && !passedBefore && !mayRetry && t("quizzes.result.noneLeft")}
        </p>
        {rows.length > 0 && (
          <>
            <div className={styles.summary}>
              <ol className={styles.columns} aria-hidden>
                {rows.map(({ block, share }, n) => (
                  <li key={block.id}>
                    <span className={styles.column} data-share={resultOf(share)} />
                    <span className={styles.columnNo}>{n + 1}</span>
                  </li>
                ))}
              </ol>
              <p className={styles.legend}>
                {(["right", "partly", "wrong"] as const)
                  .filter((result) => count(result) > 0)
                  .map((result) => (
                    <span key={result}>
                      <span className={styles.swatch} data-share={result} aria-hidden />
                      {t(`quizzes.result.${result}`, { count: count(result) })}
                    </span>
                  ))}
              </p>
            </div>
            <ol className={classes.rows}>
              {rows.map(({ block, share }, n) => (
                <ReviewedQuestion key={block.id} block={block} no={n + 1} share={share} />
              ))}
            </ol>
          </>
        )}
        {!canReview && <p className={classes.hint}>{t(`quizzes.result.${reviewNotes[settings.review]}`)}</p>}
      </div>
      <aside>
        <dl className={styles.ledger}>
          <div>
            <dt>{t("quizzes.result.score")}</dt>
            <dd>{formatPercent(percent)}</dd>
            {settings.passPercent > 0 && (
              <dd>{t("quizzes.result.toPass", { percent: formatPercent(settings.passPercent) })}</dd>
            )}
          </div>
          <div>
            <dt>{t("quizzes.result.time")}</dt>
            <dd>{formatDuration(seconds)}</dd>
            <dd>{minutes === null ? t("quizzes.facts.noLimit") : t("quizzes.result.limit", { count: minutes })}</dd>
          </div>
        </dl>
        <QuizAttempts rows={rows} />
      </aside>
    </div>
  );
}

const reviewNotes = {
  never: "reviewNever",
  passed: "reviewPassed",
  lastAttempt: "reviewLast",
  always: "reviewNever",
} as const;
