import { UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/rawData/DeleteVariables.module.css";

export const deletionSteps = ["course", "scope", "check", "confirm"] as const;
export type DeletionStep = (typeof deletionSteps)[number];

type Props = {
  current: DeletionStep;
  /** Summaries of the completed steps. */
  chosen: Partial<Record<DeletionStep, string>>;
  onGoTo: (step: DeletionStep) => void;
};

/** The four steps as columns; completed ones are links back. */
export function DeletionSteps({ current, chosen, onGoTo }: Props) {
  const { t } = useTranslation();
  const position = deletionSteps.indexOf(current);
  return (
    <ol className={classes.steps} aria-label={t("rawData.deletion.steps")}>
      {deletionSteps.map((step, index) => {
        const words = (
          <>
            <span className={classes.stepName}>{t(`rawData.deletion.step.${step}`)}</span>
            <span className={classes.stepHint}>
              {(index < position && chosen[step]) || t(`rawData.deletion.hint.${step}`)}
            </span>
          </>
        );
        const state = index < position ? "done" : "todo";
        return (
          <li
            key={step}
            data-state={step === current ? "current" : state}
            aria-current={step === current ? "step" : undefined}
          >
            {index < position ? <UnstyledButton onClick={() => onGoTo(step)}>{words}</UnstyledButton> : words}
          </li>
        );
      })}
    </ol>
  );
}
