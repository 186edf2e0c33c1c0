import { IconCloudOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatNumber, formatPercent } from "#web/core/format/format.ts";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { mayStart } from "#web/lessons/learner/quiz/useQuizAction.ts";
import classes from "#web/lessons/learner/quiz/quiz.module.css";

/** What to know before an attempt: how many questions, how long, how often, and what is needed. */
export function QuizIntro() {
  const { t } = useTranslation();
  const tools = useLesson();
  const { document, quiz, state } = tools.lesson;
  const settings = document.quiz;
  const view = quiz?.view;
  if (!settings || !view) return null;
  const points = formatNumber(view.points, Number.isInteger(view.points) ? 0 : 1);
  const at = (state.quiz?.started ?? 0) + 1;
  const facts = [
    [t("quizzes.facts.questions"), String(view.questions), t("quizzes.facts.points", { count: view.points, points })],
    [
      t("quizzes.facts.time"),
      view.minutes === null ? t("quizzes.facts.noLimit") : t("quizzes.facts.minutes", { count: view.minutes }),
      "",
    ],
    [
      t("quizzes.facts.attempts"),
      view.attempts === null
        ? t("quizzes.facts.anyNumber")
        : t("quizzes.facts.attemptOf", { at, total: view.attempts }),
      "",
    ],
    ...(settings.passPercent > 0
      ? [[t("quizzes.facts.passMark"), formatPercent(settings.passPercent), ""] as const]
      : []),
  ] as const;
  const isOffline = tools.isOffline && !mayStart(tools);
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([label, value, more]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd data-word={/^\p{L}{3}/u.test(value) || undefined}>{value}</dd>
            {more && <dd className={classes.more}>{more}</dd>}
          </div>
        ))}
      </dl>
      <ul className={classes.rules}>
        <li>{t(`quizzes.intro.${settings.feedback}`)}</li>
        {view.minutes !== null && <li>{t(settings.mayPause ? "quizzes.intro.pause" : "quizzes.intro.clock")}</li>}
        {view.attempts !== 1 && <li>{t(`quizzes.intro.${settings.counts}`)}</li>}
      </ul>
      {isOffline && (
        <p className={classes.offline} role="status">
          <IconCloudOff size={18} stroke={1.7} aria-hidden />
          {t(view.minutes === null ? "quizzes.offline.start" : "quizzes.offline.timed")}
        </p>
      )}
    </>
  );
}
