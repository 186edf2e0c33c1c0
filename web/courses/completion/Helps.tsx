import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/courses/completion/completions.module.css";
import { type Decided, DecisionDialog } from "#web/courses/completion/DecisionDialog.tsx";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { LazyRemindDialog } from "#web/courses/remind/lazyRemindDialog.ts";
import type { Completion } from "#shared/completions/completions.ts";
import { type LearnerQuiz, quizzes } from "#shared/player/quizzes.ts";

/** What would help a learner, each with the one button for it. */
export function Helps({ completion }: { completion: Completion }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Decided | null>(null);
  const [isReminding, setReminding] = useState(false);
  const { enrolmentId, status, overdue, attemptNo, course, name, courseId, userId, state } = completion;
  const isComplete = status === "completed";
  const { data } = useQuery({
    ...queryFor(quizzes.list, { params: { id: enrolmentId } }),
    enabled: !isComplete && status !== "withdrawn",
  });
  if (status === "withdrawn" || completion.hasLeft || !state) return null;
  const used = isComplete ? [] : (data?.items ?? []).filter(isUsedUp);
  const offered: Decided[] = [isComplete ? "reopen" : "set", ...(attemptNo > 0 ? (["restart"] as const) : [])];
  return (
    <section>
      <h3 className={classes.heading}>{t("completions.help")}</h3>
      {used.map((quiz) => (
        <MoreAttempts key={quiz.sco} quiz={quiz} enrolmentId={enrolmentId} />
      ))}
      {overdue && (
        <Help
          title={t("completions.remind.title")}
          text={t("completions.remind.text")}
          action={
            <Button variant="default" size="sm" onClick={() => setReminding(true)}>
              {t("completions.remind.action")}
            </Button>
          }
        />
      )}
      {offered.map((what) => (
        <Help
          key={what}
          title={t(`completions.${what}.title`)}
          text={t(`completions.${what}.text`)}
          action={
            <Button variant="default" size="sm" onClick={() => setChosen(what)}>
              {t(`completions.${what}.action`)}
            </Button>
          }
        />
      ))}
      {isReminding && (
        <LazyRemindDialog
          onClose={() => setReminding(false)}
          title={t("courses.remind.titleOf", { name, title: course })}
          request={{ target: { courseId, userIds: [userId] } }}
        />
      )}
      {chosen && <DecisionDialog what={chosen} completion={completion} onClose={() => setChosen(null)} />}
    </section>
  );
}

const isUsedUp = ({ attempts, started, extra, isPassed, isOpen }: LearnerQuiz) =>
  attempts !== null && !isPassed && !isOpen && started >= attempts + extra.attempts;

function MoreAttempts({ quiz, enrolmentId }: { quiz: LearnerQuiz; enrolmentId: string }) {
  const { t } = useTranslation();
  const allow = useApiMutation(quizzes.allow);
  const { sco, title, started, attempts, extra } = quiz;
  const total = (attempts ?? 0) + extra.attempts;
  const no = total + 1;
  const give = () =>
    allow
      .mutateAsync({
        params: { id: enrolmentId },
        body: { sco, attempts: extra.attempts + 1, minutes: extra.minutes },
      })
      .then(
        () => toast.done(t("completions.give.done", { no })),
        () => {},
      );
  return (
    <Help
      title={t("completions.give.title", { title })}
      text={t("completions.give.text", { started, total })}
      action={
        <Button size="sm" loading={allow.isPending} onClick={() => void give()}>
          {t("completions.give.action", { no })}
        </Button>
      }
    />
  );
}

const Help = ({ title, text, action }: { title: string; text: string; action: ReactNode }) => (
  <div className={classes.help}>
    <div className={classes.words}>
      <p className={classes.name}>{title}</p>
      <p className={classes.dim}>{text}</p>
    </div>
    {action}
  </div>
);
