import { Alert, Button, Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import classes from "#web/enrolmentRules/enrolmentRules.module.css";
import { useRuleActions } from "#web/enrolmentRules/useRuleActions.ts";
import type { RuleDetail } from "#shared/enrolmentRules/enrolmentRules.ts";

/** The latest run of a rule: how far it is, what it did, and its undoing. */
export function RunNotice({ rule }: { rule: RuleDetail }) {
  const { t } = useTranslation();
  const times = useTimes();
  const { askToUndo } = useRuleActions();
  const { run } = rule;
  if (!run) return null;
  const isWorking = run.state === "applying" || run.state === "undoing";
  const text = {
    applying: () => t("enrolmentRules.run.applying", { count: run.checked }),
    applied: () => t("enrolmentRules.run.applied", { count: run.added, name: run.madeBy }),
    undoing: () => t("enrolmentRules.run.undoing"),
    undone: () => t("enrolmentRules.run.undone", { count: run.undone }),
  }[run.state]();
  return (
    <Alert className={classes.notice} color={isWorking ? "blue" : "green"} role="status">
      <span className={classes.run}>
        {isWorking && <Loader size={16} aria-hidden />}
        {text} {run.leftNames.length > 0 && t("enrolmentRules.run.left", { names: run.leftNames.join(", ") })}
        {run.undoUntil && (
          <>
            {" "}
            {t("enrolmentRules.run.undoUntil", { time: times.dateTime(run.undoUntil) })}{" "}
            <Button variant="default" size="compact-sm" onClick={() => askToUndo(rule)}>
              {t("enrolmentRules.run.undo")}
            </Button>
          </>
        )}
      </span>
    </Alert>
  );
}
