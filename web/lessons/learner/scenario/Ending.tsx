import { IconRefresh } from "@tabler/icons-react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { Paragraphs, Runs } from "#web/lessons/learner/Runs.tsx";
import groups from "#web/lessons/learner/groups.module.css";
import classes from "#web/lessons/learner/scenario/scenario.module.css";
import { reachableSteps, type ScenarioStep } from "#shared/lessons/scenarios.ts";
import { pointsOf, type ScenarioState } from "#shared/lessons/scenarioState.ts";
import type { ShownBlockOf } from "#shared/lessons/shownLesson.ts";

type Props = {
  block: ShownBlockOf<"scenario">;
  state: ScenarioState;
  step: ScenarioStep;
  heading: RefObject<HTMLHeadingElement | null>;
  onAgain: () => void;
};

/** How a scenario ended: what it means, points, the way that led here, and another try. */
export function Ending({ block, state, step, heading, onAgain }: Props) {
  const { t } = useTranslation();
  const { readOnly } = useLesson();
  const tone = step.ending ?? "fair";
  const hasPoints = block.steps.some(({ choices }) => choices.some(({ points }) => points !== 0));
  const points = pointsOf(block, state);
  const endings = [...reachableSteps(block)].filter(({ ending }) => ending !== null);
  const seen = endings.filter(({ id }) => state.endings.includes(id)).length;
  return (
    <>
      <div className={classes.ending} data-tone={tone}>
        <p className={classes.tone}>
          <span className={classes.dot} aria-hidden />
          {t(`scenarios.tones.${tone}`)}
        </p>
        <h3 ref={heading} tabIndex={-1} className={classes.title}>
          {step.title || t(`scenarios.tones.${tone}`)}
        </h3>
        <Paragraphs texts={step.text} />
        {hasPoints && (
          <p className={classes.points}>
            {t("scenarios.points", { count: points })}
            {state.runs > 1 && ` ${t("scenarios.best", { count: state.best })}`}
          </p>
        )}
      </div>
      <details className={classes.way}>
        <summary>{t("scenarios.way", { count: state.path.length })}</summary>
        <ol>
          {state.path.map((one, at) => {
            const from = block.steps.find(({ id }) => id === one.step);
            const choice = from?.choices.find(({ id }) => id === one.choice);
            return (
              choice && (
                <li key={at}>
                  {from?.title && <span className={classes.at}>{from.title}</span>}
                  <Runs text={choice.text} />
                </li>
              )
            );
          })}
        </ol>
      </details>
      <div className={classes.foot}>
        <button type="button" className={groups.button} disabled={readOnly} onClick={onAgain}>
          <IconRefresh size={18} stroke={1.7} aria-hidden />
          {t("scenarios.again")}
        </button>
        {endings.length > 1 && (
          <span className={classes.seen}>{t("scenarios.seen", { seen, count: endings.length })}</span>
        )}
      </div>
    </>
  );
}
