import { IconCheck } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { EarnedCertificate } from "#web/certificates/CertificateCard.tsx";
import { formatPercent } from "#web/core/format/format.ts";
import classes from "#web/player/CourseEnd.module.css";
import { asksFor, testsOf } from "#shared/courses/completion.ts";
import type { AttemptState, Launch } from "#shared/player/player.ts";

type Props = { launch: Launch; attempt: AttemptState; onOpen: (sco: string) => void };

/** What is done, what is missing and why, and what to do next. */
export function CourseEnd({ launch, attempt, onOpen }: Props) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const states = new Map(attempt.parts.map(({ sco, state }) => [sco, state]));
  const parts = launch.parts.filter(({ href }) => href !== null);
  const open = parts.filter(({ sco }) => states.get(sco) !== "done");
  const { rule } = launch.course;
  const isComplete = attempt.completion === "complete";
  const missing = testsOf(rule);
  const score = missing.find((test) => test.kind === "score" && (attempt.scorePercent ?? 0) < test.percent);
  const time = missing.find((test) => test.kind === "time");
  const why = () => {
    if (isComplete) return t("lessons.completeText", { course: launch.course.title });
    if (open.length > 0) return t("lessons.openLessons", { count: open.length });
    if (score?.kind === "score") return t("lessons.needsScore", { percent: formatPercent(score.percent) });
    if (asksFor(rule, "confirmed")) return t("lessons.needsConfirm");
    return time?.kind === "time" ? t("lessons.needsTime", { count: time.minutes }) : t("lessons.needsMore");
  };
  return (
    <div className={classes.end}>
      <h2 ref={heading} tabIndex={-1}>
        {isComplete ? t("lessons.complete") : t("lessons.almost")}
      </h2>
      <p className={classes.lead} role="status">
        {why()}
      </p>
      <dl className={classes.ledger}>
        <div>
          <dt>{t("lessons.doneLessons")}</dt>
          <dd>{t("player.position", { at: parts.length - open.length, total: parts.length })}</dd>
        </div>
        {attempt.scorePercent !== null && (
          <div>
            <dt>{t("lessons.score")}</dt>
            <dd>{formatPercent(attempt.scorePercent)}</dd>
          </div>
        )}
      </dl>
      {isComplete && !launch.preview && <EarnedCertificate courseId={launch.course.id} />}
      <ol className={classes.parts}>
        {parts.map(({ sco, title }) => {
          const state = states.get(sco) ?? "todo";
          return (
            <li key={sco} data-state={state}>
              <span className={classes.name}>{title}</span>
              {state === "done" ? (
                <span className={classes.done}>
                  <IconCheck size={18} stroke={1.8} aria-hidden />
                  {t("player.part.done")}
                </span>
              ) : (
                <button type="button" onClick={() => onOpen(sco)}>
                  {t("lessons.goTo")}
                  <span className="ly-hidden"> {title}</span>
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
