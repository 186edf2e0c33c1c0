import { IconCheck } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { formatPercent } from "#web/core/format/format.ts";
import classes from "#web/player/CourseEnd.module.css";
import type { AttemptState, Part } from "#shared/player/player.ts";

type Props = {
  parts: Part[];
  attempt: AttemptState;
  /** What is missing, or that nothing is. */
  why: string;
  onOpen: (sco: string) => void;
  certificate?: ReactNode;
};

/** The end of a course: the result, and its parts with what is still to do. */
export function CourseResult({ parts: all, attempt, why, onOpen, certificate }: Props) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const states = new Map(attempt.parts.map(({ sco, state }) => [sco, state]));
  const parts = all.filter(({ href }) => href !== null);
  const open = parts.filter(({ sco }) => states.get(sco) !== "done");
  const isComplete = attempt.completion === "complete";
  return (
    <div className={classes.end}>
      <h2 ref={heading} tabIndex={-1}>
        {isComplete ? t("lessons.complete") : t("lessons.almost")}
      </h2>
      <p className={classes.lead} role="status">
        {why}
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
      {certificate}
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
