import { UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatDate } from "#web/core/format/format.ts";
import { SidePanel } from "#web/core/layout/SidePanel.tsx";
import classes from "#web/rawData/rawData.module.css";
import { Masked } from "#web/rawData/ValueCell.tsx";
import { targetOfCell, type ValueTarget } from "#web/rawData/valueTarget.ts";
import { valueText } from "#web/variables/valueText.ts";
import type { AttemptValues } from "#shared/rawData/rawData.ts";
import type { Variable } from "#shared/variables/variables.ts";

type Props = {
  attempt: AttemptValues;
  courseId: string;
  variables: Variable[];
  onOpen: (target: ValueTarget) => void;
  onClose: () => void;
};

/** The values of one attempt as lines, for phones. */
export function AttemptPanel({ attempt, courseId, variables, onOpen, onClose }: Props) {
  const { t } = useTranslation();
  const line = [attempt.course, t("rawData.attempt", { number: attempt.attempt }), formatDate(attempt.startedAt)].join(
    ", ",
  );
  return (
    <SidePanel title={attempt.learner || t("rawData.noLearner")} line={line} onClose={onClose}>
      <ul className={classes.lines}>
        {variables.map((variable) => {
          const isMasked = variable.privacy === "sensitive" && variable.id in attempt.values;
          const text = valueText(attempt.values[variable.id] ?? null, variable, t);
          const target = targetOfCell(attempt, variable, courseId);
          const words = (
            <>
              <span>{variable.label}</span>
              <span>{isMasked ? <Masked /> : text || "–"}</span>
            </>
          );
          return (
            <li key={variable.id}>
              {target && (text !== "" || isMasked) ? (
                <UnstyledButton className={classes.line} onClick={() => onOpen(target)}>
                  {words}
                </UnstyledButton>
              ) : (
                <div className={classes.line}>{words}</div>
              )}
            </li>
          );
        })}
      </ul>
      {variables.length === 0 && <p>{t("rawData.grid.noVariables")}</p>}
    </SidePanel>
  );
}
