import { IconArrowBackUp, IconArrowRight, IconRefresh } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { Paragraphs, Runs } from "#web/lessons/learner/Runs.tsx";
import groups from "#web/lessons/learner/groups.module.css";
import { Ending } from "#web/lessons/learner/scenario/Ending.tsx";
import { orderFor } from "#web/lessons/learner/scenario/orderFor.ts";
import classes from "#web/lessons/learner/scenario/scenario.module.css";
import { plainText } from "#shared/lessons/richText.ts";
import { type ScenarioChoice, type ScenarioStep, stepByKey } from "#shared/lessons/scenarios.ts";
import { currentStep, MAX_PATH, newScenarioState } from "#shared/lessons/scenarioState.ts";
import type { ShownBlockOf } from "#shared/lessons/shownLesson.ts";

const MAX_MS = 86_400_000;

type Walk = "block.choose" | "block.back" | "block.restart";
/** A choice whose feedback is being read, before the step that it leads to. */
type Chosen = { step: ScenarioStep; choice: ScenarioChoice };

/** A scenario: one step at a time, the feedback of a choice, and the ending. */
export function ScenarioBlock({ block }: { block: ShownBlockOf<"scenario"> }) {
  const { t } = useTranslation();
  const { lesson, record, learner, readOnly } = useLesson();
  const state = lesson.state.scenarios?.[block.id] ?? newScenarioState();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const step = chosen?.step ?? currentStep(block, state);
  const isLoose = chosen !== null && !stepByKey(block, chosen.choice.to);
  const watch = useStopwatch();
  const { focus, moveFocus } = useFocusOn(`${step.id} ${chosen?.choice.id}`);

  const send = (type: Walk, value?: unknown) =>
    record({ type, key: block.id, ...(value !== undefined && { value: JSON.stringify(value) }) }, true);
  const choose = (choice: ScenarioChoice) => {
    send("block.choose", { step: step.id, choice: choice.id, ms: watch.stop() });
    if (step.variable)
      record({ type: "variable.set", key: step.variable, value: JSON.stringify(plainText(choice.text).trim()) });
    moveFocus();
    setChosen(choice.feedback || !stepByKey(block, choice.to) ? { step, choice } : null);
  };
  const goOn = () => {
    watch.stop();
    moveFocus();
    setChosen(null);
  };
  const goTo = (type: Walk) => {
    send(type);
    goOn();
  };

  /** The server takes no more choices before the learner starts again. */
  const isTooLong = state.path.length >= MAX_PATH && !step.ending;
  const isWaiting = chosen !== null && !isLoose;
  const isOnTheWay = state.path.length > 0 && !step.ending && chosen === null;
  const choices = block.shuffle ? orderFor(learner, step.choices) : step.choices;
  return (
    <section className={classes.scenario} aria-label={block.title || t("scenarios.name")}>
      <p className={classes.meta}>
        <span>{block.title || t("scenarios.name")}</span>
        {block.required && state.runs === 0 && <span>{t("scenarios.required")}</span>}
      </p>
      {step.ending ? (
        <Ending block={block} state={state} step={step} heading={focus} onAgain={() => goTo("block.restart")} />
      ) : (
        <>
          <h3 ref={chosen ? undefined : focus} tabIndex={-1} className={classes.title}>
            {step.title || t("scenarios.untitled")}
          </h3>
          <div className={classes.text}>
            <Paragraphs texts={step.text} />
          </div>
          <div className={classes.choices} role="group" aria-label={t("scenarios.whatNow")}>
            {choices.map((choice) => (
              <button
                key={choice.id}
                type="button"
                className={classes.choice}
                data-chosen={chosen?.choice.id === choice.id || undefined}
                aria-pressed={isWaiting ? chosen.choice.id === choice.id : undefined}
                disabled={readOnly || isWaiting || isTooLong}
                onClick={() => choose(choice)}
              >
                <Runs text={choice.text} />
              </button>
            ))}
          </div>
          {isTooLong && <p className={classes.loose}>{t("scenarios.tooLong", { count: MAX_PATH })}</p>}
          {choices.length === 0 && <p className={classes.loose}>{t("scenarios.noChoices")}</p>}
          {chosen && (
            <div ref={focus} tabIndex={-1} className={classes.feedback}>
              {chosen.choice.feedback && (
                <p>
                  <Runs text={chosen.choice.feedback} />
                </p>
              )}
              {isLoose ? (
                <p className={classes.loose}>{t("scenarios.loose")}</p>
              ) : (
                <button type="button" className={classes.next} onClick={goOn}>
                  {t("scenarios.goOn")}
                  <IconArrowRight size={18} stroke={1.8} aria-hidden />
                </button>
              )}
            </div>
          )}
        </>
      )}
      {isOnTheWay && (
        <div className={classes.foot}>
          {block.mayGoBack && (
            <button type="button" className={groups.small} disabled={readOnly} onClick={() => goTo("block.back")}>
              <IconArrowBackUp size={18} stroke={1.7} aria-hidden />
              {t("scenarios.back")}
            </button>
          )}
          <button type="button" className={groups.small} disabled={readOnly} onClick={() => goTo("block.restart")}>
            <IconRefresh size={18} stroke={1.7} aria-hidden />
            {t("scenarios.restart")}
          </button>
        </div>
      )}
    </section>
  );
}

/** The time since it was last stopped, in ms, for which a step was shown. */
function useStopwatch() {
  const [now] = useState(() => Date.now());
  const since = useRef(now);
  return {
    stop: () => {
      const ms = Math.max(0, Math.min(MAX_MS, Date.now() - since.current));
      since.current = Date.now();
      return ms;
    },
  };
}

/** Puts the focus on what an action has led to, not on what a page opens with. */
function useFocusOn(key: string) {
  const focus = useRef<HTMLHeadingElement & HTMLDivElement>(null);
  const isMoved = useRef(false);
  useEffect(() => {
    if (!isMoved.current) return;
    isMoved.current = false;
    focus.current?.focus({ preventScroll: true });
    focus.current?.scrollIntoView({ block: "nearest" });
  }, [key]);
  return { focus, moveFocus: () => void (isMoved.current = true) };
}
